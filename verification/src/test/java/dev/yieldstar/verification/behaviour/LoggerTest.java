package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Retry;
import dev.yieldstar.Workflow;
import dev.yieldstar.verification.logs.LogBook;
import dev.yieldstar.verification.logs.LogBook.Line;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/// The logger that workflow code is given.
class LoggerTest extends Behaviour {

  @Test
  void itIsSilentWhileHistoryIsReplayed() {
    var workflow =
        Workflow.of(
            "log",
            Void.class,
            (step, none) -> {
              step.logger().info("before a");
              step.run("a", () -> step.logger().info("in a"));
              step.logger().info("after {}", "a");
              step.sleep("first", Duration.ofMinutes(1));
              step.logger().info("between");
              step.sleep("second", Duration.ofMinutes(1));
              step.logger().info("end");
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    awaitAsleep(execution, "first");
    clock.advance(Duration.ofMinutes(1));
    awaitAsleep(execution, "second");
    node = restart(node, workflow);
    clock.advance(Duration.ofMinutes(1));
    result(node.client().execution(workflow, execution.id()));

    assertThat(LogBook.ofWorkflow("log"))
        .extracting(Line::message)
        .containsExactly("before a", "in a", "after a", "between", "end");
  }

  @Test
  void itNamesExecutionStepAndAttempt() {
    var workflow =
        Workflow.of(
            "log",
            Void.class,
            (step, none) -> {
              step.logger().warn("outside");
              step.scope("item")
                  .run(
                      "charge",
                      Retry.fixed(Duration.ofMinutes(1)),
                      attempt -> {
                        step.logger().atInfo().addKeyValue("amount", 42).log("attempt");
                        if (attempt.number() == 1) {
                          throw new IllegalStateException("no");
                        }
                        return attempt.number();
                      });
            });
    Node node = node(workflow);
    var execution = start(node, workflow, "order-42");
    awaitAsleep(execution, "item/charge");
    clock.advance(Duration.ofMinutes(1));
    result(execution);

    var lines = LogBook.ofWorkflow("log");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0).level()).isEqualTo(Level.WARN);
    assertThat(lines.get(0).fields()).isEqualTo(Map.of("execution", "order-42"));
    assertThat(lines.get(1).fields())
        .containsAllEntriesOf(Map.of("execution", "order-42", "step", "item/charge", "attempt", 1));
    assertThat(lines.get(2).fields()).containsEntry("attempt", 2);
  }

  @Test
  void aStepThatTheCodeNoLongerHasDoesNotSilenceItForEver() {
    var declared = Workflow.of("log", Void.class);
    var before =
        declared.body(
            (step, none) -> {
              step.run("removed", () -> {});
              step.sleep("wait", Duration.ofMinutes(1));
              return nothing();
            });
    var after =
        declared.body(
            (step, none) -> {
              step.logger().info("replayed");
              step.sleep("wait", Duration.ofMinutes(1));
              step.run("new", () -> {});
              step.logger().info("goes on");
              return nothing();
            });
    Node first = node(before);
    var execution = start(first, before);
    awaitAsleep(execution, "wait");
    Node second = restart(first, after);
    clock.advance(Duration.ofMinutes(1));
    result(second.client().execution(after, execution.id()));

    assertThat(LogBook.ofWorkflow("log")).extracting(Line::message).containsExactly("goes on");
  }
}
