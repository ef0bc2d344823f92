package dev.yieldstar.spi;

import dev.yieldstar.YieldstarException;

/// The worker of a delivery ended before it replied. Its last writes may still land, so its lease
/// is left to expire.
public final class WorkerExited extends YieldstarException {
  private static final long serialVersionUID = 1;

  public WorkerExited(String message) {
    super("WORKER_EXITED", message);
  }
}
