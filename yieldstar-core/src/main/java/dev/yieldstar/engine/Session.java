package dev.yieldstar.engine;

import dev.yieldstar.CancellationRequested;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One pass of a workflow function: what it has met, how it records, waits and is left. Used by the
/// thread that runs the function; what others tell it arrives through [Interrupts].
final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /// So often operations throw again what the function is left with.
  private static final int MOST_SWALLOWED = 1_000;

  private static final long INSIDE_A_STEP = 0;

  private final Delivery delivery;
  private final Committer committer;
  private final Chain chain = new Chain();
  private final BackendTime time;
  private final EngineSettings settings;
  private final @Nullable String version;
  private final History history;
  private final Interrupts interrupts;
  private final Thread owner = Thread.currentThread();
  private final Set<String> used = new HashSet<>();
  private final Consumer<DeliveryEnd> givenUp;
  private @Nullable Unwind unwinding;
  private int swallowed;
  private volatile @Nullable String inside;
  private volatile int attempt;
  private volatile long betweenStepsSince = System.nanoTime();
  private volatile boolean toldOfPace;

  /// @param givenUp told how the delivery ends where the function can't be made to end
  Session(
      Delivery delivery,
      Committer committer,
      EngineSettings settings,
      @Nullable String version,
      Interrupts interrupts,
      Consumer<DeliveryEnd> givenUp) {
    this.delivery = delivery;
    this.committer = committer;
    this.time = BackendTime.at(delivery.claimedAt());
    this.settings = settings;
    this.version = version;
    this.history = new History(delivery.journal());
    this.interrupts = interrupts;
    this.givenUp = givenUp;
  }

  // --- entering operations

  /// Begins an operation: throws again what the function is being left with, and refuses foreign
  /// threads, nested operations and keys that were used before.
  void enter(String stored) {
    checkThread(stored);
    if (unwinding != null) {
      if (++swallowed > MOST_SWALLOWED) {
        giveUp(unwinding);
      }
      throw Sneaky.raise(unwinding);
    }
    if (interrupts.aborted()) {
      throw leave(new DeliveryEnd.Stopped(), stored);
    }
    if (!used.add(stored)) {
      throw new YieldstarException(
          "DUPLICATE_STEP_KEY",
          "Step key '%s' was used before in this pass of %s. A key stands for one step: choose another, or in a loop or helper give each turn a scope: step.scope(\"item-\" + i)."
              .formatted(Keys.shown(stored), owner()));
    }
    betweenStepsSince = INSIDE_A_STEP;
  }

  /// An operation that was entered is over, however it ended.
  void exit() {
    toldOfPace = false;
    betweenStepsSince = System.nanoTime();
  }

  private void checkThread(String stored) {
    if (Thread.currentThread() != owner) {
      throw new YieldstarException(
          "STEP_FOREIGN_THREAD",
          "Step '%s' of %s was called from thread '%s'. Operations belong to the thread that runs the workflow; a result from elsewhere would not be recorded."
              .formatted(Keys.shown(stored), owner(), Thread.currentThread().getName()));
    }
    if (inside != null) {
      throw new YieldstarException(
          "STEP_NESTED",
          "Step '%s' of %s was called inside the body of step '%s'. A body does one thing and records nothing itself: call one after the other."
              .formatted(Keys.shown(stored), owner(), Keys.shown(inside)));
    }
  }

  /// The last record of a step of this kind, null where there is none.
  ///
  /// @throws Unwind by way of [#block] if the key was recorded by another kind of step
  @Nullable StepRecord recorded(String stored, StepKind kind) {
    StepRecord record = history.meet(stored);
    if (record != null && record.kind() != kind) {
      throw block(
          stored,
          "STEP_KIND_MISMATCH",
          "Step '%s' is recorded as %s, and the code now asks for %s."
              .formatted(Keys.shown(stored), shown(record.kind()), shown(kind)));
    }
    return record;
  }

  static String shown(StepKind kind) {
    return kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }

  /// Before something new is done: a cancellation ends the function here.
  void beforeNewStep(String stored) {
    String reason = interrupts.cancelReason();
    if (reason != null) {
      throw cancellation(stored, reason);
    }
  }

  private CancellationRequested cancellation(String stored, String reason) {
    return new CancellationRequested(
        "%s is being cancelled (%s); step '%s' is not begun."
            .formatted(owner(), reason, Keys.shown(stored)));
  }

  // --- recording

  /// Records an attempt, and returns what is recorded once that is committed.
  StepRecord record(
      String stored, int attempt, StepKind kind, String type, StepEntry entry, Instant startedAt) {
    var command =
        new Command.RecordStep(
            delivery.lease(),
            stored,
            attempt,
            history.takePosition(),
            kind,
            type,
            entry,
            startedAt,
            false);
    Reply reply = await(committer.submit(command, chain), stored);
    return switch (reply) {
      case Reply.Recorded(var record, var asSent) -> {
        if (!asSent) {
          throw leave(new DeliveryEnd.Release(new Command.ReleaseReason.Failed()), stored);
        }
        history.add(record);
        yield record;
      }
      case Reply.Lost ignored ->
          throw leave(new DeliveryEnd.Release(new Command.ReleaseReason.Failed()), stored);
      case Reply.CancelledBefore(var reason) -> {
        interrupts.cancelled(reason);
        throw cancellation(stored, reason);
      }
      case Reply other -> throw new IllegalStateException("a record was answered with " + other);
    };
  }

  private Reply await(CompletableFuture<Reply> reply, String stored) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return reply.get();
        } catch (InterruptedException e) {
          interrupted = true;
          if (interrupts.aborted()) {
            throw leave(new DeliveryEnd.Stopped(), stored);
          }
        } catch (ExecutionException e) {
          throw leave(new DeliveryEnd.Release(reasonFor(e.getCause())), stored);
        }
      }
    } finally {
      if (interrupted && !interrupts.aborted()) {
        Thread.currentThread().interrupt(); // foreign code set it; it is theirs
      }
    }
  }

  private static Command.ReleaseReason reasonFor(@Nullable Throwable failure) {
    boolean data =
        failure instanceof BackendException backend
            && backend.fault() == BackendException.Fault.DATA;
    return data ? new Command.ReleaseReason.Failed() : new Command.ReleaseReason.Backend();
  }

  // --- waiting

  /// Returns once `until` has come by the backend's time: in place where that is soon, otherwise by
  /// leaving the function, suspended.
  void waitUntil(String stored, Instant until) {
    Duration left = time.until(until);
    if (!left.isPositive()) {
      return;
    }
    beforeNewStep(stored);
    if (left.compareTo(settings.linger()) <= 0 && delivery.slots().park()) {
      boolean over = interrupts.pause(time, until);
      boolean hasSlot = delivery.slots().unpark();
      if (interrupts.aborted()) {
        throw leave(new DeliveryEnd.Stopped(), stored);
      }
      if (hasSlot && over) {
        return;
      }
      if (hasSlot) {
        beforeNewStep(stored);
      }
    }
    throw leave(
        new DeliveryEnd.Acknowledge(
            new Command.Acknowledgement.Suspended(
                new Due.At(until), delivery.state().live().wakes(), Keys.shown(stored), List.of())),
        stored);
  }

  Instant now() {
    return time.now();
  }

  // --- leaving

  /// Remembers how the function is left; the result is to be thrown. Only the first counts.
  RuntimeException leave(DeliveryEnd end, String stored) {
    if (unwinding == null) {
      unwinding = new Unwind(end, Keys.shown(stored));
    }
    throw Sneaky.raise(unwinding);
  }

  /// The function catches how it is left in a loop that has no end: what it would return is
  /// discarded anyway, so the delivery ends without it, and its thread waits for ever instead of
  /// spinning.
  private void giveUp(Unwind left) {
    LOG.error(
        "The workflow of {} catches how it is left at step '{}' again and again; its thread is given up. A loop that catches Throwable should let what is no Exception pass.",
        owner(),
        left.at());
    givenUp.accept(left.end());
    while (true) {
      LockSupport.park();
      Thread.interrupted(); // or it would not wait
    }
  }

  /// Leaves the function since it can't go on with what is recorded.
  RuntimeException block(String stored, String code, String what) {
    var attention =
        new Attention(
            code,
            what
                + " The execution is not failed: deploy code that fits what is recorded, or restore the old one; it is tried again then, every ten minutes, and when resumed.",
            version);
    return leave(new DeliveryEnd.Release(new Command.ReleaseReason.Blocked(attention)), stored);
  }

  @Nullable Unwind unwinding() {
    return unwinding;
  }

  // --- bodies

  /// Runs foreign code of a step: what interrupts the thread meanwhile is meant for it.
  <T extends @Nullable Object> T inside(String stored, int number, Callable<T> body)
      throws Exception {
    attempt = number;
    inside = stored;
    interrupts.enterBody();
    try {
      return body.call();
    } finally {
      interrupts.leaveBody();
      inside = null;
    }
  }

  /// After a body: what it came to is not recorded once the delivery was told to stop.
  void afterBody(String stored) {
    if (interrupts.aborted()) {
      throw leave(new DeliveryEnd.Stopped(), stored);
    }
    beforeNewStep(stored);
  }

  History history() {
    return history;
  }

  Delivery delivery() {
    return delivery;
  }

  /// The step whose body runs now, if one does. May be asked from any thread.
  @Nullable String runningStep() {
    return inside;
  }

  /// The attempt that the step whose body runs is at.
  int runningAttempt() {
    return attempt;
  }

  /// Whether the function has been between two steps for longer than this; yes only once each time.
  /// For one thread that watches.
  boolean tookLongerBetweenSteps(Duration limit) {
    long since = betweenStepsSince;
    if (since == INSIDE_A_STEP || toldOfPace || System.nanoTime() - since < limit.toNanos()) {
      return false;
    }
    toldOfPace = true;
    return true;
  }

  /// Where the function is. May be asked from any thread.
  StackTraceElement[] stack() {
    return owner.getStackTrace();
  }

  String owner() {
    return "execution '" + delivery.executionId() + "'";
  }
}
