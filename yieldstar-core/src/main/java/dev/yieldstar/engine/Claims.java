package dev.yieldstar.engine;

import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Claims what is due, and knows from the answers when to look again. A claim whose reply got lost
/// is looked up by its lease id before the next one is made. Thread-safe.
final class Claims {
  /// The shortest pause before what is due, but could not be claimed, is looked at again.
  private static final long LOOK_AGAIN = Duration.ofMillis(10).toNanos();

  private static final long LONGEST_PAUSE = Duration.ofDays(1).toNanos();
  private static final long LONGEST_AFTER_FAILURES = Duration.ofSeconds(1).toNanos();

  private final Backend backend;
  private final LeaseKeeper leases;
  private final Ids ids;
  private final Set<String> workflows;
  private final Duration leaseDuration;
  private final long renewInterval;
  private final long poll;

  private final Queue<Long> unanswered = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Instant nextDue;
  private volatile long nextDueNanos = System.nanoTime();
  private volatile boolean passedOver;
  private volatile @Nullable Long failingSince;

  Claims(
      Backend backend,
      LeaseKeeper leases,
      Ids ids,
      Set<String> workflows,
      EngineSettings settings) {
    this.backend = backend;
    this.leases = leases;
    this.ids = ids;
    this.workflows = workflows;
    this.leaseDuration = settings.leaseDuration();
    this.renewInterval = Math.min(Clamped.nanos(settings.renewInterval()), LONGEST_PAUSE);
    this.poll = Math.min(Clamped.nanos(settings.pollInterval()), LONGEST_PAUSE);
  }

  /// What a claim came to.
  ///
  /// @param backlog whether more is due than it was to get
  record Got(List<Claim> claims, boolean backlog) {}

  /// Claims.
  ///
  /// @param delivering what this process still delivers
  /// @param suspect whether one that may end processes may be among them
  Got claim(int limit, Set<Long> delivering, boolean suspect) {
    List<Claim> found = next(delivering);
    if (!found.isEmpty()) {
      return new Got(found, true);
    }
    boolean takeOver = leases.mayTakeOver() && !isCutOff();
    var request =
        new ClaimRequest(
            workflows, limit, ids.lease(), leaseDuration, delivering, takeOver, suspect);
    ClaimReply reply;
    try {
      reply = backend.claim(request);
    } catch (RuntimeException | Error e) {
      unanswered.add(request.leaseId());
      failingSince = Objects.requireNonNullElse(failingSince, System.nanoTime());
      throw e;
    }
    answered(reply, takeOver);
    Instant next = reply.next();
    return new Got(reply.claims(), next != null && !next.isAfter(reply.now()));
  }

  /// What a claim got whose reply was lost; empty where there was none, or it got nothing.
  List<Claim> next(Set<Long> delivering) {
    Long leaseId = unanswered.poll();
    if (leaseId == null) {
      return List.of();
    }
    try {
      return backend.claimed(leaseId).stream()
          .filter(claim -> !delivering.contains(claim.lease().execution()))
          .toList();
    } catch (RuntimeException | Error e) {
      unanswered.add(leaseId);
      throw e;
    }
  }

  boolean anyUnanswered() {
    return !unanswered.isEmpty();
  }

  private void answered(ClaimReply reply, boolean takeOver) {
    if (isCutOff()) {
      leases.outageEnded();
    }
    failingSince = null;
    passedOver = !takeOver;
    Instant next = reply.next();
    nextDue = next;
    if (next != null) {
      Duration wait = Duration.between(reply.now(), next);
      nextDueNanos = System.nanoTime() + Math.max(LOOK_AGAIN, Clamped.nanos(wait));
    }
  }

  /// Whether claims have failed for as long as makes a renewal overdue: those whose leases passed
  /// meanwhile may only have been as cut off as we were.
  private boolean isCutOff() {
    Long since = failingSince;
    return since != null && System.nanoTime() - since > 2 * renewInterval;
  }

  /// Whether a look may find something, although nobody said so.
  boolean reasonToLook() {
    Instant due = nextDue;
    Instant now = backend.localTime().orElse(null);
    return now == null
        || (due != null && !due.isAfter(now))
        || (passedOver && leases.mayTakeOver())
        || backend.changedElsewhere();
  }

  /// How long to wait without a hint: the poll interval, less where the backend has said when
  /// something is due and can't be looked at in between; more after failures.
  long pause(int failures) {
    if (failures > 0) {
      return Math.max(poll, Math.min(poll << Math.min(failures, 6), LONGEST_AFTER_FAILURES));
    }
    if (nextDue == null || backend.localTime().isPresent()) {
      return poll;
    }
    return Math.min(poll, Math.max(LOOK_AGAIN, nextDueNanos - System.nanoTime()));
  }
}
