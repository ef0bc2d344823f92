package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.spi.Signal;
import dev.yieldstar.spi.Signal.AbortReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the leases of running deliveries, on a platform thread and a monotonic clock of its own,
/// so that neither user code nor a clock that is set can starve it.
///
/// A renewal that fails is tried again: the lease stays current until another claim takes it. One
/// that is answered `lost` aborts the delivery. Thread-safe.
final class LeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Lease, HeldLease> held = new LinkedHashMap<>();
  private final Committer committer;
  private final Duration leaseDuration;
  private final long interval;
  private final Thread thread;
  private long outageEndedAt;
  private boolean outage;
  private boolean stopped;

  LeaseKeeper(Committer committer, EngineSettings settings) {
    this.committer = committer;
    this.leaseDuration = settings.leaseDuration();
    this.interval = settings.renewInterval().toNanos();
    this.outageEndedAt = System.nanoTime() - interval;
    this.thread = Thread.ofPlatform().daemon().name("yieldstar-leases").start(this::run);
  }

  /// Renews this lease from now on, until it is stopped.
  void hold(Lease lease, String executionId, Signal signal) {
    lock.lock();
    try {
      held.put(lease, new HeldLease(lease, executionId, signal, System.nanoTime(), interval));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Renews it no more, and waits for a renewal that is under way, no longer than a renewal may
  /// take.
  ///
  /// @return whether the lease is still ours, as far as is known
  boolean stop(Lease lease) {
    HeldLease released;
    CompletableFuture<Reply> renewing;
    lock.lock();
    try {
      released = held.remove(lease);
      if (released == null) {
        return false;
      }
      renewing = released.renewing;
    } finally {
      lock.unlock();
    }
    return !await(renewing) && !isLost(released);
  }

  private boolean isLost(HeldLease lease) {
    lock.lock();
    try {
      return lease.lost;
    } finally {
      lock.unlock();
    }
  }

  /// Whether a renewal that is under way is answered `lost`.
  private boolean await(@Nullable CompletableFuture<Reply> renewing) {
    if (renewing == null) {
      return false;
    }
    try {
      return renewing.get(interval, TimeUnit.NANOSECONDS) instanceof Reply.Lost;
    } catch (ExecutionException | TimeoutException e) {
      return false; // unknown: what is sent under the lease will tell
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// The leases that are renewed now.
  List<Lease> leases() {
    lock.lock();
    try {
      return List.copyOf(held.keySet());
    } finally {
      lock.unlock();
    }
  }

  /// Tells the deliveries what has been asked of their executions.
  void tell(Map<Long, Standing> standing) {
    for (HeldLease lease : snapshot()) {
      Standing found = standing.get(lease.lease.execution());
      if (found != null && found.cancelReason() != null) {
        lease.signal.cancel(found.cancelReason());
      }
    }
  }

  private List<HeldLease> snapshot() {
    lock.lock();
    try {
      return List.copyOf(held.values());
    } finally {
      lock.unlock();
    }
  }

  /// Whether a lease has not been confirmed for two renewal intervals: then nothing more is
  /// claimed.
  boolean overdue() {
    lock.lock();
    try {
      long now = System.nanoTime();
      boolean overdue =
          held.values().stream().anyMatch(lease -> now - lease.confirmedAt > 2 * interval);
      if (outage && !overdue) {
        outageEndedAt = now;
      }
      outage = overdue;
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  /// Whether passed leases may be taken over: not until one renewal interval after an outage, in
  /// which their holders may only have been as cut off as we were.
  boolean mayTakeOver() {
    lock.lock();
    try {
      return !outage && System.nanoTime() - outageEndedAt >= interval;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      stopped = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (true) {
      List<HeldLease> due = awaitDue();
      if (due == null) {
        return;
      }
      due.forEach(this::renew);
    }
  }

  /// Those whose renewal is due, with those that are due soon, so that they share a commit; null at
  /// the end.
  private @Nullable List<HeldLease> awaitDue() {
    lock.lock();
    try {
      while (!stopped) {
        long now = System.nanoTime();
        long wait = Long.MAX_VALUE;
        for (HeldLease lease : held.values()) {
          if (lease.renewing == null && !lease.lost) {
            wait = Math.min(wait, lease.nextRenewal - now);
          }
        }
        if (wait <= 0) {
          return takeDue(now);
        }
        changed.awaitNanos(wait);
      }
      return null;
    } catch (InterruptedException e) {
      LOG.error("The thread that renews leases was interrupted by foreign code; it goes on");
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  private List<HeldLease> takeDue(long now) {
    var due = new ArrayList<HeldLease>();
    for (HeldLease lease : held.values()) {
      if (lease.renewing == null && !lease.lost && lease.nextRenewal - now <= interval / 8) {
        lease.nextRenewal = now + interval;
        lease.renewing = new CompletableFuture<>();
        due.add(lease);
      }
    }
    return due;
  }

  private void renew(HeldLease lease) {
    CompletableFuture<Reply> promise = promise(lease);
    committer
        .submitUrgent(new Command.Renew(lease.lease, leaseDuration))
        .whenComplete(
            (reply, failure) -> {
              settle(lease, reply, failure);
              if (reply == null) {
                promise.completeExceptionally(failure);
              } else {
                promise.complete(reply);
              }
            });
  }

  private CompletableFuture<Reply> promise(HeldLease lease) {
    lock.lock();
    try {
      return java.util.Objects.requireNonNull(lease.renewing);
    } finally {
      lock.unlock();
    }
  }

  private void settle(HeldLease lease, @Nullable Reply reply, @Nullable Throwable failure) {
    boolean lost = reply instanceof Reply.Lost;
    boolean stillHeld;
    lock.lock();
    try {
      lease.renewing = null;
      lease.lost |= lost;
      if (reply instanceof Reply.Renewed) {
        lease.confirmedAt = System.nanoTime();
      }
      stillHeld = held.get(lease.lease) == lease;
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      LOG.error(
          "The lease of execution '{}' could not be renewed; it is tried again",
          lease.executionId,
          failure);
    }
    // A delivery that has just ended finds out by itself, when it acknowledges.
    if (lost && stillHeld) {
      warnLost(lease.lease, lease.executionId);
      lease.signal.abort(AbortReason.LEASE_LOST);
    }
    if (reply instanceof Reply.Renewed(var until, var standing)
        && standing.cancelReason() != null) {
      lease.signal.cancel(standing.cancelReason());
    }
  }

  static void warnLost(Lease lease, String executionId) {
    LOG.warn(
        "The lease of execution '{}' (token {}) was lost to another claim; this delivery stops without an outcome",
        executionId,
        lease.token());
  }
}
