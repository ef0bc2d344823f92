package dev.yieldstar.spi;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Tells a delivery to stop, once, and why. Thread-safe.
public final class Signal {
  private final CompletableFuture<AbortReason> aborted = new CompletableFuture<>();

  /// Why a delivery is to stop.
  public enum AbortReason {
    /// Another claim has taken over: nothing it writes is accepted any more.
    LEASE_LOST,
    /// The engine shuts down.
    SHUTDOWN
  }

  /// Sets it; the first reason stays. Callbacks run on the caller's thread.
  public void abort(AbortReason reason) {
    aborted.complete(reason);
  }

  public boolean isAborted() {
    return aborted.isDone();
  }

  /// The reason, null while it is not set.
  public @Nullable AbortReason reason() {
    return aborted.getNow(null);
  }

  /// Runs `callback` when it is set; at once if it is already.
  public void onAbort(Runnable callback) {
    aborted.thenRun(callback);
  }
}
