package dev.yieldstar.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// What a durable value may reach: the same bounds when it is written, read and compared.
final class Limits {
  /// Levels of objects and lists in one another. Cycles end here.
  static final int DEPTH = 500;

  /// Digits of one number.
  static final int DIGITS = 10_000;

  /// Power of ten of one number, once its trailing zeros are counted into it.
  static final int EXPONENT = 10_000;

  /// A power of ten with more than [#DIGITS] digits before it never comes from here.
  static final int WRITTEN_EXPONENT = EXPONENT + DIGITS;

  private static final int BITS = (int) (DIGITS / Math.log10(2));

  private Limits() {}

  /// Why this number is out of bounds, or null if it is not.
  static @Nullable String complaint(BigDecimal number) {
    if (number.precision() > DIGITS) {
      return "a number of " + number.precision() + " digits; " + DIGITS + " is the most";
    }
    long furthest =
        Math.max(Math.abs((long) number.scale()), (long) number.precision() - number.scale());
    if (furthest <= EXPONENT
        || (number.signum() == 0 && Math.abs((long) number.scale()) <= EXPONENT)) {
      return null;
    }
    long exponent = -(long) number.stripTrailingZeros().scale();
    return Math.abs(exponent) <= EXPONENT && Math.abs((long) number.scale()) <= WRITTEN_EXPONENT
        ? null
        : "a number with the exponent " + -(long) number.scale() + "; " + EXPONENT + " is the most";
  }

  /// Why this number is out of bounds, or null if it is not.
  static @Nullable String complaint(BigInteger number) {
    return number.bitLength() > BITS ? complaint(new BigDecimal(number)) : null;
  }
}
