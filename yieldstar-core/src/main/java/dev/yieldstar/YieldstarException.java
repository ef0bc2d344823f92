package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// The root of what the library throws.
///
/// The [code][#code()] is stable and meant for programs; the message is for people: what happened,
/// to which execution and step, and what to do.
public class YieldstarException extends RuntimeException implements Coded {
  private static final long serialVersionUID = 1;
  private final String code;

  public YieldstarException(String code, String message) {
    this(code, message, null);
  }

  public YieldstarException(String code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /// The stable code, in upper case: `EXECUTION_ID_CONFLICT`.
  @Override
  public final String code() {
    return code;
  }
}
