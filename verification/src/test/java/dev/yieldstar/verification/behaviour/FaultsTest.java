package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.codec.Codec;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.verification.logs.LogBook;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/// What fails around workflow code, and must not be seen by it.
class FaultsTest extends Behaviour {
  private final AtomicInteger bodies = new AtomicInteger();
  private final List<Exception> seen = new CopyOnWriteArrayList<>();
  private final Workflow<Void, String> charge =
      Workflow.of(
          "charge",
          Void.class,
          String.class,
          (step, none) -> {
            try {
              step.run("charge", bodies::incrementAndGet);
              step.sleep("short", Duration.ZERO);
              return "charged " + step.run("again", bodies::incrementAndGet);
            } catch (Exception e) {
              seen.add(e);
              throw e;
            }
          });

  private static boolean isRecord(Command command) {
    return command instanceof Command.RecordStep;
  }

  private static boolean isValue(Command command) {
    return command instanceof Command.RecordStep record
        && record.entry() instanceof StepEntry.Value;
  }

  @Test
  @DisplayName("Y09 a commit whose answer got lost is recognised, and recorded once")
  void aCommitWhoseAnswerGotLost() {
    Node node = node(charge);
    var lost = new AtomicInteger();
    node.line()
        .commits(
            (backend, batch) -> {
              var replies = backend.apply(batch);
              if (batch.stream().anyMatch(FaultsTest::isRecord) && lost.incrementAndGet() <= 3) {
                throw new BackendException(
                    BackendException.Fault.UNAVAILABLE, "the answer got lost", null);
              }
              return replies;
            });

    assertThat(result(start(node, charge))).isEqualTo("charged 2");
    assertThat(lost).hasValueGreaterThanOrEqualTo(3);
    assertThat(seen).isEmpty();
  }

  @Test
  @DisplayName("Y09 a record that the backend refuses for its data gives the delivery back, unseen")
  void aRecordThatIsRefusedGivesTheDeliveryBack() {
    Node node = node(charge);
    // The batch, its chain alone, and the command alone.
    node.line().failing(3, BackendException.Fault.DATA, FaultsTest::isValue);
    var execution = start(node, charge);
    awaitGivenBack(execution, 1);

    assertThat(execution.status()).isEqualTo(Status.SUSPENDED);
    assertThat(execution.view().due()).contains(START.plusSeconds(1));
    node.line().commits(Line.Commit::apply);
    clock.advance(Duration.ofSeconds(1));
    assertThat(result(execution)).isEqualTo("charged 3");
    assertThat(seen).isEmpty();
  }

  @Test
  @DisplayName(
      "Y09 a backend that is gone for good gives no error to the workflow; the next process goes on")
  void aBackendThatIsGone() {
    Node first = node(charge);
    first.line().cutBefore(FaultsTest::isRecord);
    var execution = start(first, charge);
    eventually(() -> bodies.get() == 1);
    first.kill();
    Node second = node(charge);
    untilTakeOver();

    assertThat(result(second.client().execution(charge, execution.id()))).isEqualTo("charged 3");
    assertThat(seen).isEmpty();
  }

