package dev.yieldstar;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/// What a workflow can do. Every operation that is recorded takes its key first, then options, then
/// what to do.
///
/// Keys are chosen by the author and unique within the execution ([#scope] gives a helper or a loop
/// a name space of its own): 1 to 255 characters; `$$` is reserved. Once a step is recorded its key
/// stands for what it recorded, on every replay.
/// - A body runs at least once before it is recorded, and not again afterwards.
/// - What a step returns or throws has gone through the codec: the first run sees what a replay
///   sees.
/// - A failure of the database or the engine is never seen here.
/// - Operations belong to the thread that runs the workflow: elsewhere they are refused with
///   `STEP_FOREIGN_THREAD`, inside the body of another step with `STEP_NESTED`.
///
/// The trailing `T... type` and `Object... none` are never passed: the first carries the result
/// type to run time, the second keeps both forms in the same overload phase. An interface on
/// purpose: javac warns ("unchecked generic array creation") exactly at the calls whose type is
/// lost and need a [TypeRef].
@SuppressWarnings("unchecked") // possible heap pollution: the array is only asked for its class
public interface Steps {

  // --- steps

  /// Runs `body` once and records what it returns; afterwards returns the record.
  <T extends @Nullable Object, E extends Exception> T run(
      String key, StepFunction<T, E> body, T... type) throws E;

  <E extends Exception> void run(String key, StepAction<E> body, Object... none) throws E;

  /// Tries as the policy says. Attempts and pauses survive restarts; at the end the last error is
  /// thrown.
  <T extends @Nullable Object, E extends Exception> T run(
      String key, Retry retry, StepFunction<T, E> body, T... type) throws E;

  <E extends Exception> void run(String key, Retry retry, StepAction<E> body, Object... none)
      throws E;

  /// With the attempt in hand: number, idempotency key, fencing token.
  <T extends @Nullable Object, E extends Exception> T run(
      String key, CheckedFunction<Attempt, T, E> body, T... type) throws E;

  <T extends @Nullable Object, E extends Exception> T run(
      String key, Retry retry, CheckedFunction<Attempt, T, E> body, T... type) throws E;

  /// For generic results: `List<Line> lines = step.run("reserve", new TypeRef<>() {}, () -> ...)`.
  <T extends @Nullable Object, E extends Exception> T run(
      String key, TypeRef<T> type, StepFunction<? extends T, E> body) throws E;

  <T extends @Nullable Object, E extends Exception> T run(
      String key, Retry retry, TypeRef<T> type, StepFunction<? extends T, E> body) throws E;

  /// For results by their supertype: `step.run("shape", Shape.class, () -> wide ? new Square(1) :
  /// new Circle(2))`.
  <T extends @Nullable Object, E extends Exception> T run(
      String key, Class<T> type, StepFunction<? extends T, E> body) throws E;

  /// The key that a step's [Attempt#idempotencyKey] has, for a body that has no attempt in hand.
  /// May be asked anywhere; records nothing.
  String idempotencyKey(String key);

  // --- time and chance

  /// Waits at least so long, counted from when the wait is first recorded. Zero and less pass at
  /// once.
  void sleep(String key, Duration duration);

  /// Waits until then. What is past passes at once.
  void sleepUntil(String key, Instant instant);

  /// Asks until `done` says yes, `every` so long, at most so often.
  ///
  /// @param every the pause between two questions
  /// @throws PollExhausted after `maxAttempts` questions
  <E extends Exception> void poll(String key, Duration every, int maxAttempts, Check<E> done)
      throws E;

  /// The time by the backend's clock, recorded.
  Instant now(String key);

  /// A random UUID, recorded.
  UUID randomUuid(String key);

  /// A random number from 0 (inclusive) to 1 (exclusive), recorded.
  double random(String key);

  // --- views

  /// The same steps under a name space of their own: keys inside never meet keys outside.
  Steps scope(String name);

  /// The same steps with another policy for those that name none.
  Steps with(Retry standard);

  // --- about this execution

  /// What the execution knows about itself. May be asked anywhere.
  ExecutionInfo execution();

  /// A logger that names execution, step and attempt, and is silent while recorded history is
  /// replayed. May be used anywhere.
  Logger logger();

  /// A question that may throw.
  @FunctionalInterface
  interface Check<E extends Exception> {
    boolean test() throws E;
  }
}
