package dev.yieldstar;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// An execution as the outside sees it. Thread-safe.
///
/// @param <R> the type of its result
public interface Execution<R extends @Nullable Object> {
  String id();

  /// Waits for the outcome, and returns the result.
  ///
  /// @param limit how long to wait; the execution goes on beyond it
  /// @throws ExecutionFailed if it failed; the cause is its own error
  /// @throws ExecutionCancelled if it was cancelled
  /// @throws ResultTimeout if it did not end within the limit
  /// @throws YieldstarException INTERRUPTED if the thread is interrupted; the flag stays set
  R result(Duration limit);

  /// The outcome as a stage, which ends as [#result] does, on a thread of the engine. Cancelling
  /// its future does nothing to the execution.
  CompletionStage<R> outcome();

  /// Whether it has ended, and as what.
  Status status();

  /// How it stands.
  ExecutionView view();

  /// What its current incarnation has recorded, in order, each attempt for itself.
  List<StepView> journal();
}
