package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// The outcome didn't come within the caller's limit; the execution goes on.
public final class ResultTimeout extends YieldstarException {
  private static final long serialVersionUID = 1;

  public ResultTimeout(String message) {
    this(message, null);
  }

  public ResultTimeout(String message, @Nullable Throwable cause) {
    super("RESULT_TIMEOUT", message, cause);
  }
}
