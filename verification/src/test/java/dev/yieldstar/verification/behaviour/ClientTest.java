package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Execution;
import dev.yieldstar.ExecutionFailed;
import dev.yieldstar.ResultTimeout;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Status;
import dev.yieldstar.Workflow;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Command;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The client in the process of the engine, and the one beside it.
class ClientTest extends Behaviour {
  private final AtomicInteger ran = new AtomicInteger();
  private final Workflow<String, String> greet =
      Workflow.of(
          "greet",
          String.class,
          String.class,
          (step, name) -> {
            ran.incrementAndGet();
            return "Hello " + name;
          });
  private final Workflow<Void, String> asleep =
      Workflow.of(
          "asleep",
          Void.class,
          String.class,
          (step, none) -> {
            step.sleep("sleep", Duration.ofDays(1));
            return "awake";
          });

  private static void assertCode(String code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  @DisplayName("Y52 a client starts, and waits for the result")
  void aClientStartsAndWaits() {
    var execution = node(greet).client().start(greet, "Ada");

    assertThat(result(execution)).isEqualTo("Hello Ada");
    assertThat(execution.status()).isEqualTo(Status.COMPLETED);
    assertThat(execution.view().result()).contains("\"Hello Ada\"");
    assertThat(execution.view().finishedAt()).contains(START);
  }

  @Test
  @DisplayName("Y52 a start that matches an earlier one under its id answers with that execution")
  void aMatchingStartAnswersWithTheFirst() {
    Node node = node(greet);
    var first = node.client().start(greet, "Ada", StartOptions.id("hello"));
    result(first);
    var again = node.client().start(greet, "Ada", StartOptions.id("hello"));

    assertThat(again.id()).isEqualTo("hello");
    assertThat(result(again)).isEqualTo("Hello Ada");
    assertThat(ran).hasValue(1);
  }

  @Test
  @DisplayName("Y52 a start that conflicts with an earlier one under its id is an error")
  void aConflictingStartIsAnError() {
    Node node = node(greet, asleep);
    var first = node.client().start(greet, "Ada", StartOptions.id("hello"));

    assertCode(
        "EXECUTION_ID_CONFLICT",
        () -> node.client().start(greet, "Grace", StartOptions.id("hello")));
    assertCode("EXECUTION_ID_CONFLICT", () -> start(node, asleep, "hello"));
    assertThat(result(first)).isEqualTo("Hello Ada");
    assertThat(ran).hasValue(1);
  }

  @Test
  @DisplayName("Y52 concurrent starts under one id are one execution")
  void concurrentStartsAreOneExecution() {
    Node node = node(greet);
    List<Execution<String>> all =
        IntStream.range(0, 32)
            .parallel()
            .mapToObj(i -> node.client().start(greet, "Ada", StartOptions.id("hello")))
            .toList();

    assertThat(all).allSatisfy(each -> assertThat(result(each)).isEqualTo("Hello Ada"));
    assertThat(ran).hasValue(1);
  }

  @Test
  @DisplayName("Y52 many are started together, each under an id of its own")
  void manyAreStartedTogether() {
    var all = node(greet).client().startAll(greet, List.of("Ada", "Grace", "Barbara"));

    assertThat(all.stream().map(this::result))
        .containsExactly("Hello Ada", "Hello Grace", "Hello Barbara");
    assertThat(all).extracting(Execution::id).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("Y52 a client that runs nothing starts for others, and waits for what they run")
  void aClientThatRunsNothing() {
    Line own = openLine();
    try (var client = Yieldstar.on(own).client()) {
      var execution = client.start(greet, "Ada");
      assertThat(execution.status()).isEqualTo(Status.ADMITTED);
      node(greet);

      assertThat(result(execution)).isEqualTo("Hello Ada");
    }
  }

  @Test
  void aResultThatIsNotThereInTimeLeavesTheExecutionAlone() {
    Node node = node(asleep);
    var execution = start(node, asleep);

    assertThatThrownBy(() -> execution.result(Duration.ofMillis(1)))
        .isExactlyInstanceOf(ResultTimeout.class)
        .hasMessageContaining(execution.id())
        .hasMessageContaining("it goes on");
    assertThatThrownBy(() -> execution.result(Duration.ZERO)).isInstanceOf(ResultTimeout.class);
    assertThatThrownBy(() -> execution.result(Duration.ofSeconds(-1)))
        .isInstanceOf(ResultTimeout.class);
    awaitAsleep(execution, "sleep");
    clock.advance(Duration.ofDays(1));
    assertThat(execution.result(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("awake");
    assertThat(execution.result(Duration.ZERO)).isEqualTo("awake");
  }

  @Test
  void anInterruptedWaitSaysSoAndKeepsTheFlag() throws InterruptedException {
    var execution = start(node(asleep), asleep);
    var error = new AtomicReference<Throwable>();
    var flag = new AtomicReference<Boolean>();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    execution.result(SOON);
                  } catch (YieldstarException e) {
                    error.set(e);
                    flag.set(Thread.currentThread().isInterrupted());
                  }
                });
    waiting.interrupt();
    waiting.join();

    assertThat(error.get())
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("INTERRUPTED"));
    assertThat(flag.get()).isTrue();
    assertThat(execution.status().isTerminal()).isFalse();
  }

