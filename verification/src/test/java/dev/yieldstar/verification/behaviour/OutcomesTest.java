package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.yieldstar.Coded;
import dev.yieldstar.Execution;
import dev.yieldstar.ExecutionFailed;
import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.RecordedFailure;
import dev.yieldstar.Retry;
import dev.yieldstar.Status;
import dev.yieldstar.TypeRef;
import dev.yieldstar.Workflow;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How executions end.
class OutcomesTest extends Behaviour {

  /// An error with a code, and a constructor that the library can't call by itself.
  static final class Declined extends Exception implements Coded {
    private static final long serialVersionUID = 1;

    Declined(@Nullable String message, int ignored) {
      super(message);
      if (ignored < 0) {
        throw new IllegalArgumentException("negative");
      }
    }

    @Override
    public String code() {
      return "DECLINED";
    }
  }

  /// Not registered, and not to be rebuilt.
  private static final class Hidden extends RuntimeException implements Coded {
    private static final long serialVersionUID = 1;

    Hidden(String message) {
      super(message);
    }

    @Override
    public String code() {
      return "HIDDEN_42";
    }
  }

  private Throwable causeOf(Execution<?> execution) {
    Throwable failed = catchThrowable(() -> result(execution));
    assertThat(failed).isExactlyInstanceOf(ExecutionFailed.class);
    return Objects.requireNonNull(failed.getCause());
  }

  private static Workflow<Void, Void> throwing(Throwable error) {
    return Workflow.of(
        "throw",
        Void.class,
        (step, none) -> {
          throw sneaky(error);
        });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }

  @Test
  @DisplayName(
      "S10 a failure keeps its registered class, code, message, stack and cause, for every later reader")
  void aFailureKeepsWhatItWas() {
    var thrown = new Declined("no money", 1);
    thrown.initCause(new Hidden("the bank said no"));
    var workflow = throwing(thrown);
    Node node =
        node(
            builder -> builder.registerError(Declined.class, message -> new Declined(message, 1)),
            workflow);
    var execution = start(node, workflow);
    Throwable first = causeOf(execution);
    node.stop();
    Node later =
        node(
            builder -> builder.registerError(Declined.class, message -> new Declined(message, 1)),
            workflow);
    Throwable second = causeOf(later.client().execution(workflow, execution.id()));

    for (Throwable seen : List.of(first, second)) {
      assertThat(seen)
          .isExactlyInstanceOf(Declined.class)
          .hasMessage("no money")
          .satisfies(e -> assertThat(((Declined) e).code()).isEqualTo("DECLINED"))
          .satisfies(e -> assertThat(stackText(e)).isEqualTo(stackText(thrown)))
          .cause()
          .isInstanceOfSatisfying(
              RecordedFailure.class,
              cause -> {
                assertThat(cause.originalClass()).isEqualTo(Hidden.class.getName());
                assertThat(cause.originalCode()).contains("HIDDEN_42");
              })
          .hasMessage("the bank said no");
    }
    assertThat(later.client().execution(execution.id()).view().error())
        .contains(Declined.class.getName() + ": no money");
  }

  private static List<String> stackText(Throwable error) {
    return Arrays.stream(error.getStackTrace()).map(StackTraceElement::toString).toList();
  }

  @Test
  @DisplayName(
      "S11 COD-13 an error whose getMessage throws, with a field that can't be kept, still fails readably")
  void anErrorThatBreaksStillFailsReadably() {
    class ProblemException extends RuntimeException {
      private static final long serialVersionUID = 1;

      @SuppressWarnings("unused")
      final transient Object status = new Thread();

      @Override
      public String getMessage() {
        throw new NullPointerException("broken");
      }
    }
    var inStep =
        Workflow.of(
            "step",
            Void.class,
            (step, none) -> {
              step.run(
                  "break",
                  Retry.fixed(Duration.ZERO).maxAttempts(2),
                  () -> {
                    throw new ProblemException();
                  });
            });
    var inBody = throwing(new ProblemException());
    var after = Workflow.of("after", Void.class, String.class, (step, none) -> "alive");
    Node node = node(inStep, inBody, after);
    for (Execution<?> execution : List.of(start(node, inStep), start(node, inBody))) {
      assertThat(causeOf(execution))
          .isInstanceOfSatisfying(
              RecordedFailure.class,
              e -> assertThat(e.originalClass()).isEqualTo(ProblemException.class.getName()))
          .hasMessageContaining("getMessage() threw")
          .hasMessageContaining("NullPointerException");
      assertThat(execution.status()).isEqualTo(Status.FAILED);
      assertThat(state(execution).ended().token()).as("one delivery").isEqualTo(1);
    }
    assertThat(result(start(node, after))).isEqualTo("alive");
  }

