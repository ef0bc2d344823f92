package dev.yieldstar.engine;

import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Signal;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A lease that [LeaseKeeper] renews. Its fields are guarded by the keeper's lock.
final class HeldLease {
  final Lease lease;
  final String executionId;
  final Signal signal;
  long nextRenewal;
  long confirmedAt;
  boolean lost;

  /// Its delivery has ended and finds out by itself whether it was lost.
  boolean ended;

  @Nullable CompletableFuture<Reply> renewing;

  HeldLease(Lease lease, String executionId, Signal signal, long now, long interval) {
    this.lease = lease;
    this.executionId = executionId;
    this.signal = signal;
    this.confirmedAt = now;
    this.nextRenewal = now + interval;
  }
}
