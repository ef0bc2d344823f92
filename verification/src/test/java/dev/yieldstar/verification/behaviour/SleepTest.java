package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.PollExhausted;
import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Waits for a time: sleeps and polls.
class SleepTest extends Behaviour {

  /// A wait, between two marks in the journal.
  private interface Wait {
    void on(Steps step);
  }

  private static Workflow<Void, String> around(Wait wait) {
    return Workflow.of(
        "nap",
        Void.class,
        String.class,
        (step, none) -> {
          wait.on(step);
          return "awake";
        });
  }

  @Test
  @DisplayName("Y04 a sleep records when it ends once, and is not begun anew by a restart")
  void aSleepIsNotBegunAnew() {
    var workflow = around(step -> step.sleep("sleep", Duration.ofHours(1)));
    Node node = node(workflow);
    var nap = start(node, workflow);
    awaitAsleep(nap, "sleep");
    var recorded = journal(nap);
    for (int restarts = 0; restarts < 3; restarts++) {
      clock.advance(Duration.ofMinutes(15));
      node = restart(node, workflow);
      nap = node.client().execution(workflow, nap.id());
      assertThat(nap.view().due()).contains(START.plus(Duration.ofHours(1)));
    }
    clock.advance(Duration.ofMinutes(15));

    assertThat(result(nap)).isEqualTo("awake");
    assertThat(journal(nap)).isEqualTo(recorded).hasSize(1);
  }

  @Test
  @DisplayName("Y04 a kill in the middle of a sleep changes nothing of when it ends")
  void aKillDoesNotProlongASleep() {
    var workflow = around(step -> step.sleepUntil("sleep", START.plus(Duration.ofHours(1))));
    Node node = node(workflow);
    var nap = start(node, workflow);
    awaitAsleep(nap, "sleep");
    node.kill();
    clock.set(START.plus(Duration.ofHours(1)));
    Node second = node(workflow);

    assertThat(result(second.client().execution(workflow, nap.id()))).isEqualTo("awake");
  }

  @Test
  @DisplayName("Y04 nobody wakes before the time that is recorded")
  void nobodyWakesEarly() {
    var workflow = around(step -> step.sleep("sleep", Duration.ofHours(1).plusNanos(1_500_001)));
    var canary = Workflow.of("canary", Void.class, String.class, (step, none) -> "sings");
    Node node = node(workflow, canary);
    var nap = start(node, workflow);
    awaitAsleep(nap, "sleep");

    assertThat(nap.view().due()).contains(START.plus(Duration.ofHours(1)).plusMillis(2));
    clock.advance(Duration.ofHours(1).plusMillis(1));
    assertThat(result(start(node, canary))).isEqualTo("sings");
    assertThat(nap.status()).isEqualTo(Status.SUSPENDED);
    clock.advance(Duration.ofMillis(1));
    assertThat(result(nap)).isEqualTo("awake");
  }

  @Test
  void aShortSleepIsWaitedInPlace() {
    var passes = new AtomicInteger();
    var workflow =
        Workflow.of(
            "nap",
            Void.class,
            Integer.class,
            (step, none) -> {
              passes.incrementAndGet();
              step.sleep("sleep", Duration.ofMillis(5));
              return step.run("after", () -> 42);
            });
    Node node = node(builder -> builder.linger(Duration.ofSeconds(2)), workflow);

    assertThat(result(start(node, workflow))).isEqualTo(42);
    assertThat(passes).hasValue(1);
  }

  @Test
  void anExecutionThatWaitsInPlaceHoldsNoSlot() {
    var sleeper = around(step -> step.sleep("sleep", Duration.ofSeconds(30)));
    var canary = Workflow.of("canary", Void.class, String.class, (step, none) -> "sings");
    Node node =
        node(
            builder -> builder.concurrency(1).linger(Duration.ofMinutes(1)).shutdownTimeout(SOON),
            sleeper,
            canary);
    var nap = start(node, sleeper);
    awaitRecorded(nap, "sleep");

    assertThat(result(start(node, canary))).isEqualTo("sings");
    assertThat(nap.status()).isEqualTo(Status.RUNNING);
    node.stop();
    assertThat(state(nap).status()).isEqualTo(Status.SUSPENDED);
    assertThat(run(nap).at()).isEqualTo(START.plusSeconds(30));
  }

  @Test
  @DisplayName("TIM-01 sleeps of centuries are recorded exactly, and stop nobody else's")
  void sleepsOfCenturies() {
    var never = Instant.parse("9999-12-31T23:59:59Z");
    var far = Workflow.of("far", Void.class, (step, none) -> step.sleepUntil("sleep", never));
    var long_ =
        Workflow.of(
            "long", Void.class, (step, none) -> step.sleep("sleep", Duration.ofDays(365 * 300)));
    var end =
        Workflow.of(
            "end",
            Void.class,
            (step, none) -> {
              step.sleep("zero", Duration.ofSeconds(Long.MIN_VALUE));
              step.sleepUntil("past", Instant.MIN);
              step.sleepUntil("sleep", Instant.MAX);
            });
    var short_ = around(step -> step.sleep("sleep", Duration.ofMillis(50)));
    Node node = node(builder -> builder.concurrency(1), far, long_, end, short_);
    var first = start(node, far);
    var second = start(node, long_);
    var third = start(node, end);
    var quick = start(node, short_);
    awaitRecorded(quick, "sleep");
    clock.advance(Duration.ofMillis(50));

    assertThat(result(quick)).isEqualTo("awake");
    awaitAsleep(first, "sleep");
    awaitAsleep(second, "sleep");
    awaitAsleep(third, "sleep");
    Node again = restart(node, far, long_, end, short_);
    assertThat(again.client().execution(first.id()).view().due()).contains(never);
    assertThat(again.client().execution(second.id()).view().due())
        .contains(START.plus(Duration.ofDays(365 * 300)));
    assertThat(again.client().execution(third.id()).status()).isEqualTo(Status.SUSPENDED);
    assertThat(again.client().execution(third.id()).journal().getLast().due()).isPresent();
  }

