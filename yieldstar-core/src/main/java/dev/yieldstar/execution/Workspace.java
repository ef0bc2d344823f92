package dev.yieldstar.execution;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a fold reads and writes: the part of a backend that a batch touches. A reader sees what was
/// put before. Used by one thread, inside one transaction.
public interface Workspace {
  /// The execution of this id, if there is one.
  @Nullable ExecutionState byId(String id);

  /// The execution of this internal id, if there is one.
  @Nullable ExecutionState byKey(long execution);

  /// Keeps a new or changed state.
  void put(ExecutionState state);

  /// What is recorded of an attempt, if anything is.
  @Nullable StepRecord step(long execution, int incarnation, String key, int attempt);

  /// All that is recorded in an incarnation, in any order.
  List<StepRecord> journal(long execution, int incarnation);

  /// Appends a record; (key, attempt) is free.
  void append(long execution, int incarnation, StepRecord record);

  /// Internal ids of those who wait for the end of `execution`, in ascending order.
  List<Long> waitersOn(long execution);

  /// Replaces what `waiter` waits for.
  void await(long waiter, List<Long> executions);

  /// Internal ids of live executions of the workflow that were blocked under a definition version
  /// other than this one.
  List<Long> blockedUnderAnother(String workflow, String version);
}
