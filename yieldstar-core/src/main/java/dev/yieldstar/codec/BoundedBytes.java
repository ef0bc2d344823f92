package dev.yieldstar.codec;

import java.io.OutputStream;
import java.util.Arrays;

/// Takes down encoded bytes, up to a limit: a value that multiplies itself ends here, not in an
/// OutOfMemoryError.
final class BoundedBytes extends OutputStream {
  /// The limit was passed.
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    Full() {
      super(null, null, false, false);
    }
  }

  private final int most;
  private byte[] bytes = new byte[256];
  private int size;

  BoundedBytes(int most) {
    this.most = most;
  }

  @Override
  public void write(int b) {
    makeRoom(1);
    bytes[size++] = (byte) b;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    makeRoom(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void makeRoom(int more) {
    if (more > most - size) {
      throw new Full();
    }
    if (more > bytes.length - size) {
      long doubled = Math.max(bytes.length * 2L, (long) size + more);
      bytes = Arrays.copyOf(bytes, (int) Math.min(doubled, most));
    }
  }
}