  /// Runs code that throws an error of the process on its first pass only.
  private void assertDeliveredAgain(Supplier<Error> error, boolean inStep) {
    bodies.set(0);
    var caught = new CopyOnWriteArrayList<Throwable>();
    var workflow =
        Workflow.of(
            "process",
            Void.class,
            String.class,
            (step, none) -> {
              step.run("before", () -> "recorded");
              try {
                if (inStep) {
                  step.run("break", () -> breakOnce(error));
                } else {
                  breakOnce(error);
                }
              } catch (Exception e) {
                caught.add(e);
              }
              return "attempt " + attemptOf(step);
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    awaitGivenBack(execution, 1);
    assertThat(execution.status()).isEqualTo(Status.SUSPENDED);
    assertThat(execution.journal()).hasSize(1);
    assertThat(run(execution).at()).isEqualTo(clock.instant().plusSeconds(1));
    clock.advance(Duration.ofSeconds(1));

    assertThat(result(execution)).isEqualTo("attempt 1");
    assertThat(caught).isEmpty();
    assertThat(bodies).hasValue(2);
    assertThat(LogBook.lines(Level.ERROR, "an error of this process")).isNotEmpty();
    LogBook.clear();
    node.stop();
  }

  private int breakOnce(Supplier<Error> error) {
    if (bodies.incrementAndGet() == 1) {
      throw error.get();
    }
    return bodies.get();
  }

  private static int attemptOf(Steps step) {
    return step.run("attempt", attempt -> attempt.number());
  }

  @Test
  void errorsOfTheProcessEndTheDeliveryWithoutAnOutcomeAndCount() {
    List<Supplier<Error>> errors =
        List.of(
            () -> new OutOfMemoryError("made up"),
            () -> new NoClassDefFoundError("com/example/Gone"),
            () -> new InternalError("made up"));
    for (Supplier<Error> error : errors) {
      assertDeliveredAgain(error, true);
      assertDeliveredAgain(error, false);
    }
  }

  @Test
  void errorsOfTheProcessPassThroughCodeThatCatchesThem() {
    var workflow =
        Workflow.of(
            "catch",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                step.run("break", () -> breakOnce(() -> new OutOfMemoryError("made up")));
                return "done";
              } catch (Throwable t) {
                return "caught";
              }
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    awaitGivenBack(execution, 1);
    clock.advance(Duration.ofSeconds(1));

    assertThat(result(execution)).isEqualTo("done");
  }

  @Test
  void stackOverflowsAndAssertionsAreOrdinaryFailures() {
    List<Error> errors = List.of(new StackOverflowError("deep"), new AssertionError("no"));
    for (Error error : errors) {
      var workflow =
          Workflow.of(
              "fail",
              Void.class,
              String.class,
              (step, none) -> {
                try {
                  step.run(
                      "fail",
                      () -> {
                        throw error;
                      });
                  return "passed";
                } catch (StackOverflowError | AssertionError e) {
                  return e.getClass().getSimpleName() + " " + e.getMessage();
                }
              });
      Node node = node(workflow);
      var execution = start(node, workflow);

      assertThat(result(execution))
          .isEqualTo(error.getClass().getSimpleName() + " " + error.getMessage());
      assertThat(execution.journal())
          .extracting(StepView::state)
          .containsExactly(StepView.State.FAILED);
      node.stop();
    }
  }

  /// A codec that encrypts with keys that are away for a while.
  private record Sealing(Codec codec, AtomicInteger failures, boolean reading) implements Codec {
    private void fail() {
      if (failures.getAndDecrement() > 0) {
        throw new IllegalStateException("the key service is away");
      }
    }

    @Override
    public void check(Type type) {
      codec.check(type);
    }

    @Override
    public Payload encode(@Nullable Object value, Type type) {
      if (!reading) {
        fail();
      }
      return codec.encode(value, type);
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) {
      if (reading) {
        fail();
      }
      return codec.decode(payload, type);
    }

    @Override
    public String text(Payload payload) {
      return codec.text(payload);
    }
  }

  @Test
  void aCodecOfTheApplicationsThatFailsGivesTheDeliveryBack() {
    for (boolean reading : new boolean[] {false, true}) {
      bodies.set(0);
      var failures = new AtomicInteger();
      var workflow =
          Workflow.of(
              "seal",
              Void.class,
              String.class,
              (step, none) -> {
                try {
                  int tried =
                      step.run(
                          "seal",
                          () -> {
                            failures.set(bodies.incrementAndGet() == 1 ? 1 : 0);
                            return bodies.get();
                          });
                  return "sealed " + tried;
                } catch (Exception e) {
                  seen.add(e);
                  throw e;
                }
              });
      Node node =
          node(builder -> builder.codec(codec -> new Sealing(codec, failures, reading)), workflow);
      var execution = start(node, workflow);
      awaitGivenBack(execution, 1);
      clock.advance(Duration.ofSeconds(1));

      assertThat(result(execution)).isEqualTo(reading ? "sealed 1" : "sealed 2");
      assertThat(seen).isEmpty();
      node.stop();
    }
  }

  @Test
  void aCodecThatFailsOnAnErrorGivesTheDeliveryBack() {
    var failures = new AtomicInteger();
    var workflow =
        Workflow.of(
            "fail",
            Void.class,
            (step, none) -> {
              step.run(
                  "fail",
                  () -> {
                    failures.set(bodies.incrementAndGet() == 1 ? 1 : 0);
                    throw new IllegalStateException("mine");
                  });
            });
    Node node =
        node(builder -> builder.codec(codec -> new Sealing(codec, failures, false)), workflow);
    var execution = start(node, workflow);
    awaitGivenBack(execution, 1);
    clock.advance(Duration.ofSeconds(1));

    assertThatThrownBy(() -> result(execution)).cause().hasMessage("mine");
    assertThat(bodies).hasValue(2);
  }
}
