package dev.yieldstar.execution;

import java.time.Instant;
import java.util.function.Function;

/// What is asked of executions from outside. While a lease lasts these only leave their marks; its
/// end acts on them.
final class Operations {
  private Operations() {}

  static Reply wake(Workspace workspace, Command.Wake wake, Instant now) {
    return onLive(
        workspace,
        wake.executionId(),
        state -> {
          workspace.put(state.with(state.live().woken(now)));
          return new Reply.Done();
        });
  }

  static Reply cancel(Workspace workspace, Command.Cancel cancel, Instant now) {
    return onLive(
        workspace,
        cancel.executionId(),
        state -> cancelled(workspace, state, cancel.reason(), now));
  }

  private static Reply cancelled(
      Workspace workspace, ExecutionState state, String reason, Instant now) {
    Run run = state.live();
    if (run.cancelReason() != null) {
      return new Reply.CancelAccepted();
    }
    if (!run.leased() && run.compensations() == 0) {
      var end =
          new Terminal(
              new Outcome.Cancelled(reason), now, run.acknowledgedToken(), run.acknowledgedLease());
      Acknowledging.finish(workspace, state, end, now);
      return new Reply.Finished(end.outcome().status());
    }
    // A cancellation is a wake, and takes the pause off: its compensations wait for no operator.
    Instant due = run.leased() ? run.at() : run.dueNow(now);
    workspace.put(state.with(run.operated(due, run.wakes() + 1, false, reason)));
    return new Reply.CancelAccepted();
  }

  static Reply pause(Workspace workspace, Command.Pause pause) {
    return onLive(
        workspace,
        pause.executionId(),
        state -> {
          Run run = state.live();
          if (!run.paused() && run.cancelReason() == null) {
            workspace.put(state.with(run.operated(run.at(), run.wakes(), true, null)));
          }
          return run.cancelReason() == null ? new Reply.Done() : new Reply.CancelAccepted();
        });
  }

  static Reply resume(Workspace workspace, Command.Resume resume, Instant now) {
    return onLive(
        workspace,
        resume.executionId(),
        state -> {
          Run run = state.live();
          Instant due = run.leased() ? run.at() : run.dueNow(now);
          workspace.put(state.with(run.operated(due, run.wakes() + 1, false, run.cancelReason())));
          return new Reply.Done();
        });
  }

  static Reply registered(Workspace workspace, Command.Registered registered, Instant now) {
    for (long key : workspace.blockedUnderAnother(registered.workflow(), registered.version())) {
      ExecutionState state = workspace.byKey(key);
      if (state != null && state.run() != null && !state.run().leased()) {
        workspace.put(state.with(state.run().at(state.run().dueNow(now))));
      }
    }
    return new Reply.Done();
  }

  private static Reply onLive(
      Workspace workspace, String id, Function<ExecutionState, Reply> operation) {
    ExecutionState state = workspace.byId(id);
    if (state == null) {
      return new Reply.NotFound(id);
    }
    if (state.terminal() != null) {
      return new Reply.Finished(state.status());
    }
    return operation.apply(state);
  }
}
