package dev.yieldstar.spi;

import dev.yieldstar.YieldstarException;
import org.jspecify.annotations.Nullable;

/// A backend could not do what it was asked. Never seen by workflow code.
public final class BackendException extends YieldstarException {
  private static final long serialVersionUID = 1;
  private final Fault fault;

  /// What is at fault, and so what helps.
  public enum Fault {
    /// The backend or the way to it: the same again, later. The commit is uncertain.
    UNAVAILABLE,
    /// A value in the batch: the batch without it. Nothing was committed.
    DATA,
    /// The backend was closed.
    CLOSED
  }

  public BackendException(Fault fault, String message, @Nullable Throwable cause) {
    super("BACKEND_" + fault, message, cause);
    this.fault = fault;
  }

  /// What is asked of an engine or a backend that was closed is answered with this.
  public static BackendException closed() {
    return new BackendException(Fault.CLOSED, "The engine or its backend has been closed.", null);
  }

  public Fault fault() {
    return fault;
  }
}
