package dev.yieldstar.engine;

import dev.yieldstar.Attempt;
import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.Retry;
import dev.yieldstar.RetryAfter;
import dev.yieldstar.RetryableException;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.codec.ValueRefused;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.spi.DeliveryEnd;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
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
    StepRecord last = session.recorded(step.stored(), step.kind());
    while (last == null || !last.result().isFinal()) {
      if (last != null && last.result() instanceof StepResult.Retry(var ignored, var due)) {
        session.waitUntil(step.stored(), due);
      }
      session.beforeNewStep(step.stored());
      last = attempt(step, last == null ? 1 : last.attempt() + 1, body);
    }
    return answer(step, last);
  }

  /// What a finished step returns or throws.
  private @Nullable Object answer(Step step, StepRecord record) {
    return switch (record.result()) {
      case StepResult.Value(var value) -> decode(step, record, value);
      case StepResult.Error(var error) -> throw Sneaky.raise(values.decodeError(error));
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
    }
  }

  private StepRecord attempt(Step step, int number, Body body) {
    Instant startedAt = session.now();
    StepEntry entry;
    try {
      Object value =
          session.inside(step.stored(), number, () -> body.run(attemptOf(step.stored(), number)));
      session.afterBody(step.stored());
      entry = new StepEntry.Value(encode(step, value));
    } catch (InvalidStepValue e) {
      session.afterBody(step.stored());
      entry = new StepEntry.Error(values.encodeError(e));
    } catch (Throwable e) {
      rethrowWhatIsNoFailure(step, e);
      session.afterBody(step.stored());
      entry = afterFailure(step, number, e, startedAt);
    }
    return session.record(step.stored(), number, step.kind(), step.type().name(), entry, startedAt);
  }

  private Attempt attemptOf(String stored, int number) {
    return new CurrentAttempt(
        number, IdempotencyKeys.of(session.delivery(), stored), session.delivery().lease().token());
  }

  private record CurrentAttempt(int number, String idempotencyKey, long token) implements Attempt {}

  private Payload encode(Step step, @Nullable Object value) {
    String owner = "Step '%s' of %s".formatted(Keys.shown(step.stored()), session.owner());
    if (step.type().type() == null) {
      if (value != null) {
        throw new InvalidStepValue(
            "INVALID_STEP_VALUE",
            Keys.shown(step.stored()),
            "%s returned a %s, but the call doesn't say its type (a type variable, a wildcard or Object). %s"
                .formatted(owner, value.getClass().getName(), ResultType.SAY_IT),
            null);
      }
      return values.encode(owner, Keys.shown(step.stored()), null, Void.class);
    }
    return values.encode(owner, Keys.shown(step.stored()), value, step.type().type());
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
    int maxAttempts = maxAttempts(step.retry(), error);
    Duration pause = pause(step.retry(), attempt, error);
    boolean retries =
        attempt < maxAttempts
            && (error instanceof RetryableException || step.retry().retriesAfter(error))
            && isWithinTotalLimit(step, startedAt, pause);
    if (retries && error instanceof NotYet) {
      return new StepEntry.Retry(null, new Due.After(pause));
    }
    if (retries) {
      LOG.info(
          "Attempt {} of step '{}' of {} failed; tried again in {}",
          attempt,
          Keys.shown(step.stored()),
          session.owner(),
          pause,
          error);
      return new StepEntry.Retry(values.encodeError(error), new Due.After(pause));
    }
    if (attempt > 1) {
      error.addSuppressed(
          new YieldstarException(
              "STEP_FAILED",
              "Step '%s' of %s failed for good at attempt %d of %s."
                  .formatted(
                      Keys.shown(step.stored()),
                      session.owner(),
                      attempt,
                      maxAttempts == Integer.MAX_VALUE
                          ? "any number"
                          : String.valueOf(maxAttempts))));
    }
    return new StepEntry.Error(values.encodeError(error));
  }

  private static int maxAttempts(Retry retry, Throwable error) {
    return error instanceof RetryableException retryable
        ? retryable.maxAttempts()
        : retry.maxAttempts();
  }

  private Duration pause(Retry retry, int attempt, Throwable error) {
    if (error instanceof RetryAfter after) {
      Duration asked = after.retryAfter();
      return asked.isNegative() ? Duration.ZERO : asked;
    }
    return retry.delayAfter(attempt, ids.random());
  }

  private boolean isWithinTotalLimit(Step step, Instant startedAt, Duration pause) {
    StepRecord first = session.history().first(step.stored());
    Instant began = first == null ? startedAt : first.startedAt();
    return step.retry()
        .totalLimit()
        .map(limit -> !session.now().plus(pause).isAfter(began.plus(limit)))
        .orElse(true);
  }
}
