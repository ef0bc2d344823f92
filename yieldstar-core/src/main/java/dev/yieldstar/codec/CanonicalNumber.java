package dev.yieldstar.codec;

/// A JSON number as digits without trailing zeros and an exponent: `1.50`, `15e-1` and `0.15E1` are
/// all `15e-1`; every zero is `0`.
final class CanonicalNumber {
  private CanonicalNumber() {}

  /// The canonical text of a well-formed JSON number.
  ///
  /// @throws ValueRefused if its exponent is beyond [Limits#EXPONENT]
  static String of(String number) {
    int mark = exponentMark(number);
    String digits = number.substring(0, mark);
    boolean negative = digits.startsWith("-");
    int point = digits.indexOf('.');
    int fraction = point < 0 ? 0 : digits.length() - point - 1;
    String all = digits.substring(negative ? 1 : 0).replace(".", "");
    int from = 0;
    while (from < all.length() && all.charAt(from) == '0') {
      from++;
    }
    if (from == all.length()) {
      return "0";
    }
    int to = all.length();
    while (all.charAt(to - 1) == '0') {
      to--;
    }
    long exponent = written(number, mark) - fraction + (all.length() - to);
    if (Math.abs(exponent) > Limits.EXPONENT) {
      throw new ValueRefused(
          ValueRefused.UNDECODABLE,
          "The number %s has an exponent beyond %d."
              .formatted(Texts.clipped(number, 60), Limits.EXPONENT),
          null);
    }
    return (negative ? "-" : "") + all.substring(from, to) + (exponent == 0 ? "" : "e" + exponent);
  }

  private static int exponentMark(String number) {
    for (int i = 0; i < number.length(); i++) {
      char c = number.charAt(i);
      if (c == 'e' || c == 'E') {
        return i;
      }
    }
    return number.length();
  }

  /// The exponent as written; beyond all bounds when it has too many digits for a long.
  private static long written(String number, int mark) {
    if (mark == number.length()) {
      return 0;
    }
    String text = number.substring(mark + 1);
    boolean negative = text.startsWith("-");
    long exponent = 0;
    for (int i = negative || text.startsWith("+") ? 1 : 0; i < text.length(); i++) {
      exponent = Math.min(exponent * 10 + (text.charAt(i) - '0'), Integer.MAX_VALUE);
    }
    return negative ? -exponent : exponent;
  }
}
