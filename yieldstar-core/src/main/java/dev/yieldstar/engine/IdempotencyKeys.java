package dev.yieldstar.engine;

import dev.yieldstar.spi.Delivery;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Keys for systems that recognise a repeated request: a pure function of execution, incarnation
/// and step.
final class IdempotencyKeys {
  private static final int BYTES = 16;

  private IdempotencyKeys() {}

  static String of(Delivery delivery, String stored) {
    String identity =
        delivery.executionId() + '\0' + delivery.lease().incarnation() + '\0' + stored;
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
