package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Execution;
import dev.yieldstar.Retry;
import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.verification.logs.LogBook;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/// Holders that were frozen in some write while another took over: all of it is refused.
class FrozenHoldersTest extends Behaviour {
  private static final String LOST = "was lost";

  /// Freezes a holder in a write, lets another take over and end the execution, and lets the first
  /// go on.
  private void assertRefused(Predicate<Command> write, Frozen code) {
    LogBook.clear();
    var passes = new AtomicInteger();
    var isFirst = new AtomicBoolean(true);
    var workflow =
        Workflow.of(
            "frozen",
            Void.class,
            String.class,
            (step, none) -> {
              boolean first = isFirst.getAndSet(false);
              passes.incrementAndGet();
              return code.run(step, first);
            });
    var canary = Workflow.of("canary", Void.class, String.class, (step, none) -> "sings");
    Node frozen = node(builder -> builder.concurrency(1), workflow, canary);
    Line.Held held = frozen.line().hold(write);
    var execution = start(frozen, workflow);
    held.reached().await();

    Node second = node(workflow);
    untilTakeOver();
    Execution<String> taken = second.client().execution(workflow, execution.id());
    assertThat(result(taken)).isEqualTo("by the second");
    var journal = journal(taken);
    held.released().open();

    assertThat(result(start(frozen, canary))).as("the slot is free again").isEqualTo("sings");
    assertThat(passes).hasValue(2);
    assertThat(state(taken).status()).isEqualTo(Status.COMPLETED);
    assertThat(state(taken).ended().token()).isEqualTo(2);
    assertThat(result(taken)).isEqualTo("by the second");
    assertThat(journal(taken)).isEqualTo(journal);
    assertThat(LogBook.lines(Level.WARN, LOST))
        .singleElement()
        .satisfies(line -> assertThat(line.message()).contains(execution.id()).contains("token 1"));
    frozen.stop();
    second.stop();
  }

  private interface Frozen {
    String run(Steps step, boolean first) throws Exception;
  }

  private static Predicate<Command> record(Class<? extends StepEntry> entry) {
    return command ->
        command instanceof Command.RecordStep record && entry.isInstance(record.entry());
  }

  private static Predicate<Command> acknowledge(Class<? extends Command.Acknowledgement> how) {
    return command ->
        command instanceof Command.Acknowledge acknowledge
            && how.isInstance(acknowledge.acknowledgement());
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's record of a value is refused")
  void aRecordOfAValueIsRefused() {
    assertRefused(
        record(StepEntry.Value.class),
        (step, first) -> {
          step.run("s1", () -> first ? "by the first" : "by the second");
          return step.run("s2", () -> first ? "by the first" : "by the second");
        });
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's record of an error is refused")
  void aRecordOfAnErrorIsRefused() {
    assertRefused(
        record(StepEntry.Error.class),
        (step, first) ->
            step.run(
                "s1",
                () -> {
                  if (first) {
                    throw new IllegalStateException("by the first");
                  }
                  return "by the second";
                }));
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's record of a failed attempt is refused")
  void aRecordOfAFailedAttemptIsRefused() {
    assertRefused(
        record(StepEntry.Retry.class),
        (step, first) ->
            step.run(
                "s1",
                Retry.fixed(Duration.ofMinutes(1)),
                () -> {
                  if (first) {
                    throw new IllegalStateException("by the first");
                  }
                  return "by the second";
                }));
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's record of a wait is refused")
  void aRecordOfAWaitIsRefused() {
    assertRefused(
        record(StepEntry.Wait.class),
        (step, first) -> {
          if (first) {
            step.sleep("s1", Duration.ofDays(1));
          }
          return "by the second";
        });
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's result is refused")
  void aResultIsRefused() {
    assertRefused(
        acknowledge(Command.Acknowledgement.Completed.class),
        (step, first) -> first ? "by the first" : "by the second");
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's failure is refused")
  void aFailureIsRefused() {
    assertRefused(
        acknowledge(Command.Acknowledgement.Failed.class),
        (step, first) -> {
          if (first) {
            throw new IllegalStateException("by the first");
          }
          return "by the second";
        });
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's suspension is refused")
  void aSuspensionIsRefused() {
    assertRefused(
        acknowledge(Command.Acknowledgement.Suspended.class),
        (step, first) -> {
          step.sleep("s1", first ? Duration.ofSeconds(1) : Duration.ZERO);
          return "by the second";
        });
  }

  @Test
  @DisplayName("LEA-02 a frozen holder's release is refused")
  void aReleaseIsRefused() {
    assertRefused(
        Command.Release.class::isInstance,
        (step, first) -> {
          if (first) {
            throw new OutOfMemoryError("made up");
          }
          return "by the second";
        });
  }

  @Test
  @DisplayName(
      "LEA-02 a holder that was frozen in a body records nothing of it, and is told to stop")
  void aHolderFrozenInABody() {
    LogBook.clear();
    var gate = new Gate();
    var inBody = new Gate();
    var interrupted = new CopyOnWriteArrayList<String>();
    var isFirst = new AtomicBoolean(true);
    var workflow =
        Workflow.of(
            "frozen",
            Void.class,
            String.class,
            (step, none) ->
                step.run(
                    "s1",
                    () -> {
                      if (!isFirst.getAndSet(false)) {
                        return "by the second";
                      }
                      inBody.open();
                      try {
                        gate.pass();
                      } catch (InterruptedException e) {
                        interrupted.add("interrupted");
                      }
                      return "by the first";
                    }));
    Node frozen = node(builder -> builder.renewInterval(Duration.ofMillis(20)), workflow);
    Line.Held renewal = frozen.line().hold(Command.Renew.class::isInstance);
    var execution = start(frozen, workflow);
    inBody.await();
    renewal.reached().await();
    Node second = node(workflow);
    untilTakeOver();
    Execution<String> taken = second.client().execution(workflow, execution.id());
    assertThat(result(taken)).isEqualTo("by the second");
    renewal.released().open();
    eventually(() -> !interrupted.isEmpty());
    frozen.stop();

    assertThat(taken.journal())
        .extracting(StepView::value)
        .containsExactly(java.util.Optional.of("\"by the second\""));
    assertThat(LogBook.lines(Level.WARN, LOST)).hasSize(1);
  }
}
