package dev.yieldstar.codec;

/// Texts that every database and every JSON reader keeps as they are.
final class Texts {
  private static final char REPLACEMENT = '\uFFFD';

  private Texts() {}

  /// Where half of a surrogate pair stands alone, or -1: such a text is no Unicode text.
  static int loneSurrogate(CharSequence text) {
    for (int i = 0, length = text.length(); i < length; i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
        continue;
      }
      return i;
    }
    return -1;
  }

  /// The text with U+FFFD in the place of NUL and of lone surrogates.
  static String storable(String text) {
    if (text.indexOf('\0') < 0 && loneSurrogate(text) < 0) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.replace('\0', REPLACEMENT));
    for (int at = loneSurrogate(safe); at >= 0; at = loneSurrogate(safe)) {
      safe.setCharAt(at, REPLACEMENT);
    }
    return safe.toString();
  }

  /// The first characters of a text, never half a pair, and how many were left out.
  static String clipped(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "… (" + (text.length() - end) + " more characters)";
  }
}
