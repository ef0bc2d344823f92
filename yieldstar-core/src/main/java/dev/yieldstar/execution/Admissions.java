package dev.yieldstar.execution;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How executions come into being: admitted by a client, or started by a step of another one.
final class Admissions {
  static final String CONFLICT = "EXECUTION_ID_CONFLICT";
  static final String MISMATCH = "START_REQUEST_MISMATCH";

  private Admissions() {}

  static Reply admit(Workspace workspace, Command.Admit admit, Instant now) {
    Admission asked = admit.admission();
    ExecutionState existing = workspace.byId(asked.id());
    if (existing != null) {
      return existing(existing, admit, now);
    }
    if (workspace.byKey(asked.execution()) != null) {
      return taken(asked.execution());
    }
    ExecutionState admitted = admitted(asked.admittedAt(now), admit.start(), now);
    Lease lease = null;
    if (admit.grant() != null && admitted.live().claimable(now)) {
      admitted = Leases.claimed(admitted, admit.grant().leaseId(), admit.grant().duration(), now);
      lease = new Lease(asked.execution(), 1, admitted.live().token(), admit.grant().leaseId());
    }
    workspace.put(admitted);
    return new Reply.Admitted(asked.execution(), asked.id(), true, lease, now);
  }

  static Reply taken(long execution) {
    return new Reply.Refused(
        Reply.INTERNAL_ID_TAKEN, "The internal id %d is taken; draw another.".formatted(execution));
  }

  private static Reply existing(ExecutionState existing, Command.Admit admit, Instant now) {
    Admission asked = admit.admission();
    if (!asked.asksForTheSameAs(existing.admission())) {
      return new Reply.Refused(CONFLICT, conflict(existing, asked));
    }
    boolean ours = existing.key() == asked.execution();
    return new Reply.Admitted(
        existing.key(), existing.id(), ours, bornLease(existing, admit, ours), now);
  }

  private static @Nullable Lease bornLease(
      ExecutionState existing, Command.Admit admit, boolean ours) {
    if (!ours || admit.grant() == null) {
      return null;
    }
    var lease = new Lease(existing.key(), 1, 1, admit.grant().leaseId());
    return existing.isCurrent(lease) ? lease : null;
  }

  static Reply startChild(Workspace workspace, Command.StartChild start, Instant now) {
    Lease lease = start.lease();
    ExecutionState caller = workspace.byKey(lease.execution());
    if (caller == null || !(caller.isCurrent(lease) || caller.acknowledgedBy(lease))) {
      return new Reply.Lost();
    }
    StepRecord first = recorded(workspace, start, 1);
    StepRecord answer = answering(workspace, start, first);
    if (answer != null) {
      return new Reply.Recorded(answer, true);
    }
    if (!caller.isCurrent(lease)) {
      return new Reply.Lost();
    }
    if (first != null && first.kind() != StepKind.START) {
      return new Reply.Recorded(first, false);
    }
    String cancelReason = caller.live().cancelReason();
    if (cancelReason != null) {
      return new Reply.CancelledBefore(cancelReason);
    }
    if (first == null && isTaken(workspace, start.child())) {
      return taken(start.child().execution());
    }
    if (first == null) {
      return record(workspace, caller, start, 1, started(workspace, caller, start, now), now);
    }
    var mismatch = new StepResult.Refused(MISMATCH, mismatch(caller, start));
    return record(workspace, caller, start, 2, mismatch, now);
  }

  /// What answers this request already: what it started, or that it was refused.
  private static @Nullable StepRecord answering(
      Workspace workspace, Command.StartChild start, @Nullable StepRecord first) {
    if (first == null || first.kind() != StepKind.START) {
      return null;
    }
    if (first.result() instanceof StepResult.Started(var ignored, var request)
        && !request.equals(start.request())) {
      return recorded(workspace, start, 2);
    }
    return first;
  }

  private static boolean isTaken(Workspace workspace, Admission child) {
    return workspace.byId(child.id()) == null && workspace.byKey(child.execution()) != null;
  }

  private static @Nullable StepRecord recorded(
      Workspace workspace, Command.StartChild start, int attempt) {
    Lease lease = start.lease();
    return workspace.step(lease.execution(), lease.incarnation(), start.stepKey(), attempt);
  }

  private static StepResult started(
      Workspace workspace, ExecutionState caller, Command.StartChild start, Instant now) {
    Admission asked = start.child().asChildOf(caller.admission(), start.stepKey());
    ExecutionState existing = workspace.byId(asked.id());
    if (existing == null) {
      workspace.put(admitted(asked.admittedAt(now), start.start(), now));
    } else if (existing.key() == caller.key()) {
      return new StepResult.Refused(CONFLICT, itself(caller, start.stepKey()));
    } else if (!asked.asksForTheSameAs(existing.admission())) {
      return new StepResult.Refused(CONFLICT, conflict(existing, asked));
    }
    return new StepResult.Started(asked.id(), start.request());
  }

  private static Reply record(
      Workspace workspace,
      ExecutionState caller,
      Command.StartChild start,
      int attempt,
      StepResult result,
      Instant now) {
    var record =
        new StepRecord(
            start.stepKey(),
            attempt,
            start.position(),
            StepKind.START,
            "",
            result,
            start.startedAt(),
            now);
    Recording.append(workspace, caller, record);
    return new Reply.Recorded(record, true);
  }

  private static ExecutionState admitted(Admission admission, Due start, Instant now) {
    return new ExecutionState(
        admission, 1, admission.params(), Run.admitted(start.resolve(now), 0), null);
  }

  private static String conflict(ExecutionState existing, Admission asked) {
    String difference =
        existing.admission().workflow().equals(asked.workflow())
            ? "with other params"
            : "of workflow '" + existing.admission().workflow() + "'";
    return "Execution '%s' exists already, %s. An id stands for one workflow and one set of params: choose another id, or start it with what it was started with."
        .formatted(asked.id(), difference);
  }

  private static String itself(ExecutionState caller, String stepKey) {
    return "Step '%s' of execution '%s' asks to start an execution of that same id. Choose another id."
        .formatted(stepKey, caller.id());
  }

  private static String mismatch(ExecutionState caller, Command.StartChild start) {
    return "Step '%s' of execution '%s' has started another workflow, or the same with other params. Use another key for another start."
        .formatted(start.stepKey(), caller.id());
  }
}
