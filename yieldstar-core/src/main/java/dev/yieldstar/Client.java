package dev.yieldstar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a caller can ask: start executions and find them. Thread-safe.
public interface Client {

  /// Starts an execution under a new id.
  <P extends @Nullable Object, R extends @Nullable Object> Execution<R> start(
      Workflow<P, R> workflow, P params);

  /// The execution, once its start is committed. Idempotent by id.
  ///
  /// @throws YieldstarException EXECUTION_ID_CONFLICT where the id stands for another workflow or
  ///   other params; INVALID_START_PARAMETERS, INVALID_EXECUTION_EVENT, INVALID_EXECUTION_ID,
  ///   PAYLOAD_TOO_LARGE for what can't be started, before anything is kept
  /// @throws StartOutcomeUnknown if its time runs out before the backend answers
  <P extends @Nullable Object, R extends @Nullable Object> Execution<R> start(
      Workflow<P, R> workflow, P params, StartOptions options);

  /// Starts an execution of a workflow that takes no params.
  @SuppressWarnings("NullAway") // plain Void, so that users need not write @Nullable Void
  default <R extends @Nullable Object> Execution<R> start(Workflow<Void, R> workflow) {
    return start(workflow, null, StartOptions.none());
  }

  /// Starts one execution for each, under new ids, together.
  <P extends @Nullable Object, R extends @Nullable Object> List<Execution<R>> startAll(
      Workflow<P, R> workflow, List<? extends P> params);

  /// The execution of this id, which may not be there: that shows when something is asked of it.
  <R extends @Nullable Object> Execution<R> execution(Workflow<?, R> workflow, String id);

  /// The same where its workflow isn't known here: a result comes as the JSON text that it is.
  Execution<@Nullable String> execution(String id);
}