  @Test
  @DisplayName("TIM-03 a sleep of 44 days wakes once, on its day, over a restart in between")
  void aSleepOf44Days() {
    var passes = new AtomicInteger();
    var workflow =
        Workflow.of(
            "long",
            Void.class,
            String.class,
            (step, none) -> {
              passes.incrementAndGet();
              step.sleep("sleep", Duration.ofDays(44));
              return "awake";
            });
    var canary = Workflow.of("canary", Void.class, String.class, (step, none) -> "sings");
    Node node = node(workflow, canary);
    var nap = start(node, workflow);
    awaitAsleep(nap, "sleep");
    for (int day = 1; day < 44; day++) {
      clock.advance(Duration.ofDays(1));
      if (day == 20) {
        node = restart(node, workflow, canary);
        nap = node.client().execution(workflow, nap.id());
      }
      assertThat(result(start(node, canary))).isEqualTo("sings");
      assertThat(nap.status()).isEqualTo(Status.SUSPENDED);
    }
    clock.advance(Duration.ofDays(1));

    assertThat(result(nap)).isEqualTo("awake");
    assertThat(passes).hasValue(2);
    assertThat(journal(nap)).hasSize(1);
  }

  @Test
  @DisplayName("TIM-05 zero, negative and past sleeps pass at once, and are recorded")
  void pastSleepsPassAtOnce() {
    var passes = new AtomicInteger();
    var workflow =
        Workflow.of(
            "nap",
            Void.class,
            (step, none) -> {
              passes.incrementAndGet();
              step.sleep("zero", Duration.ZERO);
              step.sleep("negative", Duration.ofSeconds(-5));
              step.sleepUntil("past", START.minus(Duration.ofHours(1)));
            });
    var nap = start(node(workflow), workflow);
    result(nap);

    assertThat(passes).hasValue(1);
    assertThat(nap.journal())
        .extracting(StepView::key, StepView::state, view -> view.due().orElseThrow())
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("zero", StepView.State.WAITING, START),
            org.assertj.core.groups.Tuple.tuple("negative", StepView.State.WAITING, START),
            org.assertj.core.groups.Tuple.tuple(
                "past", StepView.State.WAITING, START.minus(Duration.ofHours(1))));
  }

  @Test
  @DisplayName("Y05 a poll asks until it is told yes")
  void aPollAsksUntilItIsToldYes() {
    var asked = new AtomicInteger();
    var workflow =
        around(
            step ->
                step.poll("ready", Duration.ofMinutes(5), 10, () -> asked.incrementAndGet() == 3));
    Node node = node(workflow);
    var nap = start(node, workflow);
    for (int questions = 1; questions < 3; questions++) {
      awaitAsleep(nap, "ready");
      assertThat(nap.view().due()).contains(clock.instant().plus(Duration.ofMinutes(5)));
      node = restart(node, workflow);
      nap = node.client().execution(workflow, nap.id());
      clock.advance(Duration.ofMinutes(5));
      int next = questions + 1;
      eventually(() -> asked.get() == next);
    }

    assertThat(result(nap)).isEqualTo("awake");
    assertThat(asked).hasValue(3);
    assertThat(nap.journal())
        .extracting(StepView::state)
        .containsExactly(
            StepView.State.RETRYING, StepView.State.RETRYING, StepView.State.SUCCEEDED);
    assertThat(nap.journal()).allSatisfy(step -> assertThat(step.error()).isEmpty());
  }

  @Test
  @DisplayName("Y05 an exhausted poll throws, on the first run and on replay")
  void anExhaustedPollThrows() {
    var workflow =
        Workflow.of(
            "nap",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                step.poll("ready", Duration.ZERO, 4, () -> false);
                return "ready";
              } catch (PollExhausted e) {
                step.sleep("think", Duration.ofMinutes(1));
                return e.code() + " " + e.getMessage();
              }
            });
    Node first = node(workflow);
    var nap = start(first, workflow);
    awaitAsleep(nap, "think");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));

    assertThat(result(second.client().execution(workflow, nap.id())))
        .isEqualTo(
            "POLL_EXHAUSTED Poll 'ready' of execution '%s' asked 4 times, every PT0S, and was never told yes."
                .formatted(nap.id()));
  }

  @Test
  @DisplayName("Y05 a plain exception of the question fails the poll at once")
  void aPlainExceptionFailsAtOnce() {
    var asked = new AtomicInteger();
    var workflow =
        Workflow.of(
            "nap",
            Void.class,
            (step, none) ->
                step.poll(
                    "ready",
                    Duration.ZERO,
                    10,
                    () -> {
                      asked.incrementAndGet();
                      throw new IOException("the service is gone");
                    }));

    assertThatThrownBy(() -> result(start(node(workflow), workflow)))
        .cause()
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("the service is gone");
    assertThat(asked).hasValue(1);
  }

  @Test
  void aPollThatMayNotAskIsRefused() {
    var workflow = around(step -> step.poll("ready", Duration.ZERO, 0, () -> true));

    assertThatThrownBy(() -> result(start(node(workflow), workflow)))
        .cause()
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("INVALID_RETRY"));
  }
}
