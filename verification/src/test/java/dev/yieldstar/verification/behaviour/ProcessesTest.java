package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.Workflow;
import dev.yieldstar.execution.Command;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Processes that are slow, paused, stopped or killed while they deliver.
class ProcessesTest extends Behaviour {

  @Test
  @DisplayName("LEA-01 a step longer than its lease runs once, beside a second process")
  void aStepLongerThanItsLeaseRunsOnce() {
    var runs = new AtomicInteger();
    var gate = new Gate();
    Workflow<Void, Integer> slow =
        Workflow.of(
            "slow",
            Void.class,
            Integer.class,
            (step, none) ->
                step.run(
                    "work",
                    () -> {
                      gate.pass();
                      return runs.incrementAndGet();
                    }));
    var lease = Duration.ofMillis(300);
    Node first = node(settings -> settings.leaseDuration(lease), slow);
    node(settings -> settings.leaseDuration(lease), slow);
    var executions = IntStream.range(0, 20).mapToObj(i -> start(first, slow)).toList();

    // The backend's clock passes many leases, a renewal apart: none of them is taken over.
    for (int i = 0; i < 20; i++) {
      var renewed = executions.stream().map(execution -> run(execution).at()).toList();
      clock.advance(Duration.ofMillis(150));
      eventually(
          () ->
              IntStream.range(0, executions.size())
                  .noneMatch(e -> renewed.get(e).equals(run(executions.get(e)).at())));
    }
    gate.open();

    executions.forEach(this::result);
    assertThat(runs).hasValue(20);
    executions.forEach(execution -> assertThat(state(execution).ended().token()).isEqualTo(1));
  }

  @Test
  @DisplayName("LEA-02 a process that was paused past its lease changes nothing any more")
  void aPausedProcessChangesNothing() {
    var holders = new CopyOnWriteArrayList<String>();
    var paused = new Gate();
    Node[] nodes = new Node[2];
    nodes[0] = node(work("first", holders, paused));
    Line.Held record = nodes[0].line().hold(command -> command instanceof Command.RecordStep);
    var execution = start(nodes[0], work("first", holders, paused), "shared");
    record.reached().await();
    paused.open();

    untilTakeOver();
    nodes[1] = node(work("second", holders, paused));
    assertThat(result(nodes[1].client().execution(work("second", holders, paused), "shared")))
        .isEqualTo("second");
    var end = state(execution);
    var journal = journal(execution);
    record.released().open();

    eventually(() -> nodes[0].line().commitsInFlight() == 0);
    assertThat(state(execution)).isEqualTo(end);
    assertThat(journal(execution)).isEqualTo(journal);
    assertThat(holders).containsExactly("first", "second");
  }

  private static Workflow<Void, String> work(String name, List<String> holders, Gate gate) {
    return Workflow.of(
        "shared",
        Void.class,
        String.class,
        (step, none) ->
            step.run(
                "work",
                () -> {
                  holders.add(name);
                  return name;
                }));
  }

  @Test
  @DisplayName("SHU-01 a stop in the middle of a step and of a sleep fails and cancels nothing")
  void aStopFailsNothing() {
    var attempts = new CopyOnWriteArrayList<Integer>();
    var gate = new Gate();
    Workflow<Void, String> working =
        Workflow.of(
            "working",
            Void.class,
            String.class,
            (step, none) ->
                step.run(
                    "work",
                    attempt -> {
                      attempts.add(attempt.number());
                      gate.pass();
                      return "worked";
                    }));
    Workflow<Void, String> sleeping =
        Workflow.of(
            "sleeping",
            Void.class,
            String.class,
            (step, none) -> {
              step.sleep("nap", Duration.ofHours(1));
              return "rested";
            });
    Node before = node(working, sleeping);
    var work = start(before, working, "work");
    var sleep = start(before, sleeping, "sleep");
    eventually(() -> attempts.size() == 1);
    awaitAsleep(sleep, "nap");

    before.stop();
    assertThat(List.of(state(work).status(), state(sleep).status()))
        .containsExactly(Status.SUSPENDED, Status.SUSPENDED);
    assertThat(journal(work)).isEmpty();

    gate.open();
    Node after = node(working, sleeping);
    assertThat(result(after.client().execution(working, "work"))).isEqualTo("worked");
    clock.advance(Duration.ofHours(1));
    assertThat(result(after.client().execution(sleeping, "sleep"))).isEqualTo("rested");
    assertThat(attempts).containsExactly(1, 1);
  }

