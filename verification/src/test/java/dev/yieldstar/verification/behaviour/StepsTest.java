package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.ExecutionFailed;
import dev.yieldstar.StartOptions;
import dev.yieldstar.StepView;
import dev.yieldstar.TypeRef;
import dev.yieldstar.Workflow;
import dev.yieldstar.execution.Command;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a step returns, throws and records.
class StepsTest extends Behaviour {

  public static final class OutOfStock extends Exception {
    private static final long serialVersionUID = 1;

    public OutOfStock(String message) {
      super(message);
    }
  }

  @Test
  @DisplayName("Y01 a step's value is recorded and replayed, and its body does not run again")
  void aRecordedStepDoesNotRunAgain() {
    var runs = new AtomicInteger();
    var workflow =
        Workflow.of(
            "booking",
            String.class,
            String.class,
            (step, guest) -> {
              String room = step.run("book", () -> "room " + runs.incrementAndGet());
              step.sleep("night", Duration.ofHours(8));
              return guest + " slept in " + room;
            });
    Node first = node(workflow);
    var stay = first.client().start(workflow, "Ada", StartOptions.id("stay"));
    awaitAsleep(stay, "night");

    Node second = restart(first, workflow);
    clock.advance(Duration.ofHours(8));

    assertThat(result(second.client().execution(workflow, "stay")))
        .isEqualTo("Ada slept in room 1");
    assertThat(runs).hasValue(1);
  }

  @Test
  @DisplayName("Y01 a body may block and throw checked exceptions, which arrive as themselves")
  void aBodyMayBlockAndThrowCheckedExceptions() {
    var gate = new Gate();
    var workflow =
        Workflow.of(
            "read",
            Void.class,
            String.class,
            (step, none) -> {
              step.run("wait", gate::pass);
              try {
                return step.run(
                    "open",
                    () -> {
                      throw new FileNotFoundException("notes.txt");
                    });
              } catch (IOException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
              }
            });
    var read = start(node(workflow), workflow);
    gate.open();

    assertThat(result(read)).isEqualTo("FileNotFoundException: notes.txt");
  }