  @Test
  @DisplayName("S11 cyclic causes, no message, Errors and bare Throwables fail readably")
  void oddErrorsFailReadably() {
    var cyclic = new IllegalStateException("a");
    cyclic.initCause(new IllegalArgumentException("b", cyclic));
    record Case(Throwable thrown, Class<?> seen, @Nullable String message) {}
    List<Case> cases =
        List.of(
            new Case(cyclic, IllegalStateException.class, "a"),
            new Case(new NullPointerException(), NullPointerException.class, null),
            new Case(new AssertionError("an Error"), AssertionError.class, "an Error"),
            new Case(new StackOverflowError("deep"), StackOverflowError.class, "deep"),
            new Case(new Throwable("bare"), Throwable.class, "bare"),
            new Case(
                new InterruptedException("by itself"), InterruptedException.class, "by itself"));
    for (Case each : cases) {
      var workflow = throwing(each.thrown);
      Node node = node(workflow);
      assertThat(causeOf(start(node, workflow)))
          .isExactlyInstanceOf(each.seen)
          .hasMessage(each.message);
      node.stop();
    }
  }

  @Test
  @DisplayName(
      "COD-16 a class without a usable constructor: itself where registered, else RecordedFailure, live and on replay")
  void aClassWithoutAUsableConstructor() {
    for (boolean registered : new boolean[] {true, false}) {
      var caught = new CopyOnWriteArrayList<Exception>();
      var workflow =
          Workflow.of(
              "decline",
              Void.class,
              (step, none) -> {
                try {
                  step.run(
                      "charge",
                      () -> {
                        var declined = new Declined("no money", 1);
                        declined.initCause(new IOException("line"));
                        throw declined;
                      });
                } catch (Declined | RecordedFailure e) {
                  caught.add(e);
                }
                step.sleep("wait", Duration.ofMinutes(1));
              });
      Node first = declining(registered, workflow);
      var execution = start(first, workflow);
      awaitAsleep(execution, "wait");
      first.stop();
      Node second = declining(registered, workflow);
      clock.advance(Duration.ofMinutes(1));
      result(second.client().execution(workflow, execution.id()));

      assertThat(caught)
          .hasSize(2)
          .allSatisfy(
              e -> {
                assertThat(e)
                    .isExactlyInstanceOf(registered ? Declined.class : RecordedFailure.class);
                assertThat(e).hasMessage("no money").hasCauseExactlyInstanceOf(IOException.class);
              });
      if (!registered) {
        assertThat(((RecordedFailure) caught.getFirst()).originalCode()).contains("DECLINED");
      }
      second.stop();
    }
  }

  private Node declining(boolean registered, Workflow<?, ?> workflow) {
    return node(
        builder ->
            registered
                ? builder.registerError(Declined.class, message -> new Declined(message, 1))
                : builder,
        workflow);
  }

  record Report(
      @Nullable IOException problem,
      List<@Nullable String> lines,
      List<Exception> others,
      @Nullable String nothing) {}

  @Test
  @DisplayName("S12 a result keeps errors and nulls nested inside it")
  void aResultKeepsErrorsAndNulls() {
    var workflow =
        Workflow.of(
            "report",
            Void.class,
            Report.class,
            (step, none) ->
                new Report(
                    new IOException("disk", new IllegalStateException("full")),
                    Arrays.asList("a", null),
                    List.of(new IllegalArgumentException("x"), new Hidden("y")),
                    null));
    Node node = node(workflow);
    Report report = result(start(node, workflow));

    assertThat(report.problem)
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("disk")
        .hasCauseExactlyInstanceOf(IllegalStateException.class);
    assertThat(report.lines).containsExactly("a", null);
    assertThat(report.others.get(0)).isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(report.others.get(1)).isExactlyInstanceOf(RecordedFailure.class).hasMessage("y");
    assertThat(report.nothing).isNull();
  }

  record Measured(double value) {}

