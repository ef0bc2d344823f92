package dev.yieldstar.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// What a delivery is told while it runs: to stop, and why; that its execution is being cancelled;
/// to wait no longer in place. Each is told once. Thread-safe.
public final class Signal {
  private final CompletableFuture<AbortReason> aborted = new CompletableFuture<>();
  private final CompletableFuture<String> cancelled = new CompletableFuture<>();
  private final CompletableFuture<Void> suspending = new CompletableFuture<>();

  /// Why a delivery is to stop.
  public enum AbortReason {
    /// Another claim has taken over: nothing it writes is accepted any more.
    LEASE_LOST,
    /// The engine stops and has waited long enough.
    SHUTDOWN
  }

  /// Tells the delivery to stop; the first reason stays. What waits for it runs on the caller's
  /// thread.
  public void abort(AbortReason reason) {
    aborted.complete(reason);
  }

  /// The reason to stop, null while there is none.
  public @Nullable AbortReason reason() {
    return aborted.getNow(null);
  }

  public boolean isAborted() {
    return aborted.isDone();
  }

  /// Ends when the delivery is told to stop.
  public CompletionStage<AbortReason> aborted() {
    return aborted;
  }

  /// Tells the delivery that a cancellation was accepted.
  public void cancel(String reason) {
    cancelled.complete(reason);
  }

  /// Ends when a cancellation was accepted, with its reason.
  public CompletionStage<String> cancelled() {
    return cancelled;
  }

  /// Tells the delivery to wait for nothing in place any more, but to end as suspended.
  public void suspend() {
    suspending.complete(null);
  }

  /// Ends when the delivery is not to wait in place any more.
  public CompletionStage<Void> suspending() {
    return suspending;
  }
}
