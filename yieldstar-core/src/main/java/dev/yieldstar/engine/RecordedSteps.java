package dev.yieldstar.engine;

import dev.yieldstar.Attempt;
import dev.yieldstar.CheckedFunction;
import dev.yieldstar.ExecutionInfo;
import dev.yieldstar.PollExhausted;
import dev.yieldstar.Retry;
import dev.yieldstar.StepAction;
import dev.yieldstar.StepFunction;
import dev.yieldstar.Steps;
import dev.yieldstar.TypeRef;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.ValueRefused;
import dev.yieldstar.engine.StepRunner.Body;
import dev.yieldstar.engine.StepRunner.Step;
import dev.yieldstar.execution.StepKind;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/// The steps of one delivery, in one scope: checks keys and types, and hands on to what records.
///
/// @param prefix the stored scopes, empty or ending with a slash
record RecordedSteps(StepTools tools, String prefix, Retry standard) implements Steps {

  private String stored(String key) {
    return Keys.stored(prefix, Keys.check("INVALID_STEP_KEY", "A step key", key));
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals",
    "NullAway"
  }) // decoded as declared
  private <T extends @Nullable Object> T perform(
      String key, ResultType type, Retry retry, Body body) {
    if (type.type() != null) {
      checkType(key, type.type());
    }
    return (T) tools.runner().run(new Step(stored(key), StepKind.RUN, type, retry), body);
  }

  /// Refuses a declared type that could not be decoded again, before the body runs.
  private void checkType(String key, Type type) {
    try {
      tools.values().codec().check(type);
    } catch (ValueRefused e) {
      throw new YieldstarException(
          e.code(), "Step '%s' of %s: %s".formatted(key, tools.session().owner(), e.getMessage()));
    }
  }

  @Override
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only asked for its class
  public final <T extends @Nullable Object, E extends Exception> T run(
      String key, StepFunction<T, E> body, T... type) throws E {
    return perform(key, ResultType.of(key, type), standard, attempt -> body.run());
  }

  @Override
  public <E extends Exception> void run(String key, StepAction<E> body, Object... none) throws E {
    run(key, standard, body, none);
  }

  @Override
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only asked for its class
  public final <T extends @Nullable Object, E extends Exception> T run(
      String key, Retry retry, StepFunction<T, E> body, T... type) throws E {
    return perform(key, ResultType.of(key, type), retry, attempt -> body.run());
  }

  @Override
  public <E extends Exception> void run(String key, Retry retry, StepAction<E> body, Object... none)
      throws E {
    ResultType.noArguments(key, none);
    perform(
        key,
        new ResultType(Void.class),
        retry,
        attempt -> {
          body.run();
          return null;
        });
  }

  @Override
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only asked for its class
  public final <T extends @Nullable Object, E extends Exception> T run(
      String key, CheckedFunction<Attempt, T, E> body, T... type) throws E {
    return perform(key, ResultType.of(key, type), standard, body::apply);
  }

  @Override
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only asked for its class
  public final <T extends @Nullable Object, E extends Exception> T run(
      String key, Retry retry, CheckedFunction<Attempt, T, E> body, T... type) throws E {
    return perform(key, ResultType.of(key, type), retry, body::apply);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T run(
      String key, TypeRef<T> type, StepFunction<? extends T, E> body) throws E {
    return perform(key, new ResultType(type.type()), standard, attempt -> body.run());
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T run(
      String key, Retry retry, TypeRef<T> type, StepFunction<? extends T, E> body) throws E {
    return perform(key, new ResultType(type.type()), retry, attempt -> body.run());
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T run(
      String key, Class<T> type, StepFunction<? extends T, E> body) throws E {
    return perform(key, new ResultType(type), standard, attempt -> body.run());
  }

  @Override
  public String idempotencyKey(String key) {
    return IdempotencyKeys.of(tools.session().delivery(), stored(key));
  }

  @Override
  public void sleep(String key, Duration duration) {
    tools.waits().sleep(stored(key), duration);
  }

  @Override
  public void sleepUntil(String key, Instant instant) {
    tools.waits().sleepUntil(stored(key), instant);
  }

  @Override
  public <E extends Exception> void poll(String key, Duration every, int maxAttempts, Check<E> done)
      throws E {
    Retry pauses = Retry.fixed(every).maxAttempts(maxAttempts).on(StepRunner.NotYet.class);
    String stored = stored(key);
    var poll = new Step(stored, StepKind.POLL, new ResultType(Boolean.class), pauses);
    tools
        .runner()
        .run(
            poll,
            attempt -> {
              if (done.test()) {
                return true;
              }
              if (attempt.number() < maxAttempts) {
                throw new StepRunner.NotYet();
              }
              throw new PollExhausted(
                  "Poll '%s' of execution '%s' asked %d times, every %s, and was never told yes."
                      .formatted(
                          key, tools.session().delivery().executionId(), maxAttempts, every));
            });
  }

  @Override
  public Instant now(String key) {
    return (Instant) chance(key, StepKind.NOW, Instant.class, tools.session()::now);
  }

  @Override
  public UUID randomUuid(String key) {
    return (UUID) chance(key, StepKind.RANDOM_UUID, UUID.class, tools.ids()::randomUuid);
  }

  @Override
  public double random(String key) {
    return (Double) chance(key, StepKind.RANDOM, Double.class, tools.ids()::random);
  }

  private Object chance(
      String key, StepKind kind, Class<?> type, java.util.function.Supplier<?> draw) {
    var step = new Step(stored(key), kind, new ResultType(type), Retry.never());
    return java.util.Objects.requireNonNull(tools.runner().run(step, attempt -> draw.get()));
  }

  @Override
  public Steps scope(String name) {
    Keys.check("INVALID_STEP_KEY", "The name of a scope", name);
    return new RecordedSteps(tools, Keys.stored(prefix, name) + "/", standard);
  }

  @Override
  public Steps with(Retry policy) {
    return new RecordedSteps(tools, prefix, policy);
  }

  @Override
  public ExecutionInfo execution() {
    return tools.info();
  }

  @Override
  public Logger logger() {
    return tools.logger();
  }
}
