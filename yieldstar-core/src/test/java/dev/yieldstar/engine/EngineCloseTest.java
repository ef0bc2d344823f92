package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Execution;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.LastDelivery;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How a whole engine is closed.
final class EngineCloseTest {
  private final CapturedLog log = new CapturedLog();
  private final ScriptedBackend backend = new ScriptedBackend();
  private final CountDownLatch hold = new CountDownLatch(1);
  private final CountDownLatch inStep = new CountDownLatch(1);
  private final AtomicInteger ran = new AtomicInteger();

  /// Waits in a step until it is interrupted or let go.
  private final Workflow<String, String> waiting =
      Workflow.of(
          "order",
          String.class,
          String.class,
          (step, params) ->
              step.run(
                  "wait",
                  () -> {
                    ran.incrementAndGet();
                    inStep.countDown();
                    hold.await();
                    return params;
                  }));

  @AfterEach
  void close() {
    hold.countDown();
    log.close();
  }

  @Test
  void closeTwiceIsOnce() {
    var closed = new AtomicInteger();
    backend.onClose = closed::incrementAndGet;
    Engine engine = EngineRig.started(backend, EngineRig.settings(), waiting);
    engine.close();
    engine.close();
    assertThat(closed).hasValue(1);
    assertThat(log.warnings()).isEmpty();
    assertThat(log.errors()).isEmpty();
  }

  @Test
  void whoClosesWhileAnotherDoesWaitsForThat() {
    backend.onClose = () -> Uninterruptibly.await(hold);
    Engine engine =
        EngineRig.started(
            backend, EngineRig.settings().withShutdownTimeout(Duration.ofSeconds(5)), waiting);
    engine.client().start(waiting, "a");
    Uninterruptibly.await(inStep);
    CompletableFuture<Void> first = CompletableFuture.runAsync(engine::close);
    CompletableFuture<Void> second = CompletableFuture.runAsync(engine::close);
    stays(() -> !first.isDone() && !second.isDone());
    hold.countDown();
    assertThat(first).succeedsWithin(Duration.ofSeconds(5));
    assertThat(second).succeedsWithin(Duration.ofSeconds(5));
  }

  @Test
  void aCloseIsBoundedWhereTheBackendHangs() {
    Engine engine = EngineRig.started(backend, EngineRig.settings(), waiting);
    backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    backend.onClose = () -> Uninterruptibly.await(hold);
    CompletableFuture<Execution<String>> start =
        CompletableFuture.supplyAsync(() -> engine.client().start(waiting, "a"));
    soon().until(() -> backend.batches.size() == 1);
    assertThat(CompletableFuture.runAsync(engine::close)).succeedsWithin(Duration.ofSeconds(8));
    assertThat(start)
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableOfType(Exception.class)
        .withMessageContaining("Whether execution", "is not known");
    assertThat(log.warnings()).anyMatch(line -> line.contains("has not closed within"));
  }

  @Test
  void aCloseGoesOnWhereTheBackendThrows() {
    backend.onClaim =
        (request, inner) -> {
          throw ScriptedBackend.unavailable();
        };
    backend.onCommit =
        (batch, inner) -> {
          throw ScriptedBackend.unavailable();
        };
    backend.onClose =
        () -> {
          throw ScriptedBackend.unavailable();
        };
    Engine engine = EngineRig.started(backend, EngineRig.settings(), waiting);
    soon().until(() -> !backend.claims.isEmpty());
    assertThat(CompletableFuture.runAsync(engine::close)).succeedsWithin(Duration.ofSeconds(8));
    assertThat(log.errors()).anyMatch(line -> line.contains("closing the backend failed"));
  }

  @Test
  void aCloseFromWithinAStepIsBounded() {
    var engine = new CompletableFuture<Engine>();
    var closed = new CompletableFuture<Boolean>();
    Workflow<String, String> closing =
        Workflow.of(
            "closing",
            String.class,
            String.class,
            (step, params) ->
                step.run(
                    "close",
                    () -> {
                      engine.join().close();
                      closed.complete(Thread.currentThread().isInterrupted());
                      return params;
                    }));
    engine.complete(EngineRig.started(backend, EngineRig.settings(), closing, waiting));
    engine.join().client().start(waiting, "b", StartOptions.id("b"));
    Uninterruptibly.await(inStep);
    engine.join().client().start(closing, "a", StartOptions.id("a"));
    assertThat(closed).succeedsWithin(Duration.ofSeconds(8)).isEqualTo(true);
    // The others are handed over all the same.
    assertThat(backend.find("b").orElseThrow().live().last()).isEqualTo(LastDelivery.HANDED_OVER);
  }

  @Test
  @DisplayName(
      "SHU-02 a step that stops when told to is handed over, and goes on elsewhere at once")
  void aStepThatStopsIsHandedOver() {
    Engine first =
        EngineRig.started(
            backend, EngineRig.settings().withAbortGracePeriod(Duration.ofSeconds(5)), waiting);
    first.client().start(waiting, "a", StartOptions.id("a"));
    Uninterruptibly.await(inStep);
    first.close();
    assertThat(backend.find("a").orElseThrow().live().last()).isEqualTo(LastDelivery.HANDED_OVER);
    assertThat(ran).hasValue(1);

    hold.countDown();
    Engine second = EngineRig.started(backend, EngineRig.settings(), waiting);
    assertThat(second.client().execution(waiting, "a").result(Duration.ofSeconds(5)))
        .isEqualTo("a");
    assertThat(ran).hasValue(2);
    second.close();
  }

  @Test
  void whatIsAskedOfAClosedEngineIsRefused() {
    Engine engine = EngineRig.started(backend, EngineRig.settings(), waiting);
    engine.close();
    assertThatThrownBy(() -> engine.client().start(waiting, "a"))
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("BACKEND_CLOSED"));
    assertThatThrownBy(() -> engine.client().execution(waiting, "a").result(Duration.ofSeconds(5)))
        .isInstanceOf(YieldstarException.class);
  }

  @Test
  void noThreadOfAClosedEngineIsLeft() {
    Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    Engine engine = EngineRig.started(backend, EngineRig.settings().withKeepAlive(true), waiting);
    hold.countDown();
    engine.client().start(waiting, "a").result(Duration.ofSeconds(5));
    engine.close();
    soon()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(
                        thread ->
                            !before.contains(thread) && thread.getName().startsWith("yieldstar")));
  }
}
