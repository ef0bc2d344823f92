package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Executions that are delivered at random, with a ledger of all that a backend has told about
/// them: nothing that it said once may turn out to be wrong. Thread-safe.
final class Workload {
  private static final int STEPS = 3;

  private final List<String> ids;
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();
  private final Map<String, StepResult> recorded = new ConcurrentHashMap<>();
  private final Map<String, Terminal> ends = new ConcurrentHashMap<>();

  Workload(int executions) {
    ids = IntStream.range(0, executions).mapToObj(i -> "e" + i).toList();
  }

  List<String> ids() {
    return ids;
  }

  List<Command> admissions() {
    return ids.stream().<Command>map(id -> admit(admission(id))).toList();
  }

  /// Something that an operator or a caller may ask at any time.
  Command operation(Random random) {
    String id = ids.get(random.nextInt(ids.size()));
    return switch (random.nextInt(40)) {
      case 0 -> cancel(id);
      case 1, 2, 3 -> new Command.Pause(id);
      case 4, 5, 6, 7, 8, 9 -> new Command.Resume(id);
      default -> wake(id);
    };
  }

  /// One delivery, which may be cut short, given back or forgotten.
  void deliver(Bench bench, Claim claim, Random random) {
    if (recordAll(bench, claim, random, STEPS - random.nextInt(2))) {
      end(bench, claim, random.nextInt(10));
    }
  }

  void deliverToTheEnd(Bench bench, Claim claim, Random random) {
    if (recordAll(bench, claim, random, STEPS)) {
      end(bench, claim, 9);
    }
  }

  /// Records its steps.
  ///
  /// @return whether the delivery may go on
  private boolean recordAll(Bench bench, Claim claim, Random random, int steps) {
    Lease lease = claim.lease();
    assertThat(tokens.add(lease.execution() + "/" + lease.token()))
        .as("token %s is given once", lease)
        .isTrue();
    for (int i = 0; i < steps; i++) {
      String key = "s" + i;
      Reply reply = bench.apply(record(lease, key, "" + random.nextLong()));
      if (reply instanceof Reply.Recorded(var record, var asSent)) {
        told(lease.execution(), record);
        // Another value breaks the chain of a delivery that had not read its journal.
        assertThat(asSent || bench.journal(lease.execution(), 1).contains(record)).isTrue();
      } else if (reply instanceof Reply.CancelledBefore) {
        return true;
      } else {
        assertThat(reply).isEqualTo(new Reply.Lost());
        return false;
      }
    }
    return true;
  }

  private void told(long execution, StepRecord record) {
    StepResult before = recorded.putIfAbsent(execution + "/" + record.key(), record.result());
    assertThat(before).as(record.key()).isIn(null, record.result());
  }

  private void end(Bench bench, Claim claim, int how) {
    Lease lease = claim.lease();
    String id = claim.execution().orElseThrow().id();
    @Nullable Command command =
        switch (how) {
          case 0 -> null;
          case 1 -> releaseFailed(lease);
          case 2 -> handOver(lease);
          case 3 -> suspend(lease, after(Duration.ofSeconds(1)), 0);
          case 4 -> suspend(lease, Due.NOW, 0);
          default -> complete(lease, id);
        };
    if (command != null && bench.apply(command) instanceof Reply.Acknowledged(var end)) {
      if (end != null) {
        assertThat(ends.put(id, end)).as("the end of %s", id).isIn(null, end);
      }
    }
  }

  /// All have ended, as was said, with the steps that were said.
  void verify(Bench bench) {
    for (String id : ids) {
      var state = bench.state(id);
      assertThat(state.status().isTerminal()).as("%s has ended: %s", id, state).isTrue();
      assertThat(ends.getOrDefault(id, state.ended())).isEqualTo(state.ended());
      List<StepRecord> journal = bench.journal(id);
      for (StepRecord step : journal) {
        assertThat(recorded.get(state.key() + "/" + step.key())).isEqualTo(step.result());
      }
      long told = recorded.keySet().stream().filter(k -> k.startsWith(state.key() + "/")).count();
      assertThat(journal).as("steps of %s", id).hasSize((int) told);
    }
  }
}
