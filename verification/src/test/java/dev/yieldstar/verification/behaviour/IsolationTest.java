package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.StartOptions;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What is bad about one execution stays with it.
class IsolationTest extends Behaviour {
  private static final Workflow<Integer, Integer> ECHO =
      Workflow.of("echo", Integer.class, Integer.class, (step, n) -> step.run("say", () -> n));

  @Test
  @DisplayName("S09 attributes that are too many, too long or no text are refused")
  void attributesHaveLimits() {
    Node node = node(ECHO);
    for (var attributes :
        List.of(
            Map.of("key", "x".repeat(1_001)),
            Map.of("k".repeat(256), "x"),
            Map.of("", "x"),
            Map.of("key", "half \ud800"),
            Map.of("key", "nul \0"))) {
      assertThatThrownBy(
              () -> node.client().start(ECHO, 1, StartOptions.id("refused").attributes(attributes)))
          .isInstanceOfSatisfying(
              YieldstarException.class,
              refused -> assertThat(refused.code()).isEqualTo("INVALID_EXECUTION_EVENT"));
    }
    assertThatThrownBy(() -> node.client().execution("refused").view())
        .hasMessageContaining("no execution");
  }

  @Test
  @DisplayName("G9 a command that fails in a way that is not foreseen costs its neighbours nothing")
  void oneBadCommandFailsAlone() {
    Node node = node(ECHO);
    node.line()
        .commits(
            (target, batch) -> {
              if (batch.stream().anyMatch(IsolationTest::isBad)) {
                throw new IllegalStateException("made to fail by a test");
              }
              return target.apply(batch);
            });
    var failures = new AtomicInteger();
    var results = new CopyOnWriteArrayList<Integer>();
    IntStream.range(0, 40)
        .mapToObj(n -> Thread.ofVirtual().start(() -> startOne(node, n, results, failures)))
        .toList()
        .forEach(IsolationTest::join);

    assertThat(failures).hasValue(4);
    assertThat(results).hasSize(36);
  }

  private void startOne(Node node, int n, List<Integer> results, AtomicInteger failures) {
    String id = (n % 10 == 0 ? "bad-" : "good-") + n;
    try {
      results.add(result(node.client().start(ECHO, n, StartOptions.id(id))));
    } catch (RuntimeException e) {
      failures.incrementAndGet();
    }
  }

  private static boolean isBad(Command command) {
    return command instanceof Command.Admit admit && admit.admission().id().startsWith("bad");
  }

  private static void join(Thread thread) {
    try {
      thread.join(SOON);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("G8 an error of the process while a failure is recorded is no failure of the step")
  void anErrorOfTheProcessWhileRecording() {
    var attempts = new AtomicInteger();
    Workflow<Void, String> workflow =
        Workflow.of(
            "exhausted",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                step.run(
                    "fails",
                    () -> {
                      if (attempts.incrementAndGet() == 1) {
                        throw new Exhausting();
                      }
                    });
              } catch (Throwable e) {
                return "saw " + e.getClass().getSimpleName();
              }
              return "went on";
            });
    Node node = node(workflow);
    var execution = start(node, workflow);

    awaitGivenBack(execution, 1);
    assertThat(journal(execution)).isEmpty();
    clock.advance(Duration.ofSeconds(1));

    assertThat(result(execution)).isEqualTo("went on");
    assertThat(attempts).hasValue(2);
  }

  private static final class Exhausting extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("made by a test");
    }
  }
}
