package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OutcomesTest {
  private static final Terminal END =
      new Terminal(new Outcome.Completed(ScriptedInvoker.payload("done")), ManualClock.NOON, 1, 1);

  private final CapturedLog log = new CapturedLog();
  private final ScriptedBackend backend = new ScriptedBackend();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Outcomes outcomes = outcomes(Duration.ofHours(1));

  private Outcomes outcomes(Duration poll) {
    return new Outcomes(backend, threads, poll);
  }

  @AfterEach
  void close() {
    outcomes.close();
    threads.shutdown();
    log.close();
  }

  /// An execution that another process has run to its end.
  private void endElsewhere(long internal, String id) {
    backend.inner.commit(
        List.of(
            new Command.Admit(
                DispatcherRig.admission(internal, id).admission(),
                Due.NOW,
                new Command.Grant(9, Duration.ofMinutes(1)))));
    var lease = new dev.yieldstar.execution.Lease(internal, 1, 1, 9);
    Reply reply =
        backend
            .inner
            .commit(
                List.of(
                    new Command.Acknowledge(
                        lease,
                        new Command.Acknowledgement.Completed(ScriptedInvoker.payload("done")))))
            .getFirst();
    assertThat(reply).isInstanceOf(Reply.Acknowledged.class);
  }

  @Test
  void anEndReachesEveryoneWhoWaits() {
    CompletableFuture<Terminal> first = outcomes.await("a");
    CompletableFuture<Terminal> second = outcomes.await("a");
    CompletableFuture<Terminal> other = outcomes.await("b");
    outcomes.emit("a", END);
    assertThat(first).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(END);
    assertThat(second).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(END);
    assertThat(other).isNotDone();
    assertThat(outcomes.awaited()).isEqualTo(1);
  }

  @Test
  void anEndThatNobodyWaitsForIsForgotten() {
    outcomes.emit("a", END);
    assertThat(outcomes.awaited()).isZero();
    assertThat(outcomes.await("a")).as("it asks the backend instead").isNotDone();
  }

  @Test
  void whatEndedElsewhereIsFoundByThePoll() {
    Outcomes polling = outcomes(Duration.ofMillis(5));
    CompletableFuture<Terminal> end = polling.await("a");
    CompletableFuture<Terminal> other = polling.await("b");
    endElsewhere(1, "a");
    assertThat(end)
        .succeedsWithin(Duration.ofSeconds(5))
        .isEqualTo(Objects.requireNonNull(backend.find("a").orElseThrow().terminal()));
    assertThat(other).isNotDone();
    polling.close();
  }

  @Test
  void nothingIsAskedWhileNobodyWaits() {
    var asked = new AtomicInteger();
    backend.onEnds = asked::incrementAndGet;
    Outcomes polling = outcomes(Duration.ofMillis(2));
    polling.await("a").cancel(false);
    stays(() -> asked.get() <= 1);
    polling.close();
  }

  @Test
  void aPollThatFailsIsLoggedAndTriedAgain() {
    var failures = new AtomicInteger();
    backend.onEnds =
        () -> {
          if (failures.incrementAndGet() <= 3) {
            throw ScriptedBackend.unavailable();
          }
        };
    endElsewhere(1, "a");
    Outcomes polling = outcomes(Duration.ofMillis(2));
    assertThat(polling.await("a")).succeedsWithin(Duration.ofSeconds(5));
    assertThat(log.warnings()).singleElement().asString().contains("could not be read");
    polling.close();
  }

  @Test
  void aWaitThatIsCancelledLeavesNothingBehind() {
    CompletableFuture<Terminal> first = outcomes.await("a");
    CompletableFuture<Terminal> second = outcomes.await("a");
    first.cancel(false);
    assertThat(outcomes.awaited()).isEqualTo(1);
    second.completeExceptionally(new IllegalStateException("the caller found out otherwise"));
    assertThat(outcomes.awaited()).isZero();
  }

  @Test
  void whatHangsOnOneWaitDoesNotKeepTheOthersWaiting() {
    var hold = new CountDownLatch(1);
    CompletableFuture<Void> blocked =
        outcomes.await("a").thenAccept(end -> Uninterruptibly.await(hold));
    CompletableFuture<Terminal> other = outcomes.await("a");
    outcomes.emit("a", END);
    assertThat(other).succeedsWithin(Duration.ofSeconds(5));
    assertThat(blocked).isNotDone();
    hold.countDown();
  }

  @Test
  void thoseWhoWaitAreToldOfTheClose() {
    CompletableFuture<Terminal> waiting = outcomes.await("a");
    outcomes.close();
    outcomes.close();
    assertClosed(waiting);
    assertClosed(outcomes.await("b"));
    assertThat(outcomes.awaited()).isZero();
  }

  @Test
  void anEndThatComesDuringTheCloseStillArrives() {
    CompletableFuture<Terminal> waiting = outcomes.await("a");
    threads.shutdown();
    outcomes.emit("a", END);
    assertThat(waiting).isCompletedWithValue(END);
  }

  @Test
  void aForeignInterruptDoesNotEndThePoll() {
    java.util.Set<Thread> before = Thread.getAllStackTraces().keySet();
    Outcomes polling = outcomes(Duration.ofMillis(2));
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .filter(thread -> thread.getName().equals("yieldstar-outcomes"))
        .forEach(Thread::interrupt);
    soon().until(() -> log.errors().stream().anyMatch(line -> line.contains("interrupted")));
    endElsewhere(1, "a");
    assertThat(polling.await("a")).succeedsWithin(Duration.ofSeconds(5));
    polling.close();
  }

  private static void assertClosed(CompletableFuture<Terminal> wait) {
    assertThat(wait)
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            BackendException.class,
            e -> assertThat(e.fault()).isEqualTo(BackendException.Fault.CLOSED));
  }
}
