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

  private static final long FOREVER = Duration.ofDays(10_000).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Lease, HeldLease> held = new LinkedHashMap<>();
  private final Committer committer;
  private final Duration leaseDuration;
  private final long interval;
  private final Thread thread;

  // Guarded by the lock.
  private long wakesAt;
  private long lookedAt;
  private boolean overdue;
  private long outageEndedAt;
  private boolean stopped;

  LeaseKeeper(Committer committer, EngineSettings settings) {
    this.committer = committer;
    this.leaseDuration = settings.leaseDuration();
    this.interval = Math.min(Clamped.nanos(settings.renewInterval()), FOREVER);
    long now = System.nanoTime();
    this.outageEndedAt = now - interval;
    this.lookedAt = now - interval;
    this.wakesAt = now;
    this.thread = Thread.ofPlatform().daemon().name("yieldstar-leases").start(this::run);
  }

  /// Renews this lease from now on, until it is stopped or dropped.
  void hold(Lease lease, String executionId, Signal signal) {
    lock.lock();
    try {
      var fresh = new HeldLease(lease, executionId, signal, System.nanoTime(), interval);
      held.put(lease, fresh);
      wakeFor(fresh);
    } finally {
      lock.unlock();
    }
  }

  /// The thread need not be woken for what is due after it wakes anyway: most deliveries end before
  /// their first renewal.
  private void wakeFor(HeldLease lease) {
    if (lease.nextRenewal - wakesAt < 0) {
      changed.signal();
    }
  }

  /// Renews it no more, and waits for a renewal that is under way, no longer than a renewal may
  /// take.
  ///
  /// @return whether the lease is still ours, as far as is known; if not, that has been logged
  boolean stop(Lease lease) {
    HeldLease released;
    CompletableFuture<Reply> renewing;
    lock.lock();
    try {
      released = remove(lease);
      if (released == null) {
        return false;
      }
      renewing = released.renewing;
    } finally {
      lock.unlock();
    }
    await(renewing);
    return !endedLost(released);
  }

  /// Renews it no more, and waits for nothing.
  void drop(Lease lease) {
    lock.lock();
    try {
      HeldLease dropped = remove(lease);
      if (dropped != null) {
        dropped.ended = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable HeldLease remove(Lease lease) {
    HeldLease removed = held.remove(lease);
    if (removed != null) {
      noteOutage(removed, System.nanoTime());
    }
    return removed;
  }

  /// Whether it is known to be lost. What is learnt later the delivery finds out by itself.
  private boolean endedLost(HeldLease lease) {
    lock.lock();
    try {
      lease.ended = true;
      return lease.lost;
    } finally {
      lock.unlock();
    }
  }

  private void await(@Nullable CompletableFuture<Reply> renewing) {
    if (renewing == null) {
      return;
    }
    try {
      renewing.get(interval, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return; // unknown: what is sent under the lease will tell
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
  /// claimed. Looks at all of them only now and then, since every start asks.
  boolean overdue() {
    lock.lock();
    try {
      long now = System.nanoTime();
      if (now - lookedAt >= interval / 16) {
        lookedAt = now;
        overdue = held.values().stream().anyMatch(lease -> isOverdue(lease, now));
      }
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOverdue(HeldLease lease, long now) {
    return !lease.lost && now - lease.confirmedAt > 2 * interval;
  }

  private void noteOutage(HeldLease lease, long now) {
    if (isOverdue(lease, now)) {
      outageEndedAt = now;
    }
  }

  /// The backend answers again after a time in which renewals would have become overdue.
  void outageEnded() {
    lock.lock();
    try {
      outageEndedAt = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /// Whether passed leases may be taken over: not until one renewal interval after an outage, in
  /// which their holders may only have been as cut off as we were.
  boolean mayTakeOver() {
    lock.lock();
    try {
      return !overdue() && System.nanoTime() - outageEndedAt >= interval;
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
    Bounded.join(thread, Duration.ofSeconds(1));
  }

  private void run() {
    while (true) {
      try {
        List<HeldLease> due = awaitDue();
        if (due == null) {
          return;
        }
        due.forEach(this::renew);
      } catch (Throwable e) { // without this thread every lease would pass
        LOG.error("Renewing leases failed in a way that is not foreseen; it goes on", e);
      }
    }
  }

  /// Those whose renewal is due, with those that are due soon, so that they share a commit; null at
  /// the end.
  private @Nullable List<HeldLease> awaitDue() {
    lock.lock();
    try {
      while (!stopped) {
        long now = System.nanoTime();
        long wait = FOREVER;
        for (HeldLease lease : held.values()) {
          if (lease.renewing == null && !lease.lost) {
            wait = Math.min(wait, lease.nextRenewal - now);
          }
        }
        if (wait <= 0) {
          return takeDue(now);
        }
        wakesAt = now + wait;
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
    boolean tells;
    lock.lock();
    try {
      long now = System.nanoTime();
      lease.renewing = null;
      if (reply instanceof Reply.Renewed) {
        noteOutage(lease, now);
        lease.confirmedAt = now;
      }
      lease.lost |= lost;
      tells = lost && !lease.ended;
      wakeFor(lease);
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      LOG.error(
          "The lease of execution '{}' could not be renewed; it is tried again",
          lease.executionId,
          failure);
    }
    if (tells) {
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
