package dev.yieldstar.execution;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// New executions that repeat another one: with its journal, up to some step.
final class Forks {
  private static final Comparator<StepRecord> BY_POSITION =
      Comparator.comparingInt(StepRecord::position)
          .thenComparingInt(StepRecord::attempt)
          .thenComparing(StepRecord::key);

  private Forks() {}

  static Reply fork(Workspace workspace, Command.Fork fork, Instant now) {
    ExecutionState source = workspace.byId(fork.sourceId());
    if (source == null) {
      return new Reply.NotFound(fork.sourceId());
    }
    List<StepRecord> journal = journal(workspace, source);
    if (fork.fromStep() == null) {
      return create(workspace, source, fork.execution(), fork.id(), journal, now);
    }
    int end = firstOf(journal, fork.fromStep());
    if (end < 0) {
      return new Reply.Refused(
          "STEP_NOT_FOUND",
          "Execution '%s' has no recorded step '%s' to be forked from."
              .formatted(source.id(), fork.fromStep()));
    }
    return create(workspace, source, fork.execution(), fork.id(), journal.subList(0, end), now);
  }

  static Reply retry(Workspace workspace, Command.Retry retry, Instant now) {
    ExecutionState source = workspace.byId(retry.sourceId());
    if (source == null) {
      return new Reply.NotFound(retry.sourceId());
    }
    if (source.terminal() == null) {
      return new Reply.Refused(
          "EXECUTION_NOT_FINISHED",
          "Execution '%s' has not finished; only a finished one can be retried. To try it now, resume it."
              .formatted(source.id()));
    }
    List<StepRecord> journal = journal(workspace, source);
    return create(
        workspace, source, retry.execution(), retry.id(), withoutLastFailure(journal), now);
  }

  private static List<StepRecord> journal(Workspace workspace, ExecutionState source) {
    return workspace.journal(source.key(), source.incarnation()).stream()
        .sorted(BY_POSITION)
        .toList();
  }

  /// The step that failed last is tried afresh, with all its attempts.
  private static List<StepRecord> withoutLastFailure(List<StepRecord> journal) {
    if (journal.isEmpty() || !failed(journal.getLast().result())) {
      return journal;
    }
    return journal.subList(0, firstOf(journal, journal.getLast().key()));
  }

  private static boolean failed(StepResult result) {
    return result instanceof StepResult.Error || result instanceof StepResult.Refused;
  }

  private static int firstOf(List<StepRecord> journal, String key) {
    for (int i = 0; i < journal.size(); i++) {
      if (journal.get(i).key().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private static Reply create(
      Workspace workspace,
      ExecutionState source,
      long execution,
      String id,
      List<StepRecord> journal,
      Instant now) {
    ExecutionState existing = workspace.byId(id);
    if (existing != null) {
      if (existing.key() == execution) {
        return new Reply.Admitted(execution, id, true, null, now);
      }
      return new Reply.Refused(
          Admissions.CONFLICT,
          "Execution '%s' exists already. Choose another id for what is to repeat '%s'."
              .formatted(id, source.id()));
    }
    if (workspace.byKey(execution) != null) {
      return Admissions.taken(execution);
    }
    int compensations =
        (int) journal.stream().filter(step -> step.kind() == StepKind.COMPENSATION).count();
    Admission admission =
        source.admission().forkedInto(execution, id, source.params()).admittedAt(now);
    workspace.put(
        new ExecutionState(
            admission, 1, admission.params(), Run.admitted(now, compensations), null));
    for (StepRecord record : journal) {
      workspace.append(execution, 1, record);
    }
    return new Reply.Admitted(execution, id, true, null, now);
  }
}
