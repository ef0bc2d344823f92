package dev.yieldstar.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One encoded value: a format tag and the bytes that a [Codec] of that format understands.
/// Immutable.
///
/// The tag is the first stored byte, so that rows written under one codec stay readable after
/// another has taken its place. Tags 0 to 63 are the library's own (1: JSON); others are free for
/// extenders.
public final class Payload {
  private final byte[] stored;

  private Payload(byte[] stored) {
    this.stored = stored;
  }

  /// A payload of this format; the bytes are copied.
  public static Payload of(byte format, byte[] body) {
    byte[] stored = new byte[body.length + 1];
    stored[0] = format;
    System.arraycopy(body, 0, stored, 1, body.length);
    return new Payload(stored);
  }

  /// What [#stored] gave, read back.
  public static Payload ofStored(byte[] stored) {
    if (stored.length == 0) {
      throw new IllegalArgumentException(
          "a stored payload begins with its format tag; this one is empty");
    }
    return new Payload(stored.clone());
  }

  public byte format() {
    return stored[0];
  }

  /// The encoded value without its tag.
  public byte[] body() {
    return Arrays.copyOfRange(stored, 1, stored.length);
  }

  /// The tag and the encoded value, as a database keeps them.
  public byte[] stored() {
    return stored.clone();
  }

  /// Size in bytes, with the tag.
  public int size() {
    return stored.length;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Payload payload && Arrays.equals(payload.stored, stored);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(stored);
  }

  @Override
  public String toString() {
    return "Payload[format " + format() + ", " + size() + " bytes]";
  }
}
