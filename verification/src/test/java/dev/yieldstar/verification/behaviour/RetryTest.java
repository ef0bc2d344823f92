package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Execution;
import dev.yieldstar.ExecutionFailed;
import dev.yieldstar.Retry;
import dev.yieldstar.RetryAfter;
import dev.yieldstar.RetryableException;
import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Command;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How often a step is tried, and when.
class RetryTest extends Behaviour {
  private final List<Integer> attempts = new CopyOnWriteArrayList<>();

  public static final class Declined extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Declined(String message) {
      super(message);
    }

    public Declined(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public static final class Busy extends RuntimeException implements RetryAfter {
    private static final long serialVersionUID = 1;

    public Busy(String message) {
      super(message);
    }

    @Override
    public Duration retryAfter() {
      return Duration.ofMinutes(7);
    }
  }

  /// A workflow whose one step fails as long as it is asked to.
  private Workflow<Void, String> failing(Retry retry, int failures) {
    return failing(retry, failures, new Declined("no"));
  }

  private Workflow<Void, String> failing(Retry retry, int failures, Exception error) {
    return Workflow.of(
        "charge",
        Void.class,
        String.class,
        (step, none) ->
            step.run(
                "charge",
                retry,
                attempt -> {
                  attempts.add(attempt.number());
                  if (attempt.number() <= failures) {
                    throw error;
                  }
                  return "charged at attempt " + attempt.number();
                }));
  }

  /// Moves the clock to each retry until the execution has ended; the pauses that it took.
  private List<Duration> pauses(Execution<?> execution) {
    var pauses = new CopyOnWriteArrayList<Duration>();
    for (int tried = 1; ; tried++) {
      int last = tried;
      eventually(
          () -> {
            Status status = execution.status();
            return status.isTerminal()
                || (status == Status.SUSPENDED && journal(execution).size() == last);
          });
      if (execution.status().isTerminal()) {
        return pauses;
      }
      StepView step = execution.journal().getLast();
      pauses.add(Duration.between(clock.instant(), step.due().orElseThrow()));
      assertThat(execution.view().due()).isEqualTo(step.due());
      clock.set(step.due().orElseThrow());
    }
  }

  @Test
  @DisplayName(
      "Y03 RetryableException says how often and when a step is tried again, over restarts")
  void retryableExceptionSaysHowOftenAndWhen() {
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            String.class,
            (step, none) ->
                step.run(
                    "charge",
                    attempt -> {
                      attempts.add(attempt.number());
                      throw new RetryableException("not yet", 3, Duration.ofSeconds(90));
                    }));
    Node node = node(workflow);
    var charge = start(node, workflow);
    for (int tried = 1; tried < 3; tried++) {
      awaitAsleep(charge, "charge");
      assertThat(charge.journal()).hasSize(tried);
      assertThat(charge.view().due()).contains(clock.instant().plusSeconds(90));
      node = restart(node, workflow);
      charge = node.client().execution(workflow, charge.id());
      clock.advance(Duration.ofSeconds(90));
      awaitJournal(charge, tried + 1);
    }
    var failed = charge;

    assertThatThrownBy(() -> result(failed))
        .isInstanceOf(ExecutionFailed.class)
        .cause()
        .isExactlyInstanceOf(RetryableException.class)
        .hasMessage("not yet");
    assertThat(attempts).containsExactly(1, 2, 3);
  }

  private void awaitJournal(Execution<?> execution, int size) {
    eventually(
        () ->
            journal(execution).size() == size && !state(execution).status().equals(Status.RUNNING));
  }

  @Test
  @DisplayName("Y03 a step succeeds at a later attempt, and only then goes on")
  void aStepSucceedsAtALaterAttempt() {
    var workflow = failing(Retry.fixed(Duration.ofMinutes(5)).maxAttempts(4), 2);
    var charge = start(node(workflow), workflow);

    assertThat(pauses(charge)).containsExactly(Duration.ofMinutes(5), Duration.ofMinutes(5));
    assertThat(result(charge)).isEqualTo("charged at attempt 3");
    assertThat(charge.journal())
        .extracting(StepView::state)
        .containsExactly(
            StepView.State.RETRYING, StepView.State.RETRYING, StepView.State.SUCCEEDED);
  }