  @Test
  @DisplayName("Y09 commits that fail are repeated, and workflow code sees nothing of it")
  void failingCommitsAreRepeated() {
    var attempts = new CopyOnWriteArrayList<Integer>();
    var errors = new ArrayList<Throwable>();
    Workflow<Void, String> workflow =
        Workflow.of(
            "steady",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return step.run(
                    "work",
                    attempt -> {
                      attempts.add(attempt.number());
                      return "done";
                    });
              } catch (RuntimeException | Error e) {
                errors.add(e);
                throw e;
              }
            });
    Node node = node(workflow);
    var failures =
        node.line()
            .failing(
                3,
                BackendException.Fault.UNAVAILABLE,
                command -> command instanceof Command.RecordStep);

    assertThat(result(start(node, workflow))).isEqualTo("done");
    assertThat(failures.get()).isGreaterThan(3);
    assertThat(attempts).containsExactly(1);
    assertThat(errors).isEmpty();
  }

  @Test
  @DisplayName(
      "Y09 a record that the backend refuses as data gives the delivery back, not an error")
  void aRefusedRecordGivesTheDeliveryBack() {
    var errors = new CopyOnWriteArrayList<Throwable>();
    var runs = new AtomicInteger();
    Workflow<Void, Integer> workflow =
        Workflow.of(
            "refused",
            Void.class,
            Integer.class,
            (step, none) -> {
              try {
                return step.run("work", runs::incrementAndGet);
              } catch (RuntimeException | Error e) {
                errors.add(e);
                throw e;
              }
            });
    Node node = node(workflow);
    node.line()
        .failing(1, BackendException.Fault.DATA, command -> command instanceof Command.RecordStep);
    var execution = start(node, workflow);

    awaitGivenBack(execution, 1);
    clock.advance(Duration.ofSeconds(1));

    assertThat(result(execution)).isEqualTo(2);
    assertThat(errors).isEmpty();
  }

  @Test
  @DisplayName("Y09 a process that is killed at any commit of its delivery is survived")
  void aKillAtAnyCommitIsSurvived() {
    for (boolean applied : new boolean[] {false, true}) {
      for (int step = 1; step <= 3; step++) {
        killAt("s" + step, applied);
      }
    }
  }

  private void killAt(String key, boolean applied) {
    var runs = new CopyOnWriteArrayList<String>();
    Workflow<Void, String> workflow =
        Workflow.of(
            "killed-" + key + applied,
            Void.class,
            String.class,
            (step, none) -> {
              for (int i = 1; i <= 3; i++) {
                String name = "s" + i;
                step.run(name, () -> runs.add(name));
              }
              return "whole";
            });
    Node first = node(workflow);
    if (applied) {
      first.line().cutAfter(command -> records(command, key));
    } else {
      first.line().cutBefore(command -> records(command, key));
    }
    String id = "killed-" + key + applied;
    start(first, workflow, id);
    eventually(() -> first.line().isCut());
    first.kill();
    untilTakeOver();

    Node second = node(workflow);
    assertThat(result(second.client().execution(workflow, id))).isEqualTo("whole");
    long repeated = runs.stream().filter(key::equals).count();
    assertThat(repeated).as("%s, applied: %s", key, applied).isEqualTo(applied ? 1 : 2);
    assertThat(runs).hasSize(applied ? 3 : 4);
    second.stop();
  }

  private static boolean records(Command command, String key) {
    return command instanceof Command.RecordStep record && record.stepKey().equals(key);
  }
}
