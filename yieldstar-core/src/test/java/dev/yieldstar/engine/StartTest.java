package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Execution;
import dev.yieldstar.ExecutionFailed;
import dev.yieldstar.StartOptions;
import dev.yieldstar.StartOutcomeUnknown;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Starts through a whole engine: what is born leased, and what becomes of starts in trouble.
final class StartTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  private final CapturedLog log = new CapturedLog();
  private final ScriptedBackend backend = new ScriptedBackend();
  private final CountDownLatch hold = new CountDownLatch(1);
  private final AtomicInteger ran = new AtomicInteger();
  private final List<Engine> engines = new ArrayList<>();

  private final Workflow<String, String> echo =
      Workflow.of(
          "order",
          String.class,
          String.class,
          (step, params) -> {
            ran.incrementAndGet();
            return params;
          });

  private final Workflow<String, String> slow =
      Workflow.of(
          "slow",
          String.class,
          String.class,
          (step, params) -> {
            hold.await();
            return params;
          });

  private final Workflow<String, String> failing =
      Workflow.of(
          "failing",
          String.class,
          String.class,
          (step, params) -> {
            throw new IllegalArgumentException("declined");
          });

  private Engine start(EngineSettings settings) {
    Engine engine = EngineRig.started(backend, settings, echo, slow, failing);
    engines.add(engine);
    soon().until(() -> !backend.claims.isEmpty());
    return engine;
  }

  @AfterEach
  void close() {
    hold.countDown();
    engines.forEach(Engine::close);
    log.close();
  }

  private boolean wasClaimed(String id) {
    long lease = backend.find(id).map(state -> state.ended().leaseId()).orElseThrow();
    return backend.claims.stream().anyMatch(claim -> claim.leaseId() == lease);
  }

  @Test
  @DisplayName("S30 a result reaches whoever waits for it in this process")
  void aResultReachesWhoeverWaits() {
    Engine engine = start(EngineRig.settings());
    assertThat(engine.client().start(echo, "a").result(LONG)).isEqualTo("a");
  }

  @Test
  @DisplayName("S30 an error reaches whoever waits for it in this process")
  void anErrorReachesWhoeverWaits() {
    Engine engine = start(EngineRig.settings());
    assertThatThrownBy(() -> engine.client().start(failing, "a").result(LONG))
        .isInstanceOf(ExecutionFailed.class)
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("declined");
  }

  @Test
  void whereASlotIsFreeAStartIsBornLeased() {
    Engine engine = start(EngineRig.settings());
    soon()
        .untilAsserted(
            () -> {
              Execution<String> execution = engine.client().start(echo, "a");
              execution.result(LONG);
              assertThat(wasClaimed(execution.id())).isFalse();
            });
  }

  @Test
  void aStartForLaterIsNotBornLeased() {
    Engine engine = start(EngineRig.settings());
    Execution<String> execution =
        engine.client().start(echo, "a", StartOptions.none().delay(Duration.ofMillis(30)));
    assertThat(execution.result(LONG)).isEqualTo("a");
    assertThat(wasClaimed(execution.id())).isTrue();
  }

  @Test
  void beyondTheSlotsStartsAreClaimedWhenOneIsFree() {
    Engine engine = start(EngineRig.settings().withConcurrency(1));
    soon().until(() -> startsBornLeased(engine));
    Execution<String> waits = engine.client().start(echo, "waits");
    assertThat(ran).hasValue(0);
    hold.countDown();
    assertThat(waits.result(LONG)).isEqualTo("waits");
    assertThat(wasClaimed(waits.id())).isTrue();
  }

  private boolean startsBornLeased(Engine engine) {
    Execution<String> execution = engine.client().start(slow, "slow");
    return backend.find(execution.id()).orElseThrow().live().leased();
  }

  @Test
  void ofTwoEqualStartsInOneBatchOneDelivers() {
    Engine engine = start(EngineRig.settings());
    var first = new AtomicBoolean(true);
    backend.onCommit =
        (batch, inner) -> {
          if (first.compareAndSet(true, false)) {
            Uninterruptibly.await(hold);
          }
          return inner.commit(batch);
        };
    List<CompletableFuture<Execution<String>>> starts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      starts.add(
          CompletableFuture.supplyAsync(
              () -> engine.client().start(echo, "same", StartOptions.id("same")),
              Thread::startVirtualThread));
    }
    soon().until(() -> backend.batches.size() == 1);
    hold.countDown();
    starts.forEach(start -> assertThat(start.join().result(LONG)).isEqualTo("same"));
    assertThat(ran).hasValue(1);
  }

  @Test
  void aStartWhoseCommitIsUncertainIsSentAgainAndDeliveredOnce() {
    Engine engine = start(EngineRig.settings());
    var lost = new AtomicBoolean(true);
    backend.onCommit =
        (batch, inner) -> {
          List<Reply> replies = inner.commit(batch);
          if (batch.getFirst() instanceof Command.Admit && lost.compareAndSet(true, false)) {
            throw ScriptedBackend.unavailable();
          }
          return replies;
        };
    assertThat(engine.client().start(echo, "a", StartOptions.id("a")).result(LONG)).isEqualTo("a");
    assertThat(backend.sent(Command.Admit.class)).hasSize(2);
    assertThat(ran).hasValue(1);
  }

  @Test
  void aTakenInternalIdIsDrawnAgain() {
    Engine engine = start(EngineRig.settings());
    var taken = new AtomicBoolean(true);
    backend.onCommit =
        (batch, inner) ->
            batch.getFirst() instanceof Command.Admit && taken.compareAndSet(true, false)
                ? List.of(new Reply.Refused(Reply.INTERNAL_ID_TAKEN, "scripted"))
                : inner.commit(batch);
    assertThat(engine.client().start(echo, "a").result(LONG)).isEqualTo("a");
    assertThat(backend.sent(Command.Admit.class))
        .extracting(admit -> admit.admission().execution())
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  @Test
  void aStartWhoseTimeRunsOutSaysThatItsOutcomeIsUnknown() {
    Engine engine = start(EngineRig.settings().withStartTimeout(Duration.ofMillis(30)));
    backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    assertThatThrownBy(() -> engine.client().start(echo, "a", StartOptions.id("a")))
        .isInstanceOf(StartOutcomeUnknown.class)
        .hasMessageContaining("'a'");
    hold.countDown();
    Engine patient = start(EngineRig.settings());
    assertThat(patient.client().start(echo, "a", StartOptions.id("a")).result(LONG)).isEqualTo("a");
    assertThat(ran).hasValue(1);
  }

  @Test
  void aStartThatFindsNoRoomForItsTimeHasNotStarted() {
    Engine engine = start(EngineRig.settings().withStartTimeout(Duration.ofMillis(30)));
    backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    List<CompletableFuture<Execution<String>>> starts = new ArrayList<>();
    for (int i = 0; i < CommandQueue.CAPACITY + 10; i++) {
      if (i == 1) {
        soon().until(() -> backend.batches.size() == 1); // the first is on its way, alone
      }
      starts.add(
          CompletableFuture.supplyAsync(
              () -> engine.client().start(echo, "a"), Thread::startVirtualThread));
    }
    soon().until(() -> starts.stream().allMatch(CompletableFuture::isDone));
    List<String> codes =
        starts.stream()
            .map(start -> (YieldstarException) start.exceptionNow())
            .map(YieldstarException::code)
            .distinct()
            .toList();
    assertThat(codes).containsExactlyInAnyOrder("START_OUTCOME_UNKNOWN", "BACKEND_BUSY");
  }

  @Test
  void aStartThatIsRefusedAsDataThrows() {
    Engine engine = start(EngineRig.settings());
    backend.onCommit =
        (batch, inner) -> {
          throw ScriptedBackend.refusedData();
        };
    assertThatThrownBy(() -> engine.client().start(echo, "a"))
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("BACKEND_DATA"));
    backend.onCommit = (batch, inner) -> inner.commit(batch);
    assertThat(engine.client().start(echo, "b").result(LONG)).isEqualTo("b");
  }

  @Test
  void everyReservationIsGivenBackWhateverBecomesOfTheStart() {
    Engine engine = start(EngineRig.settings().withConcurrency(2));
    backend.onCommit =
        (batch, inner) -> {
          throw ScriptedBackend.refusedData();
        };
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> engine.client().start(echo, "a"))
          .isInstanceOf(YieldstarException.class);
    }
    backend.onCommit = (batch, inner) -> inner.commit(batch);
    int claims = backend.claims.size();
    soon().until(() -> backend.claims.size() > claims + 1);
    assertThat(backend.claims.getLast()).extracting(ClaimRequest::limit).isEqualTo(2);
  }
}
