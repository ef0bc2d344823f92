package dev.yieldstar.execution;

import java.time.Instant;

/// What deliveries write into the journal.
final class Recording {
  private Recording() {}

  static Reply record(Workspace workspace, Command.RecordStep command, Instant now) {
    Lease lease = command.lease();
    ExecutionState state = workspace.byKey(lease.execution());
    if (state == null) {
      return new Reply.Lost();
    }
    StepRecord first =
        workspace.step(
            lease.execution(), lease.incarnation(), command.stepKey(), command.attempt());
    if (first != null && state.acknowledgedBy(lease) && command.isRecordedAs(first)) {
      return new Reply.Recorded(first, true);
    }
    if (!state.isCurrent(lease)) {
      return new Reply.Lost();
    }
    if (first != null) {
      return new Reply.Recorded(first, command.isRecordedAs(first));
    }
    String cancelReason = state.live().cancelReason();
    if (cancelReason != null && !command.shielded()) {
      return new Reply.CancelledBefore(cancelReason);
    }
    var record =
        new StepRecord(
            command.stepKey(),
            command.attempt(),
            command.position(),
            command.kind(),
            command.type(),
            command.entry().resolve(now),
            command.startedAt(),
            now);
    append(workspace, state, record);
    return new Reply.Recorded(record, true);
  }

  static void append(Workspace workspace, ExecutionState state, StepRecord record) {
    workspace.append(state.key(), state.incarnation(), record);
    int registered = record.kind() == StepKind.COMPENSATION ? 1 : 0;
    ExecutionState after =
        state.with(state.live().recorded(state.live().compensations() + registered));
    if (after != state) {
      workspace.put(after);
    }
  }
}