  @Test
  @DisplayName(
      "S13 a result that is not durable fails the execution as INVALID_STEP_VALUE at $$workflow-result$$")
  void aResultThatIsNotDurable() {
    var ran = new AtomicInteger();
    var workflow =
        Workflow.of(
            "measure",
            Void.class,
            Measured.class,
            (step, none) -> {
              ran.incrementAndGet();
              return new Measured(Double.NaN);
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    Throwable reply = causeOf(execution);
    Node later = restart(node, workflow);
    Throwable record = causeOf(later.client().execution(workflow, execution.id()));

    for (Throwable seen : List.of(reply, record)) {
      assertThat(seen)
          .isInstanceOfSatisfying(
              InvalidStepValue.class,
              e -> {
                assertThat(e.code()).isEqualTo("INVALID_STEP_VALUE");
                assertThat(e.stepKey()).isEqualTo("$$workflow-result$$");
              })
          .hasMessageContaining("NaN");
    }
    assertThat(state(execution).ended().outcome()).isInstanceOf(Outcome.Failed.class);
    assertThat(ran).hasValue(1);
  }

  @Test
  @DisplayName("S13 so does one that is too large, or null where an Optional is declared")
  void aResultThatIsTooLarge() {
    var large = Workflow.of("large", Void.class, String.class, (step, none) -> "x".repeat(5_000));
    var nothing =
        Workflow.of(
            "nothing",
            TypeRef.of(Void.class),
            new TypeRef<java.util.Optional<String>>() {},
            (step, none) -> nothing());
    Node node = node(builder -> builder.maxPayload(4_096), large, nothing);

    assertThat(causeOf(start(node, large)))
        .isInstanceOfSatisfying(
            InvalidStepValue.class,
            e -> {
              assertThat(e.code()).isEqualTo("PAYLOAD_TOO_LARGE");
              assertThat(e.stepKey()).isEqualTo(InvalidStepValue.WORKFLOW_RESULT);
            })
        .hasMessageContaining("4,096");
    assertThat(causeOf(start(node, nothing))).isInstanceOf(InvalidStepValue.class);
  }

  @Test
  @DisplayName("Y08 what has ended never runs its code again")
  void whatHasEndedNeverRunsAgain() {
    var passes = new AtomicInteger();
    var succeeding =
        Workflow.of("succeed", Void.class, Integer.class, (step, none) -> passes.incrementAndGet());
    var failing =
        Workflow.of(
            "fail",
            Void.class,
            (step, none) -> {
              passes.incrementAndGet();
              throw new IllegalStateException("no");
            });
    Node node = node(succeeding, failing);
    result(start(node, succeeding, "good"));
    causeOf(start(node, failing, "bad"));
    node = restart(node, succeeding, failing);
    untilTakeOver();

    assertThat(result(start(node, succeeding, "good"))).isEqualTo(1);
    assertThat(causeOf(start(node, failing, "bad"))).hasMessage("no");
    assertThat(result(node.client().start(succeeding))).isEqualTo(3);
    assertThat(passes).hasValue(3);
  }

  @Test
  @DisplayName("Y08 also where its process was killed right after its outcome was recorded")
  void alsoAfterAKill() {
    var passes = new AtomicInteger();
    var workflow =
        Workflow.of("succeed", Void.class, Integer.class, (step, none) -> passes.incrementAndGet());
    Node first = node(workflow);
    first.line().cutAfter(Command.Acknowledge.class::isInstance);
    var execution = start(first, workflow);
    eventually(() -> state(execution).terminal() != null);
    first.kill();
    Node second = node(workflow);
    untilTakeOver();

    assertThat(result(second.client().execution(workflow, execution.id()))).isEqualTo(1);
    assertThat(result(start(second, workflow, "another"))).isEqualTo(2);
    assertThat(passes).hasValue(2);
  }

  @Test
  void aWorkflowWithoutAResultEndsWithNull() {
    var action = Workflow.of("action", Void.class, (step, none) -> {});
    var function = Workflow.of("function", Void.class, String.class, (step, none) -> nothing());
    Node node = node(action, function);
    var first = start(node, action);
    var second = start(node, function);

    assertThat(result(first)).isNull();
    assertThat(result(second)).isNull();
    assertThat(first.status()).isEqualTo(Status.COMPLETED);
    assertThat(first.view().result()).contains("null");
    assertThatThrownBy(() -> result(node.client().execution("nobody"))).isNotNull();
  }
}