  @Test
  void anExecutionThatIsNotThereShowsWhenItIsAsked() {
    Node node = node(greet);
    var nobody = node.client().execution(greet, "nobody");

    assertCode("EXECUTION_NOT_FOUND", nobody::status);
    assertCode("EXECUTION_NOT_FOUND", nobody::view);
    assertCode("EXECUTION_NOT_FOUND", nobody::journal);
    assertCode("EXECUTION_NOT_FOUND", () -> result(nobody));
    assertThatThrownBy(() -> nobody.outcome().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseInstanceOf(YieldstarException.class);
  }

  @Test
  void aDelayedStartIsNotDeliveredBefore() {
    Node node = node(greet);
    var later = node.client().start(greet, "later", StartOptions.none().delay(Duration.ofHours(1)));
    var at = node.client().start(greet, "at", StartOptions.none().at(START.plusSeconds(7200)));
    result(node.client().start(greet, "now"));

    assertThat(later.status()).isEqualTo(Status.ADMITTED);
    assertThat(later.view().due()).contains(START.plusSeconds(3600));
    assertThat(at.view().due()).contains(START.plusSeconds(7200));
    assertThat(ran).hasValue(1);
    clock.advance(Duration.ofHours(1));
    assertThat(result(later)).isEqualTo("Hello later");
    assertThat(at.status()).isEqualTo(Status.ADMITTED);
    clock.advance(Duration.ofHours(1));
    assertThat(result(at)).isEqualTo("Hello at");
  }

  @Test
  void startsOfThePastAreDueNow() {
    Node node = node(greet);

    assertThat(
            result(
                node.client()
                    .start(greet, "Ada", StartOptions.none().delay(Duration.ofSeconds(-1)))))
        .isEqualTo("Hello Ada");
    assertThat(
            result(
                node.client().start(greet, "Ada", StartOptions.none().at(START.minusSeconds(1)))))
        .isEqualTo("Hello Ada");
  }

  @Test
  void attributesAndInfoAreSeen() {
    var info = new CopyOnWriteArrayList<String>();
    var workflow =
        Workflow.of(
                "info",
                Void.class,
                (step, none) -> {
                  var own = step.execution();
                  info.add(own.id() + " " + own.workflow() + " " + own.version().orElseThrow());
                  info.add(own.incarnation() + " " + own.startedAt() + " " + own.parentId());
                })
            .version("7");
    Node node = node(workflow);
    var execution =
        start(node, workflow, StartOptions.id("x").attributes(Map.of("customer", "42")));
    result(execution);

    assertThat(info).containsExactly("x info 7", "1 2026-12-01T10:00:00Z Optional.empty");
    assertThat(execution.view().attributes()).isEqualTo(Map.of("customer", "42"));
    assertThat(execution.view().version()).contains("7");
    assertThat(execution.view().incarnation()).isEqualTo(1);
  }

  @Test
  void attributesThatCannotBeKeptAreRefused() {
    Node node = node(greet);
    var nulls = new HashMap<String, String>();
    nulls.put("customer", nothing());
    List<Map<String, String>> bad =
        List.of(
            Map.of("", "42"),
            Map.of("x".repeat(256), "42"),
            Map.of("customer", "nul\0"),
            Map.of("customer", "half \ud800"),
            Map.of("customer", "x".repeat(1_001)),
            Map.of("$$own", "42"),
            nulls);
    for (Map<String, String> attributes : bad) {
      assertCode(
          "INVALID_EXECUTION_EVENT",
          () -> node.client().start(greet, "Ada", StartOptions.id("bad").attributes(attributes)));
    }
    assertCode("EXECUTION_NOT_FOUND", () -> node.client().execution("bad").status());
    var kept =
        node.client()
            .start(
                greet,
                "Ada",
                StartOptions.id("good").attributes(Map.of("empty", "", "long", "x".repeat(1_000))));
    assertThat(kept.view().attributes()).containsEntry("empty", "").hasSize(2);
  }

  @Test
  void aVersionThatCannotBeKeptIsRefused() {
    Node node = node(greet);

    assertCode(
        "INVALID_START_PARAMETERS",
        () -> node.client().start(greet.version("nul\0"), "Ada", StartOptions.id("bad")));
  }

  @Test
  void aWorkflowWithoutParamsIsStartedWithoutAny() {
    Node node = node(asleep);
    var first = node.client().start(asleep);

    var second = node.client().start(asleep, nothing());

    assertThat(first.view().params()).isEmpty();
    assertThat(second.view().params()).isEmpty();
  }

  @Test
  void theOutcomeAsAStageEndsAsTheResultDoes() {
    var failing =
        Workflow.of(
            "failing",
            Void.class,
            (step, none) -> {
              throw new IllegalStateException("no");
            });
    Node node = node(greet, failing);
    var greeted = node.client().start(greet, "Ada").outcome().toCompletableFuture();
    var failed = start(node, failing).outcome().toCompletableFuture();

    assertThat(greeted.join()).isEqualTo("Hello Ada");
    assertThatThrownBy(failed::join)
        .cause()
        .isInstanceOf(ExecutionFailed.class)
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void cancellingTheStageDoesNothingToTheExecution() {
    Node node = node(asleep);
    var execution = start(node, asleep);
    execution.outcome().toCompletableFuture().cancel(true);
    awaitAsleep(execution, "sleep");
    clock.advance(Duration.ofDays(1));

    assertThat(result(execution)).isEqualTo("awake");
  }

  @Test
  void aResultOfAnUnknownWorkflowIsItsText() {
    Node node = node(greet);
    String id = node.client().start(greet, "Ada").id();

    assertThat(result(node.client().execution(id))).isEqualTo("\"Hello Ada\"");
  }

  @Test
  void aResultThatIsReadAsAnotherTypeSaysSo() {
    Node node = node(greet);
    String id = node.client().start(greet, "Ada").id();
    var other = Workflow.of("greet", String.class, Integer.class);

    assertThatThrownBy(() -> result(node.client().execution(other, id)))
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("UNDECODABLE_VALUE"))
        .hasMessageContaining(id);
  }

  @Test
  void aStartThatTheBackendRefusesForItsDataThrows() {
    Node node = node(greet);
    node.line()
        .failing(1, BackendException.Fault.DATA, command -> command instanceof Command.Admit);

    assertCode("BACKEND_DATA", () -> node.client().start(greet, "Ada", StartOptions.id("refused")));
    assertThat(result(node.client().start(greet, "Ada", StartOptions.id("refused"))))
        .isEqualTo("Hello Ada");
  }

  @Test
  void aStartThatTheBackendDoesNotAnswerIsUnknownAndMayBeAskedAgain() {
    Node node = node(builder -> builder.startTimeout(Duration.ofMillis(20)), greet);
    Line.Held held = node.line().hold(command -> command instanceof Command.Admit);

    assertCode(
        "START_OUTCOME_UNKNOWN", () -> node.client().start(greet, "Ada", StartOptions.id("slow")));
    held.released().open();
    var execution = node.client().execution(greet, "slow");
    eventually(() -> hasStarted(execution));
    assertThat(result(execution)).isEqualTo("Hello Ada");
    assertThat(ran).hasValue(1);
  }

  private static boolean hasStarted(Execution<?> execution) {
    try {
      execution.status();
      return true;
    } catch (YieldstarException e) {
      return false;
    }
  }

  @Test
  void aStartIsRetriedUntilTheBackendTakesIt() {
    Node node = node(greet);
    node.line()
        .failing(
            3, BackendException.Fault.UNAVAILABLE, command -> command instanceof Command.Admit);

    assertThat(result(node.client().start(greet, "Ada"))).isEqualTo("Hello Ada");
    assertThat(ran).hasValue(1);
  }

  @Test
  void aClosedEngineRefusesStarts() {
    Node node = node(greet);
    node.stop();

    assertCode("BACKEND_CLOSED", () -> node.client().start(greet, "Ada"));
  }
}
