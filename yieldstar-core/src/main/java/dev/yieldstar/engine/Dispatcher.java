package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import dev.yieldstar.spi.Invoker;
import dev.yieldstar.spi.Signal.AbortReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The only component that delivers executions: claims what is due and registered here, as far as
/// slots are free, and sees each delivery through ([Dispatch]). Thread-safe.
final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final long LONGEST_PAUSE = Duration.ofDays(1).toNanos();

  /// The shortest pause before what is due, but could not be claimed, is looked at again.
  private static final long LOOK_AGAIN = Duration.ofMillis(10).toNanos();

  /*
   * The loop claims when there is a free slot and a reason to look: a hint, a freed slot while more is
   * known to be due, the next known due time, a change by another process, or the poll interval on a
   * backend that can't be looked at locally. Claims that are under way hold reservations, so that two
   * ticks that overlap never exceed the concurrency. While something is known to be due and waits for a
   * slot, starts reserve none: a freed slot goes to the claim. A claim whose reply got lost is looked up
   * by its lease id before the next one is made.
   */

  private final Backend backend;
  private final Committer committer;
  private final LeaseKeeper leases;
  private final EngineSettings settings;
  private final Set<String> workflows;
  private final Executor executor;
  private final Ids ids;
  private final BooleanSupplier healthy;
  private final Slots slots;
  private final DispatchTools tools;
  private final LogPeriod logPeriod = new LogPeriod();

  private final Queue<Long> unansweredClaims = new ConcurrentLinkedQueue<>();
  private final Map<Dispatch, Boolean> active = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private boolean hinted;
  private boolean knownDue;
  private boolean stopping;
  private @Nullable Thread loop;

  /// Something is due and waits for a slot.
  private volatile boolean backlog;

  private volatile @Nullable Instant nextDue;
  private volatile long nextDueNanos = System.nanoTime();
  private volatile boolean passedOver;
  private volatile @Nullable Long failingSince;

  Dispatcher(
      Backend backend,
      Invoker invoker,
      Committer committer,
      LeaseKeeper leases,
      EngineSettings settings,
      Set<String> workflows,
      BiConsumer<String, Terminal> emit,
      Executor executor,
      Ids ids,
      BooleanSupplier healthy) {
    this.backend = backend;
    this.committer = committer;
    this.leases = leases;
    this.settings = settings;
    this.workflows = Set.copyOf(workflows);
    this.executor = executor;
    this.ids = ids;
    this.healthy = healthy;
    this.slots = new Slots(settings.concurrency(), settings.maxParked());
    this.tools =
        new DispatchTools(
            invoker,
            committer,
            leases,
            slots,
            emit,
            this::slotFreed,
            Clamped.nanos(settings.abortGracePeriod()));
  }

  /// Begins to claim. Twice is once.
  void start() {
    lock.lock();
    try {
      if (loop != null) {
        return;
      }
      stopping = false;
      slots.stopping(false);
      loop =
          Thread.ofPlatform()
              .daemon(!settings.keepAlive())
              .name("yieldstar-dispatcher")
              .start(this::loop);
    } finally {
      lock.unlock();
    }
  }

  /// Tells the backend which definition versions are registered here: what was blocked under others
  /// goes on.
  void registered(Map<String, String> versions) {
    versions.forEach(
        (workflow, version) -> committer.submit(new Command.Registered(workflow, version)));
  }

  /// How many deliveries have begun and not ended.
  int activeDeliveries() {
    return slots.active();
  }

  /// Claims what is due, as far as slots are free, and starts to deliver it; how many. Does not
  /// wait for the deliveries.
  int tick() {
    int reserved = isStopping() ? 0 : slots.reserveAll();
    return reserved == 0 ? 0 : claimAndDeliver(reserved);
  }

  private int claimAndDeliver(int reserved) {
    int started = 0;
    try {
      List<Claim> claims = claim(reserved);
      var journals = isStopping() ? Journals.empty() : Journals.of(backend, claims);
      for (Claim claim : claims) {
        if (isStopping() || started == reserved) {
          handOver(claim);
        } else {
          slots.take();
          started++;
          deliver(claim, journals);
        }
      }
      return started;
    } finally {
      slots.cancel(reserved - started);
      wake(false);
    }
  }

  private List<Claim> claim(int limit) {
    Long unanswered = unansweredClaims.poll();
    if (unanswered != null) {
      List<Claim> found = claimedBefore(unanswered);
      if (!found.isEmpty()) {
        return found;
      }
    }
    ClaimRequest request = request(limit);
    ClaimReply reply;
    try {
      reply = backend.claim(request);
    } catch (RuntimeException | Error e) {
      unansweredClaims.add(request.leaseId());
      failingSince = Objects.requireNonNullElse(failingSince, System.nanoTime());
      throw e;
    }
    answered(request, reply);
    return reply.claims();
  }

  private ClaimRequest request(int limit) {
    return new ClaimRequest(
        workflows,
        limit,
        ids.lease(),
        settings.leaseDuration(),
        delivering(),
        leases.mayTakeOver() && !isCutOff(),
        !deliversSuspect());
  }

  /// Whether claims have failed for as long as makes a renewal overdue: those whose leases passed
  /// meanwhile may only have been as cut off as we were.
  private boolean isCutOff() {
    Long since = failingSince;
    return since != null && System.nanoTime() - since > 2 * Clamped.nanos(settings.renewInterval());
  }

  private void answered(ClaimRequest request, ClaimReply reply) {
    if (isCutOff()) {
      leases.outageEnded();
    }
    failingSince = null;
    Instant next = reply.next();
    nextDue = next;
    if (next != null) {
      Duration wait = Duration.between(reply.now(), next);
      nextDueNanos = System.nanoTime() + Math.max(LOOK_AGAIN, Clamped.nanos(wait));
    }
    passedOver = !request.takeOver();
    backlog = next != null && !next.isAfter(reply.now());
  }

  /// What a claim got whose reply was lost.
  private List<Claim> claimedBefore(long leaseId) {
    try {
      Set<Long> delivering = delivering();
      return backend.claimed(leaseId).stream()
          .filter(claim -> !delivering.contains(claim.lease().execution()))
          .toList();
    } catch (RuntimeException | Error e) {
      unansweredClaims.add(leaseId);
      throw e;
    }
  }

  private Set<Long> delivering() {
    return active.keySet().stream()
        .map(dispatch -> dispatch.lease().execution())
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean deliversSuspect() {
    return active.keySet().stream().anyMatch(Dispatch::isSuspect);
  }

  /// Reserves a slot for a start, so that it may be born leased: where one is free, nothing that is
  /// due waits for it, and claims are allowed.
  boolean reserveForStart(String workflow) {
    return isRunning()
        && !backlog
        && workflows.contains(workflow)
        && mayClaim()
        && slots.reserveOne();
  }

  /// The reservation of a start that was not born leased here.
  void cancelReservation() {
    slots.cancel(1);
    slotFreed();
  }

  /// Delivers what was born leased under a reservation.
  void deliverBorn(Claim claim) {
    if (isStopping()) {
      handOver(claim);
      slots.cancel(1);
    } else {
      slots.take();
      deliver(claim, Journals.empty());
    }
  }

  private void deliver(Claim claim, Journals journals) {
    var dispatch = new Dispatch(tools, claim, journals);
    active.put(dispatch, true);
    dispatch.hold();
    try {
      executor.execute(
          () -> {
            try {
              dispatch.run();
            } finally {
              ended(dispatch);
            }
          });
    } catch (RejectedExecutionException e) { // the engine was closed meanwhile
      dispatch.letGo();
      ended(dispatch);
      handOver(claim);
    }
  }

  private void ended(Dispatch dispatch) {
    active.remove(dispatch);
    dispatch.free();
    if (dispatch.hasEnded() && !dispatch.isSuspect()) {
      slotFreed();
    } else {
      hint(false); // a claim that was made meanwhile has passed it, or another suspect, over
    }
  }

  private void handOver(Claim claim) {
    committer
        .submit(new Command.Release(claim.lease(), new Command.ReleaseReason.HandedOver()))
        .exceptionally(
            failure -> {
              LOG.warn("A lease could not be handed over at the stop; it will pass", failure);
              return null;
            });
  }

  /// Something may be due.
  ///
  /// @param certain something is: where no slot is free, the next one that frees up is for it
  void hint(boolean certain) {
    lock.lock();
    try {
      hinted = true;
      knownDue |= certain;
      if (knownDue && !slots.anyFree()) {
        backlog = true;
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// A slot is free: what is due and waits for one goes at once.
  private void slotFreed() {
    wake(backlog);
  }

  private void wake(boolean hint) {
    lock.lock();
    try {
      hinted |= hint;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for all deliveries that have been started, and for what is being claimed.
  ///
  /// @return false if the time ran out before
  boolean drain(Duration limit) throws InterruptedException {
    return slots.awaitIdle(Clamped.nanos(limit));
  }

  /// Stops claiming, hands over what a claim in flight returns, suspends what waits in place, and
  /// drains; after the shutdown timeout aborts what still runs, and hands over what has stopped
  /// within the grace period. The rest is left to its lease. Idempotent; takes no longer than the
  /// timeout, the grace period and two seconds.
  void stop() {
    Thread ending;
    lock.lock();
    try {
      stopping = true;
      slots.stopping(true);
      ending = loop;
      loop = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    active.keySet().forEach(dispatch -> dispatch.signal().suspend());
    boolean interrupted = Thread.interrupted();
    try {
      if (interrupted || !drain(settings.shutdownTimeout())) {
        abort();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      abort();
    }
    if (ending != null) {
      Bounded.join(ending, ONE_SECOND);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void abort() {
    active.keySet().forEach(dispatch -> dispatch.signal().abort(AbortReason.SHUTDOWN));
    Duration limit = settings.abortGracePeriod().plus(ONE_SECOND);
    if (!Bounded.await(left -> slots.awaitIdle(left), limit)) {
      LOG.warn(
          "{} deliveries, or a claim, have not come to an end at the stop; their leases will pass",
          slots.active());
    }
  }

  private void loop() {
    int failures = 0;
    boolean again = true;
    while (isLooping()) {
      try {
        if (!awaitReason(again, failures)) {
          continue;
        }
        boolean allowed = mayClaim();
        again = !allowed || look();
        failures = allowed ? 0 : 1; // where it is not, it asks again after a pause
      } catch (Throwable e) { // nothing else would claim
        failures++;
        again = true;
        logPeriod.log(
            suppressed ->
                LOG.error(
                    "Due executions could not be claimed; tried again ({} such failures not logged)",
                    suppressed,
                    e));
      }
    }
    handOverUnanswered();
  }

  /// Claims and delivers, where a slot is free; whether to do so again at once.
  private boolean look() {
    int reserved = slots.reserveAll();
    if (reserved == 0) {
      hint(true); // a start has taken the slot since
      return false;
    }
    return claimAndDeliver(reserved) > 0;
  }

  /// At the stop, what was leased by claims whose replies got lost.
  private void handOverUnanswered() {
    try {
      for (Long id = unansweredClaims.poll(); id != null; id = unansweredClaims.poll()) {
        claimedBefore(id).forEach(this::handOver);
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("What the last claims got can't be read at the stop; their leases will pass", e);
    }
  }

  private boolean mayClaim() {
    return !leases.overdue() && healthy.getAsBoolean();
  }

  /// Waits until a slot is free and there is a reason to look: `again`, a hint, or what a look from
  /// time to time finds. After failures it waits a while in any case.
  ///
  /// @return false when the dispatcher has been stopped
  private boolean awaitReason(boolean again, int failures) {
    while (isLooping()) {
      boolean paused = awaitHint(again && failures == 0, failures == 0, pause(failures));
      if (!paused || failures > 0 || reasonToLook()) {
        if (slots.anyFree()) {
          return isLooping();
        }
        hint(true);
      }
    }
    return false;
  }

  /// How long it waits without a hint: the poll interval, less where the backend has said when
  /// something is due and can't be looked at in between; more after failures.
  private long pause(int failures) {
    long poll = Math.min(Clamped.nanos(settings.pollInterval()), LONGEST_PAUSE);
    if (failures > 0) {
      return Math.max(poll, Math.min(poll << Math.min(failures, 6), ONE_SECOND.toNanos()));
    }
    if (nextDue == null || backend.localTime().isPresent()) {
      return poll;
    }
    return Math.min(poll, Math.max(LOOK_AGAIN, nextDueNanos - System.nanoTime()));
  }

  /// Waits for a hint and a free slot, at most so long.
  ///
  /// @param atOnce whether a free slot is reason enough
  /// @return whether the time ran out
  private boolean awaitHint(boolean atOnce, boolean hintCounts, long pause) {
    lock.lock();
    try {
      long left = pause;
      while (loop == Thread.currentThread() && left > 0) {
        if (((hinted && hintCounts) || atOnce) && slots.anyFree()) {
          hinted = false;
          knownDue = false;
          return false;
        }
        backlog |= hinted && knownDue;
        left = changed.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      LOG.error("The dispatcher's thread was interrupted by foreign code; it goes on");
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean reasonToLook() {
    Instant due = nextDue;
    Instant now = backend.localTime().orElse(null);
    return now == null
        || (due != null && !due.isAfter(now))
        || (passedOver && leases.mayTakeOver())
        || backend.changedElsewhere();
  }

  /// Whether this thread is the one that claims.
  private boolean isLooping() {
    lock.lock();
    try {
      return loop == Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  private boolean isRunning() {
    lock.lock();
    try {
      return loop != null;
    } finally {
      lock.unlock();
    }
  }

  boolean isStopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }
}
