package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// The execution that runs this code is being cancelled: from here on nothing more is recorded.
/// Catching it changes nothing: the execution ends as cancelled.
public final class CancellationRequested extends YieldstarException {
  private static final long serialVersionUID = 1;

  public CancellationRequested(String message) {
    this(message, null);
  }

  public CancellationRequested(String message, @Nullable Throwable cause) {
    super("CANCELLATION_REQUESTED", message, cause);
  }
}
