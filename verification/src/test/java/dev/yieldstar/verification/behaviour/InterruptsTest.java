package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Workflow;
import dev.yieldstar.verification.logs.LogBook;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/// Interrupts: those of user code, and those of a stop.
class InterruptsTest extends Behaviour {
  @Test
  void anInterruptOfUserCodeDoesNotDisturbRecordingOrWaiting() {
    var flags = new CopyOnWriteArrayList<Boolean>();
    var workflow =
        Workflow.of(
            "interrupt",
            Void.class,
            String.class,
            (step, none) -> {
              Thread.currentThread().interrupt();
              String recorded =
                  step.run(
                      "a",
                      () -> {
                        flags.add(Thread.currentThread().isInterrupted());
                        return "recorded";
                      });
              flags.add(Thread.currentThread().isInterrupted());
              step.sleep("short", Duration.ofMillis(5));
              flags.add(Thread.currentThread().isInterrupted());
              step.run("b", () -> Thread.currentThread().interrupt());
              flags.add(Thread.interrupted());
              step.run("c", () -> {});
              flags.add(Thread.interrupted());
              return recorded;
            });
    Node node = node(builder -> builder.linger(Duration.ofSeconds(2)), workflow);

    assertThat(result(start(node, workflow))).isEqualTo("recorded");
    assertThat(flags).containsExactly(true, true, true, true, false);
  }

  @Test
  void anInterruptedExceptionOfUserCodeIsAnOrdinaryFailure() {
    var bodies = new AtomicInteger();
    var workflow =
        Workflow.of(
            "interrupt",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                step.run(
                    "a",
                    () -> {
                      bodies.incrementAndGet();
                      Thread.currentThread().interrupt();
                      new Gate().pass();
                    });
                return "passed";
              } catch (InterruptedException e) {
                step.sleep("wait", Duration.ofMinutes(1));
                return "caught";
              }
            });
    Node first = node(workflow);
    var execution = start(first, workflow);
    awaitAsleep(execution, "wait");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));

    assertThat(result(second.client().execution(workflow, execution.id()))).isEqualTo("caught");
    assertThat(bodies).hasValue(1);
  }

  @Test
  @DisplayName(
      "SHU-02 a stop gives its leases back: the next process goes on at once, not after ten minutes")
  void aStopGivesItsLeasesBack() {
    var inStep = new Gate();
    var gate = new Gate();
    var workflow =
        Workflow.of(
            "long",
            Void.class,
            String.class,
            (step, none) ->
                step.run(
                    "long",
                    () -> {
                      inStep.open();
                      gate.pass();
                      return "done";
                    }));
    Node first = node(builder -> builder.leaseDuration(Duration.ofMinutes(10)), workflow);
    var execution = start(first, workflow);
    inStep.await();
    first.stop();
    gate.open();
    Node second = node(workflow);

    assertThat(result(second.client().execution(workflow, execution.id()))).isEqualTo("done");
    assertThat(clock.instant()).as("no time has passed").isEqualTo(START);
  }

  @Test
  @DisplayName("SHU-02 a delivery that can't be stopped keeps its lease, and the log says so")
  void aDeliveryThatCannotBeStoppedKeepsItsLease() {
    var inStep = new Gate();
    var gate = new Gate();
    var bodies = new AtomicInteger();
    var workflow =
        Workflow.of(
            "stubborn",
            Void.class,
            String.class,
            (step, none) ->
                step.run(
                    "long",
                    attempt -> {
                      if (bodies.incrementAndGet() == 1) {
                        inStep.open();
                        gate.await();
                      }
                      return "token " + attempt.token();
                    }));
    Node first = node(builder -> builder.abortGracePeriod(Duration.ofMillis(20)), workflow);
    var execution = start(first, workflow);
    inStep.await();
    first.stop();
    assertThat(run(execution).leased()).isTrue();
    assertThat(LogBook.lines(Level.WARN, "did not stop"))
        .singleElement()
        .satisfies(line -> assertThat(line.message()).contains(execution.id()));

    Node second = node(workflow);
    untilTakeOver();
    gate.open();
    assertThat(result(second.client().execution(workflow, execution.id()))).isEqualTo("token 2");
    assertThat(bodies).hasValue(2);
  }

  @Test
  @DisplayName(
      "SHU-01 a stop gives back what runs, sleeps or waits in place; the step that it interrupts is run again")
  void aStopFailsNothing() {
    var inStep = new Gate();
    var gate = new Gate();
    var bodies = new AtomicInteger();
    var caught = new CopyOnWriteArrayList<Exception>();
    var stepping =
        Workflow.of(
            "stepping",
            Void.class,
            String.class,
            (step, none) -> {
              try {
                return step.run(
                    "long",
                    attempt -> {
                      bodies.incrementAndGet();
                      inStep.open();
                      gate.pass();
                      return "attempt " + attempt.number();
                    });
              } catch (Exception e) {
                caught.add(e);
                throw e;
              }
            });
    var sleeping =
        Workflow.of(
            "sleeping",
            Void.class,
            String.class,
            (step, none) -> {
              step.sleep("sleep", Duration.ofHours(1));
              return "awake";
            });
    var parking =
        Workflow.of(
            "parking",
            Void.class,
            String.class,
            (step, none) -> {
              step.sleep("sleep", Duration.ofSeconds(30));
              return "awake";
            });
    Node first =
        node(
            builder -> builder.linger(Duration.ofMinutes(1)).shutdownTimeout(Duration.ofMillis(50)),
            stepping,
            sleeping,
            parking);
    var one = start(first, stepping);
    var two = start(first, sleeping);
    var three = start(first, parking);
    inStep.await();
    awaitAsleep(two, "sleep");
    awaitRecorded(three, "sleep");
    first.stop();

    assertThat(List.of(one, two, three))
        .allSatisfy(each -> assertThat(state(each).status()).isEqualTo(Status.SUSPENDED));
    assertThat(run(one).at()).as("handed over").isEqualTo(START);
    assertThat(run(one).unacknowledged()).isZero();
    assertThat(journal(one)).isEmpty();
    gate.open();
    Node second = node(stepping, sleeping, parking);
    clock.advance(Duration.ofHours(1));
    assertThat(result(second.client().execution(stepping, one.id()))).isEqualTo("attempt 1");
    assertThat(result(second.client().execution(sleeping, two.id()))).isEqualTo("awake");
    assertThat(result(second.client().execution(parking, three.id()))).isEqualTo("awake");
    assertThat(bodies).hasValue(2);
    assertThat(caught).isEmpty();
    assertThat(second.client().execution(one.id()).journal())
        .extracting(StepView::state)
        .containsExactly(StepView.State.SUCCEEDED);
  }
}
