package dev.yieldstar.jdbc;

import org.jspecify.annotations.Nullable;

/// Text of any kind, as a column of a database can keep it.
///
/// Messages come from anywhere, and may hold what no database keeps: NUL, and halves of surrogate
/// pairs. A text without them is stored as it is; one with them begins with [#ESCAPED], and these
/// characters are written as `\XXXX`. What is read is exactly what was stored.
final class Texts {
  private static final char ESCAPED = '\u0001';

  private Texts() {}

  static @Nullable String stored(@Nullable String text) {
    return text == null || isPlain(text) ? text : escaped(text);
  }

  static @Nullable String read(@Nullable String stored) {
    return stored == null || stored.isEmpty() || stored.charAt(0) != ESCAPED
        ? stored
        : unescaped(stored);
  }

  private static boolean isPlain(String text) {
    if (!text.isEmpty() && text.charAt(0) == ESCAPED) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        if (!isPairAt(text, i)) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static boolean isPairAt(String text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }

  private static String escaped(String text) {
    var escaped = new StringBuilder(text.length() + 16).append(ESCAPED);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c) && isPairAt(text, i)) {
        escaped.append(c).append(text.charAt(++i));
      } else if (c == 0 || c == '\\' || Character.isSurrogate(c)) {
        escaped.append('\\').append("%04x".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static String unescaped(String stored) {
    var text = new StringBuilder(stored.length());
    for (int i = 1; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (c == '\\') {
        text.append((char) Integer.parseInt(stored, i + 1, i + 5, 16));
        i += 4;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
