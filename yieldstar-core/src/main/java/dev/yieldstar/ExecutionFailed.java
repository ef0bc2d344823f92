package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// The execution failed; the cause is its own error.
public final class ExecutionFailed extends YieldstarException {
  private static final long serialVersionUID = 1;

  public ExecutionFailed(String message) {
    this(message, null);
  }

  public ExecutionFailed(String message, @Nullable Throwable cause) {
    super("EXECUTION_FAILED", message, cause);
  }
}
