package dev.yieldstar.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The SHA-256 of a value's canonical text, in 64 lower-case hexadecimal digits: a short stand-in
/// where values are compared. Immutable.
public record Fingerprint(String hex) {

  public Fingerprint {
    if (hex.length() != 64
        || !hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
      throw new IllegalArgumentException(
          "a fingerprint is 64 lower-case hexadecimal digits, was: " + Texts.clipped(hex, 80));
    }
  }

  /// The fingerprint of a JSON text, however it was written.
  ///
  /// @throws ValueRefused as [CanonicalJson#of]
  public static Fingerprint of(String json) {
    byte[] canonical = CanonicalJson.of(json).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical);
      return new Fingerprint(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return hex;
  }
}
