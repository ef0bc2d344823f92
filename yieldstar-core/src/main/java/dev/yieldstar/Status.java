package dev.yieldstar;

/// Where an execution stands. Paused and "needs attention" are marks beside it, not statuses.
public enum Status {
  /// Accepted; not delivered yet.
  ADMITTED,
  /// Leased to a dispatcher that delivers it.
  RUNNING,
  /// Waiting for its time, a change or another execution; or given back, to be delivered again.
  SUSPENDED,
  /// Ended with a result.
  COMPLETED,
  /// Ended with an error.
  FAILED,
  /// Ended by a cancellation.
  CANCELLED;

  /// Whether it has ended, for good.
  public boolean isTerminal() {
    return switch (this) {
      case COMPLETED, FAILED, CANCELLED -> true;
      case ADMITTED, RUNNING, SUSPENDED -> false;
    };
  }
}
