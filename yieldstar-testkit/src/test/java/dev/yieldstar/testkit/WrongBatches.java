package dev.yieldstar.testkit;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Command.Acknowledgement;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.Terminal;
import java.time.InstantSource;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Backends that are wrong in what they do with commands.
final class WrongBatches {
  private WrongBatches() {}

  /// Each command is a batch of its own, so that broken chains are not seen.
  static final class OneByOne extends PlainBackend {
    OneByOne(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      var replies = new ArrayList<Reply>();
      batch.forEach(command -> replies.addAll(super.apply(List.of(command))));
      return replies;
    }
  }

  /// Wakes of a batch are applied before the rest of it.
  static final class WakesFirst extends PlainBackend {
    WakesFirst(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      Map<Boolean, List<Command>> parts =
          batch.stream().collect(Collectors.partitioningBy(Command.Wake.class::isInstance));
      var replies = new HashMap<Command, Reply>();
      for (Boolean wakes : List.of(true, false)) {
        List<Command> part = parts.getOrDefault(wakes, List.of());
        List<Reply> answers = super.apply(part);
        for (int i = 0; i < part.size(); i++) {
          replies.put(part.get(i), answers.get(i));
        }
      }
      return batch.stream().map(replies::get).toList();
    }
  }

  /// What changes each command before it is applied.
  abstract static class Changing extends PlainBackend {
    Changing(InstantSource clock) {
      super(clock);
    }

    abstract Command changed(Command command);

    @Override
    List<Reply> apply(List<Command> batch) {
      return super.apply(
          new AbstractList<>() {
            // Called when it is the command's turn: a change may depend on what those before did.
            @Override
            public Command get(int index) {
              return changed(batch.get(index));
            }

            @Override
            public int size() {
              return batch.size();
            }
          });
    }
  }

  /// A wake of an execution that is being delivered is forgotten.
  static final class DropsWakes extends PlainBackend {
    DropsWakes(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      ExecutionState before = executions.get(state.key());
      Run run = before == null ? null : before.run();
      super.put(run != null && run.leased() ? Changed.run(state, "wakes", run.wakes()) : state);
    }
  }

  /// A suspension is taken to have seen all wakes.
  static class SuspendsWithoutComparing extends Changing {
    SuspendsWithoutComparing(InstantSource clock) {
      super(clock);
    }

    @Override
    Command changed(Command command) {
      if (command instanceof Command.Acknowledge(var lease, Acknowledgement.Suspended suspended)) {
        long seen = seen(lease.execution(), suspended.wakesSeen());
        return new Command.Acknowledge(lease, Changed.with(suspended, "wakesSeen", seen));
      }
      return command;
    }

    long seen(long execution, long claimed) {
      ExecutionState state = executions.get(execution);
      return state == null || state.run() == null ? claimed : state.live().wakes();
    }
  }

  /// A renewal refreshes the wakes that its delivery is taken to have seen.
  static final class RefreshesWakesOnRenewal extends SuspendsWithoutComparing {
    private final Map<Long, Long> renewed = new HashMap<>();

    RefreshesWakesOnRenewal(InstantSource clock) {
      super(clock);
    }

    @Override
    Command changed(Command command) {
      if (command instanceof Command.Renew(var lease, var ignored)) {
        renewed.put(lease.execution(), super.seen(lease.execution(), 0));
      }
      return super.changed(command);
    }

    @Override
    long seen(long execution, long claimed) {
      return renewed.getOrDefault(execution, claimed);
    }
  }

  /// A cancellation ends what has ended already once more.
  static final class CancelsTheEnded extends PlainBackend {
    CancelsTheEnded(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      List<Reply> replies = super.apply(batch);
      for (Command command : batch) {
        if (command instanceof Command.Cancel(var id, var reason)) {
          ExecutionState state = byId(id);
          if (state != null && state.terminal() != null) {
            Terminal end = state.ended();
            put(
                Changed.with(
                    state,
                    "terminal",
                    Changed.with(end, "outcome", new Outcome.Cancelled(reason))));
          }
        }
      }
      return replies;
    }
  }

  /// The last acknowledgement wins, not the first.
  static final class ReplacesTheEnd extends PlainBackend {
    ReplacesTheEnd(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      List<Reply> replies = super.apply(batch);
      for (Command command : batch) {
        if (command
            instanceof Command.Acknowledge(var lease, Acknowledgement.Completed(var result))) {
          ExecutionState state = executions.get(lease.execution());
          if (state != null && state.terminal() != null) {
            Terminal end = Changed.with(state.ended(), "outcome", new Outcome.Completed(result));
            put(Changed.with(state, "terminal", end));
          }
        }
      }
      return replies;
    }
  }

  /// A cancellation does not change what the delivery under way acknowledges.
  static final class IgnoresCancellations extends PlainBackend {
    IgnoresCancellations(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      super.put(Changed.run(state, "cancelReason", null));
    }
  }

  /// An execution that was there before is said to have been created.
  static final class CreatesTwice extends PlainBackend {
    CreatesTwice(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      return super.apply(batch).stream()
          .map(r -> r instanceof Reply.Admitted a ? Changed.with(a, "created", true) : r)
          .toList();
    }
  }

  /// An id stands for nothing: a start with other params is taken for the same.
  static final class IgnoresConflicts extends Changing {
    IgnoresConflicts(InstantSource clock) {
      super(clock);
    }

    @Override
    Command changed(Command command) {
      if (command instanceof Command.Admit admit) {
        ExecutionState existing = byId(admit.admission().id());
        if (existing != null) {
          String first = existing.admission().fingerprint();
          return Changed.with(
              admit, "admission", Changed.with(admit.admission(), "fingerprint", first));
        }
      }
      return command;
    }
  }

  /// Children don't know who started them.
  static final class LosesTheParent extends PlainBackend {
    LosesTheParent(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      super.put(Changed.with(state, "admission", Changed.with(state.admission(), "parent", null)));
    }
  }

  /// A start and its record are two transactions, of which the second gets lost.
  static final class ForgetsTheStart extends PlainBackend {
    ForgetsTheStart(InstantSource clock) {
      super(clock);
    }

    @Override
    public void append(long execution, int incarnation, StepRecord record) {
      if (record.kind() != StepKind.START) {
        super.append(execution, incarnation, record);
      }
    }
  }

  /// What a wake, a renewal or an acknowledgement changes takes a pause off.
  static final class UnpausesByTheWay extends PlainBackend {
    UnpausesByTheWay(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      ExecutionState before = executions.get(state.key());
      Run run = before == null ? null : before.run();
      super.put(run != null && run.paused() ? Changed.run(state, "paused", false) : state);
    }
  }

  /// A fork begins with an empty journal.
  static final class ForksNothing extends PlainBackend {
    ForksNothing(InstantSource clock) {
      super(clock);
    }

    @Override
    public List<StepRecord> journal(long execution, int incarnation) {
      return List.of();
    }
  }
}
