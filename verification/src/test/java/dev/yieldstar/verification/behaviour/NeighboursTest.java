package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Execution;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Status;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.JacksonCodec;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.verification.logs.LogBook;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/// Executions beside each other, and processes beside each other.
class NeighboursTest extends Behaviour {

  record Order(String id, int amount) {}

  record OldOrder(String gone) {}

  private static final Workflow<Order, String> ORDER =
      Workflow.of("order", Order.class, String.class, (step, order) -> "done " + order.id());

  private static Payload json(String text) {
    return Payload.of(JacksonCodec.FORMAT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Command admit(int number, String params, String context) {
    return new Command.Admit(
        Admission.request(
            1_000 + number,
            "order-" + number,
            "order",
            null,
            json(params),
            "fingerprint " + number,
            json(context),
            Map.of()),
        Due.NOW,
        null);
  }

  @Test
  @DisplayName(
      "COD-18 of ten, one with params that nobody reads and one with a broken context wait; eight run")
  void undecodableRecordsWaitAlone() {
    var batch = new ArrayList<Command>();
    for (int i = 1; i <= 10; i++) {
      batch.add(
          admit(
              i,
              i == 4 ? "{\"gone\":\"x\"}" : "{\"id\":\"%d\",\"amount\":%d}".formatted(i, i),
              i == 7 ? "{\"broken\":" : "{}"));
    }
    openLine().commit(batch);
    Node node = node(builder -> builder.concurrency(10), ORDER.version("1"));
    for (int i = 1; i <= 10; i++) {
      var execution = node.client().execution(ORDER, "order-" + i);
      if (i == 4 || i == 7) {
        awaitBlocked(execution);
        assertThat(execution.status()).isEqualTo(Status.SUSPENDED);
        assertThat(execution.view().due()).contains(START.plus(Duration.ofMinutes(10)));
        assertThat(execution.view().attention().orElseThrow().message()).contains(execution.id());
        assertThat(run(execution).token()).as("deliveries").isEqualTo(1);
        assertThat(LogBook.lines(Level.ERROR, execution.id())).hasSize(1);
      } else {
        assertThat(result(execution)).isEqualTo("done " + i);
      }
    }
    assertThat(result(node.client().start(ORDER, new Order("later", 1)))).isEqualTo("done later");

    var rolledBack =
        Workflow.of("order", OldOrder.class, String.class, (step, order) -> "old " + order.gone())
            .version("2");
    Node second = restart(node, rolledBack);
    assertThat(result(second.client().execution(rolledBack, "order-4"))).isEqualTo("old x");
  }

  @Test
  @DisplayName("IDE-01 starts under one id, from two processes at once, are one execution")
  void startsFromTwoProcessesAreOne() throws Exception {
    var bodies = new ConcurrentHashMap<String, Integer>();
    var workflow =
        Workflow.of(
            "order",
            Order.class,
            String.class,
            (step, order) ->
                step.run(
                    "once",
                    () -> {
                      bodies.merge(step.execution().id(), 1, Integer::sum);
                      return "done " + order.amount();
                    }));
    List<Node> nodes = List.of(node(workflow), node(workflow));
    int rounds = 20;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < rounds; round++) {
        String id = "order-" + round;
        int starters = 8;
        var barrier = new CyclicBarrier(starters);
        var calls = new ArrayList<Callable<String>>();
        for (int i = 0; i < starters; i++) {
          Node node = nodes.get(i % 2);
          int amount = i < 6 ? 1 : 2;
          calls.add(
              () -> {
                barrier.await();
                return startAndWait(node, workflow, id, amount);
              });
        }
        var answers = new ArrayList<String>();
        for (Future<String> answer : threads.invokeAll(calls)) {
          answers.add(answer(answer));
        }
        assertThat(answers).as("round %d", round).contains("EXECUTION_ID_CONFLICT");
        answers.removeIf("EXECUTION_ID_CONFLICT"::equals);
        assertThat(answers).hasSizeBetween(2, 6);
        assertThat(answers.stream().distinct()).as("round %d", round).hasSize(1);
      }
    }
    assertThat(bodies).hasSize(rounds).allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
  }

  private String startAndWait(Node node, Workflow<Order, String> workflow, String id, int amount) {
    try {
      return result(node.client().start(workflow, new Order("x", amount), StartOptions.id(id)));
    } catch (YieldstarException e) {
      return e.code();
    }
  }

  private static String answer(Future<String> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  @Test
  @DisplayName(
      "VER-01 a process leaves alone what it does not know, and what nobody knows waits unharmed")
  void aProcessLeavesAloneWhatItDoesNotKnow() {
    var a = Workflow.of("a", Void.class, String.class, (step, none) -> "a");
    var b =
        Workflow.of(
            "b",
            Void.class,
            String.class,
            (step, none) -> {
              step.sleep("sleep", Duration.ofMinutes(1));
              return "b";
            });
    Node old = node(a);
    Node fresh = node(a, b);
    var all = new ArrayList<Execution<String>>();
    for (int i = 0; i < 10; i++) {
      all.add(start(old, b));
    }
    all.forEach(each -> awaitAsleep(each, "sleep"));
    fresh.stop();
    clock.advance(Duration.ofMinutes(1));
    var later = start(old, b);
    assertThat(result(start(old, a))).isEqualTo("a");

    assertThat(later.status()).isEqualTo(Status.ADMITTED);
    assertThat(all)
        .allSatisfy(each -> assertThat(each.status()).isEqualTo(Status.SUSPENDED))
        .allSatisfy(each -> assertThat(run(each).token()).isEqualTo(1));
    assertThat(LogBook.lines(Level.WARN, "")).isEmpty();
    Node again = node(a, b);
    assertThat(all).allSatisfy(each -> assertThat(result(each)).isEqualTo("b"));
    clock.advance(Duration.ofMinutes(1));
    awaitAsleepOrDone(later);
    assertThat(again).isNotNull();
  }

  private void awaitAsleepOrDone(Execution<String> execution) {
    eventually(
        () -> {
          clock.advance(Duration.ofMinutes(1));
          return execution.status() == Status.COMPLETED;
        });
  }

  @Test
  @DisplayName(
      "LEA-05 wakes while a step runs do not run it twice, and the next delivery sees them")
  void wakesWhileAStepRuns() {
    var passes = new AtomicInteger();
    var bodies = new AtomicInteger();
    var inStep = new Gate();
    var gate = new Gate();
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            String.class,
            (step, none) -> {
              passes.incrementAndGet();
              step.run(
                  "charge",
                  () -> {
                    bodies.incrementAndGet();
                    inStep.open();
                    gate.pass();
                  });
              step.sleep("sleep", Duration.ofHours(1));
              return "charged";
            });
    Node node = node(builder -> builder.concurrency(10), workflow);
    var execution = start(node, workflow, "order");
    inStep.await();
    Line outside = openLine();
    for (int i = 0; i < 5; i++) {
      outside.commit(List.of(new Command.Wake("order")));
    }
    start(node, workflow, "order");
    gate.open();
    eventually(() -> passes.get() == 2);
    awaitAsleep(execution, "sleep");

    assertThat(run(execution).wakes()).isEqualTo(5);
    assertThat(run(execution).token()).isEqualTo(2);
    clock.advance(Duration.ofHours(1));
    assertThat(result(execution)).isEqualTo("charged");
    assertThat(bodies).hasValue(1);
    assertThat(passes).hasValue(3);
  }
}