  @Test
  @DisplayName("Y03 pauses grow linearly, up to the cap")
  void pausesGrowLinearly() {
    var retry = Retry.linear(Duration.ofSeconds(20)).maxAttempts(5);
    var workflow = failing(retry, 4);
    var charge = start(node(workflow), workflow);

    assertThat(pauses(charge))
        .containsExactly(
            Duration.ofSeconds(20),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));
  }

  @Test
  @DisplayName("Y03 jitter makes a pause shorter by at most its part, never longer")
  void jitterMakesPausesShorter() {
    var retry = Retry.exponential(Duration.ofSeconds(10)).factor(1).jitter(0.5).maxAttempts(20);
    var workflow = failing(retry, 19);
    var charge = start(node(workflow), workflow);

    assertThat(pauses(charge))
        .hasSize(19)
        .allSatisfy(
            pause -> assertThat(pause).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10)))
        .satisfies(
            pauses -> assertThat(List.copyOf(pauses).stream().distinct()).hasSizeGreaterThan(1));
  }

  @Test
  @DisplayName("Y03 the policy says after which errors a step is tried again")
  void thePolicySaysAfterWhichErrors() {
    var retry = Retry.fixed(Duration.ofMinutes(1)).on(IOException.class);
    var workflow = failing(retry, 9);

    assertThatThrownBy(() -> result(start(node(workflow), workflow)))
        .cause()
        .isExactlyInstanceOf(Declined.class);
    assertThat(attempts).containsExactly(1);
  }

  @Test
  @DisplayName("Y03 an error that says when takes the place of the pause, not of the attempts")
  void anErrorSaysWhen() {
    var workflow =
        failing(Retry.fixed(Duration.ofMinutes(1)).maxAttempts(3), 9, new Busy("queue full"));
    var charge = start(node(workflow), workflow);

    assertThat(pauses(charge)).containsExactly(Duration.ofMinutes(7), Duration.ofMinutes(7));
    assertThat(attempts).containsExactly(1, 2, 3);
  }

  @Test
  @DisplayName("Y03 no attempt begins after the total limit")
  void noAttemptBeginsAfterTheTotalLimit() {
    var retry = Retry.fixed(Duration.ofSeconds(10)).forever().totalLimit(Duration.ofSeconds(35));
    var workflow = failing(retry, 99);
    var charge = start(node(workflow), workflow);

    assertThat(pauses(charge)).hasSize(3);
    assertThat(attempts).containsExactly(1, 2, 3, 4);
    assertThatThrownBy(() -> result(charge)).cause().isExactlyInstanceOf(Declined.class);
  }

  @Test
  @DisplayName(
      "Y03 the workflow's policy holds for steps that name none, and a view's for those inside")
  void policiesOfTheWorkflowAndOfAView() {
    var workflow =
        Workflow.of(
                "charge",
                Void.class,
                String.class,
                (step, none) -> {
                  step.run("standard", attempt -> fail(attempt.number(), 2));
                  return step.with(Retry.fixed(Duration.ofSeconds(30)))
                      .run("own", attempt -> fail(attempt.number(), 2));
                })
            .retry(Retry.fixed(Duration.ofSeconds(33)));
    var charge = start(node(workflow), workflow);

    assertThat(twoPauses(charge)).containsExactly(Duration.ofSeconds(33), Duration.ofSeconds(30));
    assertThat(result(charge)).isEqualTo("attempt 2");
  }

  private static String fail(int attempt, int until) {
    if (attempt < until) {
      throw new Declined("no");
    }
    return "attempt " + attempt;
  }

  private List<Duration> twoPauses(Execution<?> charge) {
    return IntStream.range(0, 2)
        .mapToObj(
            i -> {
              awaitAsleep(charge, i == 0 ? "standard" : "own");
              Duration pause = Duration.between(clock.instant(), charge.view().due().orElseThrow());
              clock.advance(pause);
              return pause;
            })
        .toList();
  }

  @Test
  @DisplayName("RET-01 attempts count the first one: 1, 2 and 3 run the body so often")
  void attemptsCountTheFirst() {
    for (int most = 1; most <= 3; most++) {
      attempts.clear();
      var workflow = failing(Retry.fixed(Duration.ofMinutes(1)).maxAttempts(most), 99);
      Node node = node(workflow);
      var charge = start(node, workflow);
      pauses(charge);

      assertThat(attempts)
          .containsExactlyElementsOf(IntStream.rangeClosed(1, most).boxed().toList());
      node.stop();
    }
  }

  @Test
  @DisplayName("RET-01 0 and -1 attempts are refused where the policy is made")
  void noAttemptsAreRefused() {
    for (int attempts : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> Retry.fixed(Duration.ofMinutes(1)).maxAttempts(attempts))
          .isInstanceOfSatisfying(
              YieldstarException.class, e -> assertThat(e.code()).isEqualTo("INVALID_RETRY"))
          .hasMessageContaining("counts the first attempt")
          .hasMessageContaining("not " + attempts);
      assertThatThrownBy(() -> new RetryableException("no", attempts, Duration.ZERO))
          .hasMessageContaining("not " + attempts);
    }
  }

  @Test
  @DisplayName("RET-01 a step without a policy is tried once, one with a policy three times")
  void unsetMeansOnceOrThreeTimes() {
    var once =
        Workflow.of(
            "once",
            Void.class,
            (step, none) -> step.run("try", attempt -> fail(attempt.number(), 9)));
    var thrice =
        Workflow.of(
            "thrice",
            Void.class,
            (step, none) ->
                step.run(
                    "try",
                    Retry.fixed(Duration.ofMinutes(1)),
                    attempt -> fail(attempt.number(), 9)));
    Node node = node(once, thrice);
    var first = start(node, once);
    var second = start(node, thrice);
    pauses(first);
    pauses(second);

    assertThat(first.journal()).hasSize(1);
    assertThat(second.journal()).hasSize(3);
  }

  @Test
  @DisplayName(
      "RET-01 a crash uses up no attempt: the number is right afterwards, and the last error has the count")
  void aCrashUsesUpNoAttempt() {
    var retry = Retry.fixed(Duration.ofMinutes(1)).maxAttempts(3);
    var workflow = failing(retry, 99);
    Node first = node(workflow);
    var charge = start(first, workflow);
    awaitAsleep(charge, "charge");
    first.line().cutBefore(RetryTest::isRecord);
    clock.advance(Duration.ofMinutes(1));
    eventually(() -> attempts.size() == 2);
    first.kill();

    Node second = node(workflow);
    untilTakeOver();
    var again = second.client().execution(workflow, charge.id());
    eventually(() -> journal(again).size() == 2);
    awaitAsleep(again, "charge");
    clock.advance(Duration.ofMinutes(1));

    assertThatThrownBy(() -> result(again))
        .cause()
        .isExactlyInstanceOf(Declined.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .satisfies(
                        count ->
                            assertThat(count)
                                .hasMessage(
                                    "Step 'charge' of execution '%s' failed for good at attempt 3 of 3."
                                        .formatted(charge.id()))));
    assertThat(attempts).containsExactly(1, 2, 2, 3);
  }

  private static boolean isRecord(Command command) {
    return command instanceof Command.RecordStep;
  }

  @Test
  @DisplayName("RET-02 the pauses are kept, none shorter, over a restart too")
  void thePausesAreKept() {
    var retry =
        Retry.exponential(Duration.ofSeconds(20))
            .maxAttempts(4)
            .factor(2)
            .maxDelay(SOON.multipliedBy(9))
            .jitter(0);
    var workflow = failing(retry, 3);
    var canary = Workflow.of("canary", Void.class, String.class, (step, none) -> "sings");
    Node node = node(workflow, canary);
    var charge = start(node, workflow);
    for (int seconds : new int[] {20, 40, 80}) {
      awaitAsleep(charge, "charge");
      int before = attempts.size();
      clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
      node = restart(node, workflow, canary);
      charge = node.client().execution(workflow, charge.id());
      assertThat(result(start(node, canary))).isEqualTo("sings");
      assertThat(attempts).as("before the pause of %d s is over", seconds).hasSize(before);
      clock.advance(Duration.ofMillis(1));
      int expected = before + 1;
      eventually(() -> attempts.size() == expected);
    }

    assertThat(result(charge)).isEqualTo("charged at attempt 4");
  }

  @Test
  @DisplayName("RET-03 a hundred pauses stay positive and under their cap, whatever the factor")
  void pausesStayUnderTheirCap() {
    var retry =
        Retry.exponential(Duration.ofMinutes(1))
            .factor(10)
            .maxDelay(Duration.ofMinutes(30))
            .maxAttempts(100);
    var workflow = failing(retry, 99);
    var charge = start(node(workflow), workflow);

    assertThat(pauses(charge))
        .hasSize(99)
        .allSatisfy(
            pause -> assertThat(pause).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(30)));
    assertThat(result(charge)).isEqualTo("charged at attempt 100");
    for (int failures = 1; failures < 100; failures++) {
      assertThat(retry.factor(2).delayAfter(failures, 0.999))
          .isPositive()
          .isLessThanOrEqualTo(Duration.ofMinutes(30));
    }
  }

  @Test
  @DisplayName("RET-03 without a cap of its own a pause grows to a minute")
  void withoutACapItIsAMinute() {
    var retry = Retry.exponential(Duration.ofSeconds(1)).forever();

    assertThat(retry.delayAfter(1_000_000, 0)).isEqualTo(Duration.ofMinutes(1));
    assertThat(retry.delayAfter(Integer.MAX_VALUE, 1)).isEqualTo(Duration.ofSeconds(48));
    assertThat(Retry.linear(Duration.ofSeconds(1)).delayAfter(Integer.MAX_VALUE, 0))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(Retry.exponential(Duration.ZERO).factor(1000).delayAfter(Integer.MAX_VALUE, 0))
        .isEqualTo(Duration.ZERO);
  }

  @Test
  @DisplayName("RET-03 options that can't be are refused where they are set")
  void badOptionsAreRefused() {
    var retry = Retry.exponential(Duration.ofSeconds(1));
    for (double factor : new double[] {0.5, 0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> retry.factor(factor)).hasMessageContaining("factor");
    }
    assertThatThrownBy(() -> retry.jitter(Double.NaN)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> retry.jitter(1.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> retry.maxDelay(Duration.ofMillis(999)))
        .hasMessageContaining("maxDelay PT0.999S is shorter than the first delay PT1S");
    assertThatThrownBy(() -> retry.totalLimit(Duration.ZERO)).hasMessageContaining("totalLimit");
    assertThatThrownBy(() -> Retry.fixed(Duration.ofMillis(-1)))
        .hasMessageContaining("first delay");
    assertThatThrownBy(() -> Retry.fixed(Duration.ofSeconds(Long.MAX_VALUE)))
        .hasMessageContaining("first delay");
    assertThatThrownBy(() -> new RetryableException("no", 2, Duration.ofSeconds(-1)))
        .hasMessageContaining("retryIn");
  }

  @Test
  @DisplayName("RET-05 the error itself decides, not its cause; what only wraps it is taken off")
  void theErrorItselfDecides() {
    var retry = Retry.fixed(Duration.ofMinutes(1)).except(Declined.class);
    assertThat(attemptsAfter(retry, new Declined("no", new IOException("down")))).isEqualTo(1);
    assertThat(attemptsAfter(retry, new IllegalStateException(new Declined("no")))).isEqualTo(3);
    assertThat(attemptsAfter(retry, new ExecutionException(new Declined("no")))).isEqualTo(1);
    assertThat(attemptsAfter(retry, new CompletionException(new Declined("no")))).isEqualTo(1);
    assertThat(attemptsAfter(retry, new InvocationTargetException(new Declined("no"))))
        .isEqualTo(1);
    assertThat(
            attemptsAfter(
                retry, new CompletionException(new ExecutionException(new Declined("no")))))
        .isEqualTo(1);
  }

  private int attemptsAfter(Retry retry, Exception error) {
    attempts.clear();
    var workflow = failing(retry, 99, error);
    Node node = node(workflow);
    pauses(start(node, workflow));
    node.stop();
    return attempts.size();
  }

  @Test
  void aPredicateThatThrowsMakesTheErrorFinal() {
    var retry =
        Retry.fixed(Duration.ofMinutes(1))
            .on(
                error -> {
                  throw new IllegalStateException("the predicate is broken");
                });
    var workflow = failing(retry, 99);
    var charge = start(node(workflow), workflow);

    assertThatThrownBy(() -> result(charge)).cause().isExactlyInstanceOf(Declined.class);
    assertThat(charge.journal())
        .singleElement()
        .satisfies(step -> assertThat(step.state()).isEqualTo(StepView.State.FAILED));
  }

  @Test
  void aPauseThatCannotBeIsReplacedByThePolicys() {
    for (var asked :
        List.of(Optional.<Duration>empty(), Optional.of(Duration.ofSeconds(Long.MAX_VALUE)))) {
      attempts.clear();
      var workflow =
          failing(Retry.fixed(Duration.ofMinutes(5)).maxAttempts(3), 1, new OddlyBusy(asked));
      Node node = node(workflow);
      var charge = start(node, workflow);

      assertThat(pauses(charge)).containsExactly(Duration.ofMinutes(5));
      assertThat(result(charge)).isEqualTo("charged at attempt 2");
      node.stop();
    }
  }

  @Test
  void anErrorThatIsThrownAgainAndAgainIsNotChanged() {
    var constant = new Declined("no");
    var workflow = failing(Retry.fixed(Duration.ofMinutes(1)).maxAttempts(2), 99, constant);
    Node node = node(workflow);
    for (int i = 0; i < 3; i++) {
      var charge = start(node, workflow);
      pauses(charge);
      assertThatThrownBy(() -> result(charge))
          .cause()
          .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    assertThat(constant.getSuppressed()).isEmpty();
  }

  /// Answers null, or a pause beyond all time.
  private static final class OddlyBusy extends RuntimeException implements RetryAfter {
    private static final long serialVersionUID = 1;
    private final transient Optional<Duration> asked;

    OddlyBusy(Optional<Duration> asked) {
      super("busy");
      this.asked = asked;
    }

    @Override
    @SuppressWarnings("NullAway") // as code without null checks does
    public Duration retryAfter() {
      return asked.orElse(null);
    }
  }
}