  @Test
  @DisplayName("Y02 an error that is not retryable is recorded, and thrown again on replay")
  void anErrorIsRecordedAndMayBeCaught() {
    var runs = new AtomicInteger();
    var caught = new CopyOnWriteArrayList<Exception>();
    var workflow =
        Workflow.of(
            "order",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                step.run(
                    "reserve",
                    () -> {
                      runs.incrementAndGet();
                      throw new OutOfStock("no tea");
                    });
              } catch (OutOfStock e) {
                caught.add(e);
              }
              step.sleep("wait", Duration.ofMinutes(1));
              return "done without";
            });
    Node first = node(workflow);
    var order = start(first, workflow);
    awaitAsleep(order, "wait");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));

    assertThat(result(second.client().execution(workflow, order.id()))).isEqualTo("done without");
    assertThat(runs).hasValue(1);
    assertThat(caught)
        .hasSize(2)
        .allSatisfy(e -> assertThat(e).isExactlyInstanceOf(OutOfStock.class).hasMessage("no tea"));
    assertThat(caught.get(0).getStackTrace()).isEqualTo(caught.get(1).getStackTrace());
  }

  @Test
  @DisplayName(
      "Y02 an error that nobody catches fails the execution, and is the cause of what its caller sees")
  void anUncaughtErrorFailsTheExecution() {
    var workflow =
        Workflow.of(
            "order",
            Void.class,
            (step, none) -> {
              step.run(
                  "reserve",
                  () -> {
                    throw new OutOfStock("no tea");
                  });
            });
    var order = start(node(workflow), workflow);

    assertThatThrownBy(() -> result(order))
        .isExactlyInstanceOf(ExecutionFailed.class)
        .hasMessage(
            "Execution '%s' failed: %s: no tea".formatted(order.id(), OutOfStock.class.getName()))
        .cause()
        .isExactlyInstanceOf(OutOfStock.class)
        .hasMessage("no tea");
    assertThat(order.journal())
        .singleElement()
        .satisfies(
            step -> {
              assertThat(step.key()).isEqualTo("reserve");
              assertThat(step.state()).isEqualTo(StepView.State.FAILED);
              assertThat(step.error()).contains(OutOfStock.class.getName() + ": no tea");
            });
  }

  @Test
  void theFirstRunSeesWhatAReplaySees() {
    var given = new ArrayList<>(List.of("tea"));
    var seen = new CopyOnWriteArrayList<List<String>>();
    var workflow =
        Workflow.of(
            "shop",
            Void.class,
            (step, none) -> {
              List<String> bought = step.run("buy", new TypeRef<>() {}, () -> given);
              seen.add(bought);
              given.add("changed afterwards");
              step.sleep("wait", Duration.ofMinutes(1));
            });
    Node node = node(workflow);
    var shop = start(node, workflow);
    awaitAsleep(shop, "wait");
    clock.advance(Duration.ofMinutes(1));
    result(shop);

    assertThat(seen).containsExactly(List.of("tea"), List.of("tea"));
    assertThat(seen.getFirst()).isNotSameAs(given);
  }

  @Test
  void aCrashBetweenABodyAndItsRecordRunsTheBodyAgainUnderTheSameAttempt() {
    var attempts = new CopyOnWriteArrayList<String>();
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            String.class,
            (step, none) ->
                step.run(
                    "charge",
                    attempt -> {
                      attempts.add(attempt.number() + " " + attempt.idempotencyKey());
                      return "token " + attempt.token();
                    }));
    Node first = node(workflow);
    first.line().cutBefore(Command.RecordStep.class::isInstance);
    var charge = start(first, workflow);
    eventually(() -> attempts.size() == 1);
    first.kill();

    Node second = node(workflow);
    untilTakeOver();

    assertThat(result(second.client().execution(workflow, charge.id()))).isEqualTo("token 2");
    assertThat(attempts).hasSize(2);
    assertThat(attempts.get(0)).startsWith("1 ").isEqualTo(attempts.get(1));
  }

  @Test
  void aCrashRightAfterTheRecordDoesNotRunTheBodyAgain() {
    var runs = new AtomicInteger();
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            Integer.class,
            (step, none) -> step.run("charge", runs::incrementAndGet));
    Node first = node(workflow);
    first.line().cutAfter(Command.RecordStep.class::isInstance);
    var charge = start(first, workflow);
    awaitRecorded(charge, "charge");
    first.kill();

    Node second = node(workflow);
    untilTakeOver();

    assertThat(result(second.client().execution(workflow, charge.id()))).isEqualTo(1);
    assertThat(runs).hasValue(1);
  }

  @Test
  @DisplayName("Y13 time and chance are recorded: a replay sees the same")
  void timeAndChanceAreRecorded() {
    record Drawn(Instant now, UUID uuid, double random) {}
    var drawn = new CopyOnWriteArrayList<Drawn>();
    var workflow =
        Workflow.of(
            "draw",
            Void.class,
            (step, none) -> {
              drawn.add(new Drawn(step.now("now"), step.randomUuid("id"), step.random("chance")));
              step.sleep("wait", Duration.ofDays(1));
            });
    Node first = node(workflow);
    var draw = start(first, workflow);
    awaitAsleep(draw, "wait");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofDays(1));
    result(second.client().execution(workflow, draw.id()));

    assertThat(drawn).hasSize(2);
    assertThat(drawn.get(0)).isEqualTo(drawn.get(1));
    assertThat(drawn.get(0).now()).isBetween(START, START.plusSeconds(10));
    assertThat(drawn.get(0).random()).isBetween(0.0, 1.0);
    assertThat(drawn.get(0).uuid().version()).isEqualTo(4);
  }
}
