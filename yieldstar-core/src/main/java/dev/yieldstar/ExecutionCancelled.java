package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// The execution that was awaited has been cancelled. (Workflow code that is itself cancelled sees
/// [CancellationRequested].)
public final class ExecutionCancelled extends YieldstarException {
  private static final long serialVersionUID = 1;

  public ExecutionCancelled(String message) {
    this(message, null);
  }

  public ExecutionCancelled(String message, @Nullable Throwable cause) {
    super("EXECUTION_CANCELLED", message, cause);
  }
}
