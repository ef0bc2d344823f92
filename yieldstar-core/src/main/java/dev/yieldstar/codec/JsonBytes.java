package dev.yieldstar.codec;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Looks over bytes that claim to be JSON, for what a lenient reader lets pass: another encoding
/// than UTF-8, a byte order mark, half characters (written as such or as an escape), absurd
/// exponents.
final class JsonBytes {
  /// As many digits and as high an exponent make less than 10^37, which is no infinity for a
  /// `float`.
  private static final int SMALL = 18;

  private final byte[] bytes;
  private int at;
  private int digits;
  private int longest;
  private int highest;
  private boolean named;

  private JsonBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /// What is wrong with them, or null. Says nothing about the grammar: that is the parser's.
  static @Nullable String complaint(byte[] bytes) {
    return new JsonBytes(bytes).look();
  }

  /// The same; and whether something is in them that may be read as an infinite number, or as NaN:
  /// a vast number, or a text that may name one.
  static Look look(byte[] bytes) {
    JsonBytes json = new JsonBytes(bytes);
    String complaint = json.look();
    boolean vast =
        json.longest > 2 * SMALL
            || json.highest > SMALL
            || (json.longest > SMALL && json.highest > 0);
    return new Look(complaint, vast || json.named);
  }

  record Look(@Nullable String complaint, boolean maybeInfinite) {}

  /// The text of bytes that [#complaint] has nothing against.
  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable String look() {
    boolean inText = false;
    while (at < bytes.length) {
      byte b = bytes[at];
      String wrong = null;
      if (b < 0) {
        wrong = character(b & 0xFF);
      } else if (b == 0) {
        wrong = "a zero byte at offset " + at;
      } else if (b == '\\') {
        wrong = escape();
      } else {
        inText ^= b == '"';
        named |= inText && b == '"' && mayNameNumber(at + 1);
        digits = b >= '0' && b <= '9' && !inText ? digits + 1 : 0;
        longest = Math.max(longest, digits);
        wrong = !inText && (b == 'e' || b == 'E') ? exponent() : null;
        at++;
      }
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  /// Does a text begin here like `Infinity`, `NaN`, `+INF`, or with an escape?
  private boolean mayNameNumber(int from) {
    return from < bytes.length
        && switch (bytes[from]) {
          case 'I', 'N', '+', '-', '\\' -> true;
          default -> false;
        };
  }

  /// A character of two to four bytes, in its shortest form, as UTF-8 has it.
  private @Nullable String character(int lead) {
    int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4) {
      return "bytes that are no UTF-8 at offset " + at;
    }
    int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (int i = 1; i < length; i++) {
      int next = at + i < bytes.length ? bytes[at + i] & 0xFF : 0;
      if (next < (i == 1 ? least : 0x80) || next > (i == 1 ? most : 0xBF)) {
        return "bytes that are no UTF-8 at offset " + at;
      }
    }
    if (at == 0 && lead == 0xEF && (bytes[1] & 0xFF) == 0xBB && (bytes[2] & 0xFF) == 0xBF) {
      return "a byte order mark before it";
    }
    at += length;
    return null;
  }

  private @Nullable String escape() {
    int unit = unit(at);
    if (unit < 0 || !Character.isSurrogate((char) unit)) {
      at += 2;
      return null;
    }
    int second = unit(at + 6);
    if (!Character.isHighSurrogate((char) unit)
        || second < 0
        || !Character.isLowSurrogate((char) second)) {
      return "half a character (a lone surrogate) at offset " + at;
    }
    at += 12;
    return null;
  }

  /// The code unit that a `\\uXXXX` at this offset stands for, or -1 if there is none.
  private int unit(int from) {
    if (from + 6 > bytes.length || bytes[from] != '\\' || bytes[from + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = from + 2; i < from + 6; i++) {
      int digit = Character.digit(bytes[i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = unit * 16 + digit;
    }
    return unit;
  }

  /// At an `e` outside texts: the exponent of a number, or a letter of `true` and `false`.
  private @Nullable String exponent() {
    int from = at + 1;
    boolean negative = from < bytes.length && bytes[from] == '-';
    if (negative || (from < bytes.length && bytes[from] == '+')) {
      from++;
    }
    int exponent = 0;
    for (int i = from; i < bytes.length && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      exponent = exponent * 10 + (bytes[i] - '0');
      if (exponent > Limits.WRITTEN_EXPONENT) {
        return "a number with an exponent beyond " + Limits.EXPONENT + " at offset " + at;
      }
    }
    highest = Math.max(highest, negative ? 0 : exponent);
    return null;
  }
}
