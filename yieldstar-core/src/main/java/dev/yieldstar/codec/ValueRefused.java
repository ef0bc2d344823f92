package dev.yieldstar.codec;

import dev.yieldstar.YieldstarException;
import org.jspecify.annotations.Nullable;

/// A value or a declared type that the codec does not take. Says what is wrong with the value and
/// where in it; the engine adds which execution and step it belongs to.
public final class ValueRefused extends YieldstarException {
  private static final long serialVersionUID = 1;

  /// A value that can't be encoded, or would not come back the same.
  public static final String NOT_DURABLE = "INVALID_STEP_VALUE";

  /// A declared type that stands for no type at run time.
  public static final String TYPE_NOT_REIFIED = "TYPE_NOT_REIFIED";

  /// A payload that is no value of the declared type.
  public static final String UNDECODABLE = "UNDECODABLE_VALUE";

  /// A value that is too large once it is encoded.
  public static final String TOO_LARGE = "PAYLOAD_TOO_LARGE";

  public ValueRefused(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /// A declared type that could not be decoded again.
  ///
  /// @param where in the type
  static ValueRefused ofType(String where, String why) {
    return new ValueRefused(
        TYPE_NOT_REIFIED, "%s can't be decoded again: %s".formatted(where, why), null);
  }
}
