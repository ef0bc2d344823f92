package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.Invoker;
import dev.yieldstar.spi.Signal.AbortReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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

  /*
   * The loop claims when there is a free slot and a reason to look: a hint, a freed slot while more is
   * known to be due, the next known due time, a change by another process, or the poll interval on a
   * backend that can't be looked at locally. Claims that are under way hold reservations, so that two
   * ticks that overlap never exceed the concurrency. While something is known to be due and waits for a
   * slot, starts reserve none: a freed slot goes to the claim.
   */

  private final Backend backend;
  private final Committer committer;
  private final LeaseKeeper leases;
  private final EngineSettings settings;
  private final Set<String> workflows;
  private final Executor executor;
  private final BooleanSupplier healthy;
  private final Slots slots;
  private final Hints hints;
  private final Claims claims;
  private final DispatchTools tools;
  private final LogPeriod logPeriod = new LogPeriod();
  private final Map<Dispatch, Boolean> active = new ConcurrentHashMap<>();

  /// Guards what `start` and `stop` change.
  private final ReentrantLock lock = new ReentrantLock();

  private volatile boolean stopping;
  private volatile @Nullable Thread loop;

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
    this.healthy = healthy;
    this.slots = new Slots(settings.concurrency(), settings.maxParked());
    this.hints = new Hints(slots);
    this.claims = new Claims(backend, leases, ids, this.workflows, settings);
    this.tools =
        new DispatchTools(
            invoker,
            committer,
            leases,
            slots,
            emit,
            hints::slotFreed,
            Clamped.nanos(settings.abortGracePeriod()));
  }

  // --- life

  /// Begins to claim. Twice is once.
  void start() {
    lock.lock();
    try {
      if (loop != null) {
        return;
      }
      stopping = false;
      slots.stopping(false);
      Thread thread =
          Thread.ofPlatform()
              .daemon(!settings.keepAlive())
              .name("yieldstar-dispatcher")
              .unstarted(this::loop);
      loop = thread;
      thread.start();
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

  /// Stops claiming, hands over what a claim in flight returns, suspends what waits in place, and
  /// drains; after the shutdown timeout aborts what still runs, and hands over what has stopped
  /// within the grace period. The rest is left to its lease. Idempotent; takes no longer than the
  /// timeout, the grace period and two seconds.
  void stop() {
    Thread ending = endLoop();
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

  private @Nullable Thread endLoop() {
    lock.lock();
    try {
      stopping = true;
      slots.stopping(true);
      Thread ending = loop;
      loop = null;
      hints.wake();
      return ending;
    } finally {
      lock.unlock();
    }
  }

  private void abort() {
    active.keySet().forEach(dispatch -> dispatch.signal().abort(AbortReason.SHUTDOWN));
    Duration limit = settings.abortGracePeriod().plus(ONE_SECOND);
    if (!Bounded.await(slots::awaitIdle, limit)) {
      LOG.warn(
          "{} deliveries, or a claim, have not come to an end at the stop; their leases will pass",
          slots.active());
    }
  }

  boolean isStopping() {
    return stopping;
  }

  /// How many deliveries have begun and not ended.
  int activeDeliveries() {
    return slots.active();
  }

  /// Waits for all deliveries that have been started, and for what is being claimed.
  ///
  /// @return false if the time ran out before
  boolean drain(Duration limit) throws InterruptedException {
    return slots.awaitIdle(Clamped.nanos(limit));
  }

  /// Something may be due.
  ///
  /// @param certain something is: where no slot is free, the next one that frees up is for it
  void hint(boolean certain) {
    hints.give(certain);
  }

  // --- the loop

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

  /// Whether this thread is the one that claims.
  private boolean isLooping() {
    return loop == Thread.currentThread();
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
      boolean paused =
          hints.await(
              again && failures == 0, failures == 0, claims.pause(failures), this::isLooping);
      if (!paused || failures > 0 || claims.reasonToLook()) {
        if (slots.anyFree()) {
          return isLooping();
        }
        hints.give(true);
      }
    }
    return false;
  }

  /// Claims and delivers, where a slot is free; whether to do so again at once.
  private boolean look() {
    int reserved = slots.reserveAll();
    if (reserved == 0) {
      hints.give(true); // a start has taken the slot since
      return false;
    }
    return claimAndDeliver(reserved) > 0;
  }

  /// At the stop, what was leased by claims whose replies got lost.
  private void handOverUnanswered() {
    try {
      while (claims.anyUnanswered()) {
        claims.next(delivering()).forEach(this::handOver);
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("What the last claims got can't be read at the stop; their leases will pass", e);
    }
  }

  // --- claims

  /// Claims what is due, as far as slots are free, and starts to deliver it; how many. Does not
  /// wait for the deliveries.
  int tick() {
    int reserved = stopping ? 0 : slots.reserveAll();
    return reserved == 0 ? 0 : claimAndDeliver(reserved);
  }

  private int claimAndDeliver(int reserved) {
    int started = 0;
    try {
      Claims.Got got = claims.claim(reserved, delivering(), !deliversSuspect());
      hints.backlog(got.backlog());
      List<Claim> claimed = got.claims();
      Journals journals =
          claimed.isEmpty() || stopping ? Journals.empty() : Journals.of(backend, claimed);
      for (Claim claim : claimed) {
        if (stopping || started == reserved) {
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
      hints.reservationsFreed();
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

  // --- starts

  /// Reserves a slot for a start, so that it may be born leased: where one is free, nothing that is
  /// due waits for it, and claims are allowed.
  boolean reserveForStart(String workflow) {
    return loop != null
        && !hints.backlog()
        && workflows.contains(workflow)
        && mayClaim()
        && slots.reserveOne();
  }

  /// The reservation of a start that was not born leased here.
  void cancelReservation() {
    slots.cancel(1);
    hints.slotFreed();
  }

  /// Delivers what was born leased under a reservation.
  void deliverBorn(Claim claim) {
    if (stopping) {
      handOver(claim);
      slots.cancel(1);
    } else {
      slots.take();
      deliver(claim, Journals.empty());
    }
  }

  // --- deliveries

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
      hints.slotFreed();
    } else {
      hints.give(false); // a claim that was made meanwhile has passed it, or a suspect, over
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
}
