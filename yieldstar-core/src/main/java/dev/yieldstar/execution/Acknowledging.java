package dev.yieldstar.execution;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How deliveries end in order, and how executions end.
final class Acknowledging {
  private Acknowledging() {}

  static Reply acknowledge(Workspace workspace, Command.Acknowledge command, Instant now) {
    Lease lease = command.lease();
    ExecutionState state = workspace.byKey(lease.execution());
    if (state == null) {
      return new Reply.Lost();
    }
    if (state.acknowledgedBy(lease)) {
      return new Reply.Acknowledged(state.terminal());
    }
    if (!state.isCurrent(lease)) {
      return new Reply.Lost();
    }
    return switch (command.acknowledgement()) {
      case Command.Acknowledgement.Completed(var result) ->
          end(workspace, state, lease, new Outcome.Completed(result), now);
      case Command.Acknowledgement.Failed(var error) ->
          end(workspace, state, lease, new Outcome.Failed(error), now);
      case Command.Acknowledgement.Suspended suspended ->
          suspend(workspace, state, lease, suspended, now);
      case Command.Acknowledgement.ContinuedAsNew continued ->
          continueAsNew(workspace, state, lease, continued, now);
    };
  }

  private static Reply end(
      Workspace workspace, ExecutionState state, Lease lease, Outcome outcome, Instant now) {
    String cancelReason = state.live().cancelReason();
    Outcome recorded = cancelReason == null ? outcome : new Outcome.Cancelled(cancelReason);
    var end = new Terminal(recorded, now, lease.token(), lease.id());
    finish(workspace, state, end, now);
    return new Reply.Acknowledged(end);
  }

  /// Ends an execution and wakes whoever awaits it.
  static void finish(Workspace workspace, ExecutionState state, Terminal end, Instant now) {
    if (state.live().waits() > 0) {
      workspace.await(state.key(), List.of());
    }
    workspace.put(state.with(end));
    for (long waiter : workspace.waitersOn(state.key())) {
      ExecutionState waiting = workspace.byKey(waiter);
      if (waiting != null && waiting.run() != null) {
        workspace.put(waiting.with(waiting.run().woken(now)));
      }
    }
  }

  private static Reply suspend(
      Workspace workspace,
      ExecutionState state,
      Lease lease,
      Command.Acknowledgement.Suspended suspended,
      Instant now) {
    Run run = state.live();
    List<Long> awaited = new ArrayList<>();
    boolean dueNow = run.wakes() != suspended.wakesSeen();
    for (String id : suspended.awaited()) {
      ExecutionState other = workspace.byId(id);
      if (other == null || other.terminal() != null) {
        dueNow = true;
      } else {
        awaited.add(other.key());
      }
    }
    if (!awaited.isEmpty() || run.waits() > 0) {
      workspace.await(state.key(), awaited);
    }
    Instant at = dueNow ? now : resolve(suspended.until(), now);
    workspace.put(
        state.with(
            run.acknowledged(
                lease, at, run.compensations(), suspended.waitingFor(), awaited.size())));
    return new Reply.Acknowledged(null);
  }

  private static Reply continueAsNew(
      Workspace workspace,
      ExecutionState state,
      Lease lease,
      Command.Acknowledgement.ContinuedAsNew continued,
      Instant now) {
    Run run = state.live();
    if (run.cancelReason() != null) {
      return new Reply.CancelledBefore(run.cancelReason());
    }
    if (run.waits() > 0) {
      workspace.await(state.key(), List.of());
    }
    workspace.put(
        state.continuedWith(continued.params(), run.acknowledged(lease, now, 0, null, 0)));
    return new Reply.Acknowledged(null);
  }

  private static @Nullable Instant resolve(@Nullable Due until, Instant now) {
    return until == null ? null : until.resolve(now);
  }
}
