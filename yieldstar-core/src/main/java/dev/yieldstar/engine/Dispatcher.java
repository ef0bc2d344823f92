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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
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

  /*
   * The loop claims when there is a free slot and a reason to look: a hint, a freed slot while more is
   * known to be due, the next known due time, a change by another process, or the poll interval on a
   * backend that can't be looked at locally. Claims that are under way hold reservations, so that two
   * ticks that overlap never exceed the concurrency. A claim whose reply got lost is looked up by its
   * lease id before the next one is made.
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
  private boolean hinted;
  private boolean running;
  private boolean stopping;
  private @Nullable Thread loop;
  private volatile boolean backlog;
  private volatile @Nullable Instant nextDue;

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
            settings.abortGracePeriod().toNanos());
  }

  /// Begins to claim. Twice is once.
  void start() {
    lock.lock();
    try {
      if (running) {
        return;
      }
      running = true;
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
    int reserved = slots.reserveAll();
    if (reserved == 0) {
      return 0;
    }
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
      return claims.size();
    } finally {
      slots.cancel(reserved - started);
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
    var request =
        new ClaimRequest(
            workflows,
            limit,
            ids.lease(),
            settings.leaseDuration(),
            delivering(),
            leases.mayTakeOver(),
            !deliversSuspect());
    try {
      ClaimReply reply = backend.claim(request);
      nextDue = reply.next();
      backlog = reply.next() != null && !reply.next().isAfter(reply.now());
      return reply.claims();
    } catch (RuntimeException e) {
      unansweredClaims.add(request.leaseId());
      throw e;
    }
  }

  /// What a claim got whose reply was lost.
  private List<Claim> claimedBefore(long leaseId) {
    try {
      Set<Long> delivering = delivering();
      return backend.claimed(leaseId).stream()
          .filter(claim -> !delivering.contains(claim.lease().execution()))
          .toList();
    } catch (RuntimeException e) {
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
    executor.execute(
        () -> {
          try {
            dispatch.run();
          } finally {
            ended(dispatch);
          }
        });
  }

  private void ended(Dispatch dispatch) {
    active.remove(dispatch);
    dispatch.free();
    if (dispatch.hasEnded()) {
      slotFreed();
    } else {
      hint(); // a claim that was made meanwhile has passed it over
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
  void hint() {
    lock.lock();
    try {
      hinted = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// A slot is free: what is due and waits for one goes at once.
  private void slotFreed() {
    lock.lock();
    try {
      hinted |= backlog;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for all deliveries that have been started, and for what is being claimed.
  ///
  /// @return false if the time ran out before
  boolean drain(Duration limit) throws InterruptedException {
    return slots.awaitIdle(limit.toNanos());
  }

  /// Stops claiming, hands over what a claim in flight returns, suspends what waits in place, and
  /// drains; after the shutdown timeout aborts what still runs, and hands over what has stopped
  /// within the grace period. The rest is left to its lease. Idempotent.
  void stop() {
    Thread ending;
    lock.lock();
    try {
      stopping = true;
      running = false;
      slots.stopping(true);
      ending = loop;
      loop = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      if (ending != null) {
        ending.join(settings.shutdownTimeout().plus(settings.leaseDuration()));
      }
      active.keySet().forEach(dispatch -> dispatch.signal().suspend());
      if (drain(settings.shutdownTimeout())) {
        return;
      }
      active.keySet().forEach(dispatch -> dispatch.signal().abort(AbortReason.SHUTDOWN));
      drain(settings.abortGracePeriod().plusSeconds(1));
    } catch (InterruptedException e) {
      active.keySet().forEach(dispatch -> dispatch.signal().abort(AbortReason.SHUTDOWN));
      Thread.currentThread().interrupt();
    }
  }

  private void loop() {
    int failures = 0;
    boolean again = true;
    while (awaitReason(again, failures)) {
      if (!mayClaim()) {
        failures = 1; // looked at again after a pause
        again = true;
        continue;
      }
      try {
        again = tick() > 0 || backlog;
        failures = 0;
      } catch (RuntimeException e) {
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
  }

  private boolean mayClaim() {
    return !leases.overdue() && healthy.getAsBoolean();
  }

  /// Waits until a slot is free and there is a reason to look: `again`, a hint, or what a look from
  /// time to time finds. After failures it waits a while in any case.
  ///
  /// @return false when the dispatcher has been stopped
  private boolean awaitReason(boolean again, int failures) {
    long pause = settings.pollInterval().toNanos() << Math.min(failures, 6);
    while (isRunning()) {
      boolean paused = awaitHint(again && failures == 0, failures == 0, pause);
      if (slots.anyFree() && (!paused || failures > 0 || reasonToLook())) {
        return isRunning();
      }
    }
    return false;
  }

  /// Waits for a hint and a free slot, at most so long.
  ///
  /// @param atOnce whether a free slot is reason enough
  /// @return whether the time ran out
  private boolean awaitHint(boolean atOnce, boolean hintCounts, long pause) {
    lock.lock();
    try {
      long left = pause;
      while (running && left > 0) {
        if (((hinted && hintCounts) || atOnce) && slots.anyFree()) {
          hinted = false;
          return false;
        }
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
    return now == null || (due != null && !due.isAfter(now)) || backend.changedElsewhere();
  }

  private boolean isRunning() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }
}
