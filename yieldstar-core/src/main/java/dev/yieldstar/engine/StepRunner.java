package dev.yieldstar.engine;

import dev.yieldstar.Attempt;
import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.Retry;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.codec.ValueRefused;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the bodies of steps: answers from the journal, tries, records, tries again.
final class StepRunner {
  private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);

  private final Session session;
  private final Values values;
  private final Ids ids;

  StepRunner(Session session, Values values, Ids ids) {
    this.session = session;
    this.values = values;
    this.ids = ids;
  }

  /// A poll was not told yes, and asks again: no failure, so no error is recorded.
  static final class NotYet extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotYet() {
      super("not yet", null, false, false);
    }
  }

  /// The body of a step.
  interface Body {
    @Nullable Object run(Attempt attempt) throws Exception;
  }

  /// What a step is, apart from its body.
  ///
  /// @param stored its key as it is stored
  record Step(String stored, StepKind kind, ResultType type, Retry retry) {}

  /// The recorded value of the step, once there is one.
  @Nullable Object run(Step step, Body body) {
    session.enter(step.stored());
    try {
      return answer(step, untilFinal(step, body));
    } finally {
      session.exit();
    }
  }

  private StepRecord untilFinal(Step step, Body body) {
    StepRecord last = session.recorded(step.stored(), step.kind());
    while (last == null || !last.result().isFinal()) {
      if (last != null && last.result() instanceof StepResult.Retry(var ignored, var due)) {
        session.waitUntil(step.stored(), due);
      }
      session.beforeNewStep(step.stored());
      last = attempt(step, last == null ? 1 : last.attempt() + 1, body);
    }
    return last;
  }

  /// What a finished step returns or throws.
  private @Nullable Object answer(Step step, StepRecord record) {
    return switch (record.result()) {
      case StepResult.Value(var value) -> decode(step, record, value);
      case StepResult.Error(var error) -> throw Sneaky.raise(decodeError(step, error));
      case StepResult.Refused(var code, var message) -> throw new YieldstarException(code, message);
      case StepResult.Retry ignored -> throw unexpected(record);
      case StepResult.Wait ignored -> throw unexpected(record);
      case StepResult.Started ignored -> throw unexpected(record);
    };
  }

  private static IllegalStateException unexpected(StepRecord record) {
    return new IllegalStateException(
        "step '" + record.key() + "' is recorded as " + record.result());
  }

  private @Nullable Object decode(Step step, StepRecord record, Payload value) {
    Type type = step.type().type() == null ? Void.class : step.type().type();
    try {
      return values.decode(value, type);
    } catch (ValueRefused e) {
      throw session.block(
          step.stored(),
          e.code(),
          "Step '%s' has a recorded value (declared as %s) that the code now reads as %s, and it is none: %s"
              .formatted(
                  Keys.shown(step.stored()),
                  record.type().isEmpty() ? "nothing" : record.type(),
                  type.getTypeName(),
                  e.getMessage()));
    } catch (RuntimeException e) {
      throw codecFailed(step, e);
    }
  }

  private Throwable decodeError(Step step, Payload error) {
    try {
      return values.decodeError(error);
    } catch (ValueRefused e) {
      throw session.block(
          step.stored(),
          e.code(),
          "Step '%s' has a recorded error that can't be read: %s"
              .formatted(Keys.shown(step.stored()), e.getMessage()));
    } catch (RuntimeException e) {
      throw codecFailed(step, e);
    }
  }

  private StepRecord attempt(Step step, int number, Body body) {
    Instant startedAt = session.now();
    StepEntry entry;
    try {
      Object value =
          session.inside(step.stored(), number, () -> body.run(attemptOf(step.stored(), number)));
      session.afterBody(step.stored());
      entry = encoded(step, value);
    } catch (Throwable e) {
      rethrowWhatIsNoFailure(step, e);
      session.afterBody(step.stored());
      entry = afterFailure(step, number, e, startedAt);
    }
    return session.record(step.stored(), number, step.kind(), step.type().name(), entry, startedAt);
  }

  private Attempt attemptOf(String stored, int number) {
    return new CurrentAttempt(session.delivery(), stored, number);
  }

  /// Most bodies ask for none of it: the key is only made for those that do.
  private record CurrentAttempt(Delivery delivery, String stored, int number) implements Attempt {
    @Override
    public String idempotencyKey() {
      return IdempotencyKeys.of(delivery, stored);
    }

    @Override
    public long token() {
      return delivery.lease().token();
    }
  }

  /// The value, or the error that it can't be recorded: either way the body has run.
  private StepEntry encoded(Step step, @Nullable Object value) {
    try {
      return new StepEntry.Value(encode(step, value));
    } catch (InvalidStepValue e) {
      return new StepEntry.Error(values.encodeError(e));
    } catch (RuntimeException e) {
      throw codecFailed(step, e);
    }
  }

  private Payload encode(Step step, @Nullable Object value) {
    String key = Keys.shown(step.stored());
    Supplier<String> owner = () -> "Step '" + key + "' of " + session.owner();
    if (step.type().type() != null) {
      return values.encode(owner, key, value, step.type().type());
    }
    if (value != null) {
      throw new InvalidStepValue(
          "INVALID_STEP_VALUE",
          key,
          "%s returned a %s, but the call doesn't say its type (a type variable, a wildcard or Object). %s"
              .formatted(owner.get(), value.getClass().getName(), ResultType.SAY_IT),
          null);
    }
    return values.encode(owner, key, null, Void.class);
  }

  /// A codec of the application's own that fails is no failure of the step: it may be a key service
  /// that is down.
  private RuntimeException codecFailed(Step step, Throwable failure) {
    LOG.error(
        "The codec failed at step '{}' of {}; the delivery ends without an outcome and is tried again",
        Keys.shown(step.stored()),
        session.owner(),
        failure);
    return session.leave(
        new DeliveryEnd.Release(new Command.ReleaseReason.Failed()), step.stored());
  }

  /// Lets through what leaves the function, and ends the delivery for errors that say something
  /// about this process and nothing about the step.
  void rethrowWhatIsNoFailure(Step step, Throwable error) {
    if (session.unwinding() != null) {
      throw Sneaky.raise(session.unwinding());
    }
    if (error instanceof Unwind) {
      throw Sneaky.raise(error);
    }
    if (isOfThisProcess(error)) {
      LOG.error(
          "Step '{}' of {} met an error of this process; the delivery ends without an outcome",
          Keys.shown(step.stored()),
          session.owner(),
          error);
      throw session.leave(
          new DeliveryEnd.Release(new Command.ReleaseReason.Failed()), step.stored());
    }
  }

  static boolean isOfThisProcess(Throwable error) {
    return (error instanceof VirtualMachineError && !(error instanceof StackOverflowError))
        || error instanceof LinkageError;
  }

  private StepEntry afterFailure(Step step, int attempt, Throwable error, Instant startedAt) {
    StepRecord first = session.history().first(step.stored());
    var retries = new Retries(step.retry(), first == null ? startedAt : first.startedAt());
    Optional<Duration> pause = pauseAfter(step, retries, attempt, error);
    if (pause.isPresent() && error instanceof NotYet) {
      return new StepEntry.Retry(null, new Due.After(pause.get()));
    }
    try {
      return pause
          .<StepEntry>map(time -> retried(step, attempt, error, time))
          .orElseGet(() -> failed(step, attempt, retries.maxAttempts(error), error));
    } catch (Throwable e) { // also of the error itself, when it is asked what it says
      rethrowWhatIsNoFailure(step, e);
      throw codecFailed(step, e);
    }
  }

  private Optional<Duration> pauseAfter(Step step, Retries retries, int attempt, Throwable error) {
    try {
      return retries.pauseAfter(attempt, error, session.now(), ids.random());
    } catch (Throwable e) { // of the user's predicate, or of the error itself
      rethrowWhatIsNoFailure(step, e);
      LOG.error(
          "Whether step '{}' of {} is tried again can't be told, since asking failed: {}; its error is final",
          Keys.shown(step.stored()),
          session.owner(),
          values.summary(e));
      return Optional.empty();
    }
  }

  private StepEntry retried(Step step, int attempt, Throwable error, Duration pause) {
    Payload recorded = values.encodeError(error);
    LOG.info(
        "Attempt {} of step '{}' of {} failed; tried again in {}",
        attempt,
        Keys.shown(step.stored()),
        session.owner(),
        pause,
        values.decodeError(recorded)); // the error itself may throw when a logger asks it
    return new StepEntry.Retry(recorded, new Due.After(pause));
  }

  private StepEntry failed(Step step, int attempt, int maxAttempts, Throwable error) {
    if (attempt == 1) {
      return new StepEntry.Error(values.encodeError(error));
    }
    var count =
        new YieldstarException(
            "STEP_FAILED",
            "Step '%s' of %s failed for good at attempt %d of %s."
                .formatted(
                    Keys.shown(step.stored()),
                    session.owner(),
                    attempt,
                    maxAttempts == Integer.MAX_VALUE ? "any number" : maxAttempts));
    return new StepEntry.Error(values.encodeError(error, count));
  }
}
