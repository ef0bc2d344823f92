package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.verification.logs.LogBook;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/// How a suspension leaves workflow code, and what code that gets in its way can't do.
class SuspensionTest extends Behaviour {
  private final AtomicInteger fallbacks = new AtomicInteger();

  private String fallback(Steps step) {
    return step.run("fallback", () -> "fallback " + fallbacks.incrementAndGet());
  }

  /// Runs it over its one sleep of a minute.
  private String runThrough(Workflow<Void, String> workflow) {
    Node first = node(workflow);
    var execution = start(first, workflow);
    awaitAsleep(execution, "sleep");
    assertThat(journal(execution)).hasSize(1);
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));
    return result(second.client().execution(workflow, execution.id()));
  }

  private static String sleepThenRun(Steps step) {
    step.sleep("sleep", Duration.ofMinutes(1));
    return step.run("a", () -> "a");
  }

  @Test
  @DisplayName("Y07 DET-01 catch (Throwable) does not take the failure branch")
  void catchThrowableDoesNotTakeTheFailureBranch() {
    var workflow =
        Workflow.of(
            "catch",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return sleepThenRun(step);
              } catch (Throwable t) {
                return fallback(step);
              }
            });

    assertThat(runThrough(workflow)).isEqualTo("a");
    assertThat(fallbacks).hasValue(0);
  }

  @Test
  @DisplayName("DET-01 nor does a catch in a loop, in a stream, in a future or in a Callable")
  void nestedCatchesDoNotTakeTheFailureBranch() {
    List<java.util.function.Function<Steps, String>> shapes =
        List.of(
            step -> {
              for (int i = 0; i < 3; i++) {
                try {
                  return sleepThenRun(step);
                } catch (Throwable t) {
                  fallback(step);
                }
              }
              return "after the loop";
            },
            step ->
                Stream.of(1, 2)
                    .map(
                        i -> {
                          try {
                            return i == 1 ? sleepThenRun(step) : "";
                          } catch (Throwable t) {
                            return fallback(step);
                          }
                        })
                    .reduce("", String::concat),
            step ->
                CompletableFuture.supplyAsync(() -> sleepThenRun(step), Runnable::run)
                    .exceptionally(error -> fallback(step))
                    .join(),
            step -> {
              Callable<String> callable = () -> sleepThenRun(step);
              try {
                return callable.call();
              } catch (Throwable t) {
                return fallback(step);
              }
            });
    for (int i = 0; i < shapes.size(); i++) {
      var shape = shapes.get(i);
      var workflow =
          Workflow.of("catch-" + i, Void.class, String.class, (step, none) -> shape.apply(step));

      assertThat(runThrough(workflow)).as("shape %d", i).isEqualTo("a");
    }
    assertThat(fallbacks).hasValue(0);
  }

  @Test
  @DisplayName(
      "DET-01 what is returned after a swallowed suspension is discarded, with a warning that names the key")
  void aSwallowedSuspensionIsDiscardedAndWarned() {
    var workflow =
        Workflow.of(
            "swallow",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return sleepThenRun(step);
              } catch (Throwable t) {
                return "made up";
              }
            });

    assertThat(runThrough(workflow)).isEqualTo("a");
    assertThat(LogBook.lines(Level.WARN, "swallowed"))
        .singleElement()
        .satisfies(line -> assertThat(line.message()).contains("'sleep'").contains("execution '"));
  }

  @Test
  @DisplayName("DET-01 another exception that takes its place does not fail the execution")
  void anExceptionInPlaceOfTheSuspensionIsDiscarded() {
    var workflow =
        Workflow.of(
            "replace",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return sleepThenRun(step);
              } catch (Throwable t) {
                throw new IllegalStateException("wrapped", t);
              }
            });

    assertThat(runThrough(workflow)).isEqualTo("a");
  }

  @Test
  @DisplayName("Y07 catch (Exception) and catch (Error) do not see it")
  void exceptionsAndErrorsAreOtherThings() {
    var seen = new CopyOnWriteArrayList<Throwable>();
    var workflow =
        Workflow.of(
            "catch",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return sleepThenRun(step);
              } catch (Exception | Error e) {
                seen.add(e);
                throw e;
              }
            });

    assertThat(runThrough(workflow)).isEqualTo("a");
    assertThat(seen).isEmpty();
  }

  @Test
  @DisplayName("Y07 DET-02 finally runs once a pass, and its steps only after the last wait")
  void finallyRunsOnceAPass() {
    var finallies = new AtomicInteger();
    var cleanups = new AtomicInteger();
    var closed = new AtomicInteger();
    var workflow =
        Workflow.of(
            "finally",
            Void.class,
            String.class,
            (step, none) -> {
              AutoCloseable resource = closed::incrementAndGet;
              try (resource) {
                for (int i = 0; i < 3; i++) {
                  step.sleep("sleep-" + i, Duration.ofMinutes(1));
                }
                return "slept";
              } finally {
                finallies.incrementAndGet();
                step.run("cleanup", cleanups::incrementAndGet);
              }
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    for (int i = 0; i < 3; i++) {
      awaitAsleep(execution, "sleep-" + i);
      assertThat(cleanups).hasValue(0);
      clock.advance(Duration.ofMinutes(1));
    }

    assertThat(result(execution)).isEqualTo("slept");
    assertThat(cleanups).hasValue(1);
    assertThat(finallies).as("three suspensions and the end").hasValue(4);
    assertThat(closed).hasValue(4);
    assertThat(journal(execution).getLast().key()).isEqualTo("cleanup");
    assertThat(LogBook.lines(Level.WARN, "swallowed")).isEmpty();
  }

  @Test
  @DisplayName(
      "DET-01 a loop without end around the suspension is given up, and the execution goes on")
  void aLoopWithoutEndIsGivenUp() {
    var turns = new AtomicInteger();
    var workflow =
        Workflow.of(
            "loop",
            Void.class,
            String.class,
            (step, none) -> {
              while (true) {
                try {
                  turns.incrementAndGet();
                  return sleepThenRun(step);
                } catch (Throwable t) {
                  continue; // as a loop does that tries again whatever happens
                }
              }
            });

    assertThat(runThrough(workflow)).isEqualTo("a");
    assertThat(LogBook.lines(Level.ERROR, "given up"))
        .singleElement()
        .satisfies(line -> assertThat(line.message()).contains("'sleep'").contains("execution '"));
    assertThat(turns).hasValueLessThan(3_000);
  }

  @Test
  @DisplayName("Y07 no operation of any kind runs or records while the function is being left")
  void nothingRunsWhileItIsLeft() {
    var ran = new AtomicInteger();
    var workflow =
        Workflow.of(
            "leaving",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return sleepThenRun(step);
              } catch (Throwable t) {
                List<Runnable> operations =
                    List.of(
                        () -> step.run("x1", ran::incrementAndGet),
                        () -> step.sleep("x2", Duration.ZERO),
                        () -> step.poll("x3", Duration.ZERO, 2, () -> ran.incrementAndGet() > 0),
                        () -> step.now("x4"),
                        () -> step.random("x5"),
                        () -> step.randomUuid("x6"),
                        () -> step.scope("x").run("x7", ran::incrementAndGet));
                for (Runnable operation : operations) {
                  try {
                    operation.run();
                    ran.incrementAndGet();
                  } catch (Throwable again) {
                    assertThat(again).isSameAs(t);
                  }
                }
                throw t;
              }
            });

    assertThat(runThrough(workflow)).isEqualTo("a");
    assertThat(ran).hasValue(0);
  }
}
