package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Redelivery;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.WorkerExited;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of a lease when its delivery ends, in order or not.
final class DeliveryEndsTest {
  private static final Instant NOON = ManualClock.NOON;

  private final ManualClock clock = new ManualClock();
  private final CapturedLog log = new CapturedLog();
  private final DispatcherRig rig =
      new DispatcherRig(
          new ScriptedBackend(new MemoryBackend(clock), 1),
          DispatcherRig.patient().withConcurrency(2));

  private ScriptedInvoker.Begun deliver(String id) {
    int before = rig.invoker.begun.size();
    rig.admit(id);
    rig.dispatcher.tick();
    return rig.invoker.awaitBegun(before + 1);
  }

  @AfterEach
  void close() {
    rig.close();
    log.close();
  }

  // --- S25, S26, S27

  @Test
  @DisplayName(
      "S25 a claimed execution without a record is an error in the log, and frees its slot")
  void aClaimWithoutARecordFreesItsSlot() {
    rig.backend.onClaim =
        (request, inner) -> reply(new Claim(new Lease(77, 1, 1, request.leaseId()), null, NOON));
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    rig.awaitIdle();
    assertThat(log.errors()).singleElement().asString().contains("77", "no record");
    assertThat(rig.invoker.begun).isEmpty();
    assertThat(rig.backend.batches).isEmpty();
  }

  @Test
  @DisplayName("S26 an execution that has ended never runs: its recorded outcome is emitted")
  void anEndedExecutionNeverRunsAgain() {
    var end = new Terminal(new Outcome.Completed(ScriptedInvoker.payload("was")), NOON, 1, 5);
    Admission admission = DispatcherRig.admission(77, "ended").admission();
    rig.backend.onClaim =
        (request, inner) ->
            reply(
                new Claim(
                    new Lease(77, 1, 2, request.leaseId()),
                    new ExecutionState(admission, 1, null, null, end),
                    NOON));
    rig.dispatcher.tick();
    soon().until(() -> rig.emitted.containsKey("ended"));
    rig.awaitIdle();
    assertThat(rig.emitted).containsExactly(Map.entry("ended", end));
    assertThat(rig.invoker.begun).isEmpty();
    assertThat(rig.backend.batches).isEmpty();
    assertThat(log.errors()).isEmpty();
  }

  private static ClaimReply reply(Claim claim) {
    return new ClaimReply(List.of(claim), NOON, null);
  }

  @Test
  @DisplayName(
      "S27 the invoker gets workflow, execution, params, context, the lease and the signal")
  void theInvokerGetsTheWholeDelivery() {
    var admission =
        Admission.request(
            5,
            "a",
            DispatcherRig.WORKFLOW,
            null,
            ScriptedInvoker.payload("params"),
            "f",
            ScriptedInvoker.payload("context"),
            Map.of());
    rig.send(new Command.Admit(admission, Due.NOW, null));
    rig.dispatcher.tick();
    Delivery delivery = rig.invoker.awaitBegun(1).delivery();
    assertThat(delivery.workflow()).isEqualTo(DispatcherRig.WORKFLOW);
    assertThat(delivery.executionId()).isEqualTo("a");
    assertThat(delivery.params()).contains(ScriptedInvoker.payload("params"));
    assertThat(delivery.context()).contains(ScriptedInvoker.payload("context"));
    assertThat(delivery.lease())
        .isEqualTo(new Lease(5, 1, 1, rig.backend.claims.getFirst().leaseId()));
    assertThat(delivery.claimedAt()).isEqualTo(NOON);
    assertThat(delivery.signal().isAborted()).isFalse();
    assertThat(delivery.journal()).isEmpty();
  }

  @Test
  @DisplayName("S27 a later delivery gets what the earlier ones recorded, in order")
  void aLaterDeliveryGetsTheJournal() {
    ScriptedInvoker.Begun first = deliver("a");
    rig.send(record(first.delivery().lease(), "z", 1));
    rig.send(record(first.delivery().lease(), "b", 2));
    first.end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.HandedOver()));
    rig.awaitIdle();
    rig.dispatcher.tick();
    assertThat(rig.invoker.awaitBegun(2).delivery().journal())
        .extracting(step -> step.key())
        .containsExactly("z", "b");
  }

  // --- S28

  @ParameterizedTest(name = "{0}")
  @MethodSource("exits")
  @DisplayName("S28 a worker that exited before it replied leaves the lease to expire")
  void aWorkerThatExitedLeavesTheLeaseToExpire(String how, Throwable failure) {
    ScriptedInvoker.Begun running = deliver("a");
    rig.send(new Command.Wake("a"));
    running.end().completeExceptionally(failure);
    rig.awaitIdle();
    assertThat(rig.backend.batches).isEmpty();
    assertThat(rig.leases.leases()).isEmpty();
    assertThat(rig.state("a").live().leased()).isTrue();
    assertThat(log.errors()).singleElement().asString().contains("'a'", "exited");

    clock.pass(Duration.ofMinutes(10).plus(Redelivery.delay(1)).minusMillis(1));
    assertThat(rig.dispatcher.tick()).isZero();
    clock.pass(Duration.ofMillis(1));
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    ExecutionState again = rig.invoker.awaitBegun(2).delivery().state();
    assertThat(again.live().wakes()).isEqualTo(1);
    assertThat(again.live().token()).isEqualTo(2);
    assertThat(again.live().last()).isEqualTo(LastDelivery.LEASE_PASSED);
  }

  static Stream<Arguments> exits() {
    var exited = new WorkerExited("code 137");
    return Stream.of(
        Arguments.of("as it is", exited),
        Arguments.of("through a later stage", new CompletionException(exited)),
        Arguments.of(
            "through two of them", new CompletionException(new CompletionException(exited))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  @DisplayName("S28 any other failure without an outcome releases the lease, as failed")
  void anyOtherFailureReleasesTheLease(String how, Consumer<ScriptedInvoker> script) {
    script.accept(rig.invoker);
    ScriptedInvoker.Begun running = deliver("a");
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Release.class))
        .containsExactly(
            new Command.Release(running.delivery().lease(), new Command.ReleaseReason.Failed()));
    assertThat(log.errors()).singleElement().asString().contains("'a'", "failed without");
    assertThat(rig.state("a").live())
        .satisfies(
            run -> {
              assertThat(run.leased()).isFalse();
              assertThat(run.last()).isEqualTo(LastDelivery.FAILED);
              assertThat(run.unacknowledged()).isEqualTo(1);
              assertThat(run.at()).isEqualTo(NOON.plus(Redelivery.delay(1)));
            });
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        script("a failed stage", d -> CompletableFuture.failedFuture(new IllegalStateException())),
        script("an Error", d -> CompletableFuture.failedFuture(new StackOverflowError())),
        script(
            "a cancelled stage", d -> CompletableFuture.failedFuture(new CancellationException())),
        script("a stage that ends with nothing", d -> nothing()),
        script(
            "an invoker that throws",
            d -> {
              throw new IllegalStateException();
            }),
        script(
            "an invoker that throws an Error",
            d -> {
              throw new NoClassDefFoundError("scripted");
            }));
  }

  @SuppressWarnings("NullAway") // what an invoker should not do
  private static CompletableFuture<DeliveryEnd> nothing() {
    return CompletableFuture.completedFuture(null);
  }

  private static Arguments script(
      String how, Function<Delivery, CompletableFuture<DeliveryEnd>> end) {
    return Arguments.of(how, (Consumer<ScriptedInvoker>) invoker -> invoker.onDeliver = end::apply);
  }

  @Test
  @DisplayName(
      "S28 after a failure the wakes stay pending, and it is delivered again after the delay")
  void afterAFailureItIsDeliveredAgainAfterTheDelay() {
    ScriptedInvoker.Begun running = deliver("a");
    rig.send(new Command.Wake("a"));
    running.end().completeExceptionally(new IllegalStateException("scripted"));
    rig.awaitIdle();
    clock.pass(Redelivery.delay(1).minusMillis(1));
    assertThat(rig.dispatcher.tick()).isZero();
    clock.pass(Duration.ofMillis(1));
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    assertThat(rig.invoker.awaitBegun(2).delivery().state().live().wakes()).isEqualTo(1);
  }

  @Test
  @DisplayName("S28 an orderly hand-over is delivered again at once, and not counted")
  void anOrderlyHandOverIsDeliveredAgainAtOnce() {
    ScriptedInvoker.Begun running = deliver("a");
    running.end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.HandedOver()));
    rig.awaitIdle();
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    assertThat(rig.invoker.awaitBegun(2).delivery().state().live().unacknowledged()).isZero();
    assertThat(log.errors()).isEmpty();
  }

  @Test
  void aBlockedDeliveryIsReleasedAsBlocked() {
    var why = new Attention("WHY", "what", "v1");
    deliver("a").end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.Blocked(why)));
    rig.awaitIdle();
    assertThat(rig.state("a").live().attention()).isEqualTo(why);
  }

  // --- S29

  @Test
  @DisplayName("S29 when reading the record throws, the lease is left to expire")
  void whenReadingTheRecordThrowsTheLeaseIsLeftToExpire() {
    ScriptedInvoker.Begun first = deliver("a");
    rig.send(record(first.delivery().lease(), "s", 1));
    first.end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.HandedOver()));
    rig.awaitIdle();
    int sent = rig.backend.batches.size();
    rig.backend.onJournal =
        () -> {
          throw ScriptedBackend.unavailable();
        };
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    soon().until(() -> !log.errors().isEmpty());
    rig.awaitIdle();
    assertThat(log.errors()).singleElement().asString().contains("'a'", "lease will pass");
    assertLeftToExpire("a", sent);
    assertThat(rig.invoker.begun).hasSize(1);
  }

  @Test
  @DisplayName("S29 when acknowledging throws, the lease is left to expire")
  void whenAcknowledgingThrowsTheLeaseIsLeftToExpire() {
    failCommits(new IllegalStateException("scripted"));
    deliver("a").complete();
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Acknowledge.class)).hasSize(1);
    assertThat(log.errors()).anyMatch(line -> line.contains("'a'") && line.contains("will pass"));
    assertLeftToExpire("a", 1);
    assertThat(rig.emitted).isEmpty();
  }

  @Test
  @DisplayName("S29 when releasing throws, the lease is left to expire")
  void whenReleasingThrowsTheLeaseIsLeftToExpire() {
    failCommits(new BackendException(BackendException.Fault.CLOSED, "scripted", null));
    deliver("a").end().completeExceptionally(new IllegalStateException("scripted"));
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Release.class)).hasSize(1);
    assertThat(log.errors()).anyMatch(line -> line.contains("'a'") && line.contains("will pass"));
    assertLeftToExpire("a", 1);
  }

  private void assertLeftToExpire(String id, int sent) {
    assertThat(rig.state(id).live().leased()).isTrue();
    assertThat(rig.leases.leases()).isEmpty();
    stays(() -> rig.backend.batches.size() == sent);
  }

  private void failCommits(RuntimeException failure) {
    rig.backend.onCommit =
        (batch, inner) -> {
          throw failure;
        };
  }

  @Test
  @DisplayName("S29 an acknowledgement that is refused as bad data releases as failed")
  void anAcknowledgementRefusedAsDataReleasesAsFailed() {
    rig.backend.onCommit =
        (batch, inner) -> {
          if (batch.stream().anyMatch(Command.Acknowledge.class::isInstance)) {
            throw ScriptedBackend.refusedData();
          }
          return inner.commit(batch);
        };
    deliver("a").complete();
    rig.awaitIdle();
    assertThat(rig.state("a").live().last()).isEqualTo(LastDelivery.FAILED);
    assertThat(rig.emitted).isEmpty();
    assertThat(log.errors()).singleElement().asString().contains("'a'", "refused");
  }

  @Test
  @DisplayName("S29 a journal that can't be read costs only its own execution")
  void aJournalThatCannotBeReadCostsOnlyItsOwnExecution() {
    recordAndHandOver("good", "bad");
    rig.backend.refusedJournals.add(rig.state("bad").key());
    assertThat(rig.dispatcher.tick()).isEqualTo(2);
    assertThat(rig.invoker.awaitBegun(3).id()).isEqualTo("good");
    soon().until(() -> !log.errors().isEmpty());
    assertThat(log.errors()).singleElement().asString().contains("'bad'");
    assertThat(rig.state("bad").live().leased()).isTrue();
  }

  @Test
  void anOutageWhileJournalsAreReadIsMetOnce() {
    recordAndHandOver("a", "b");
    var reads = new AtomicInteger();
    rig.backend.onJournal =
        () -> {
          reads.incrementAndGet();
          throw ScriptedBackend.unavailable();
        };
    rig.dispatcher.tick();
    rig.awaitIdle();
    assertThat(reads).hasValue(1);
  }

  private void recordAndHandOver(String... ids) {
    rig.admit(ids);
    rig.dispatcher.tick();
    rig.invoker.awaitBegun(ids.length);
    for (ScriptedInvoker.Begun each : rig.invoker.begun) {
      rig.send(record(each.delivery().lease(), "s", 1));
      each.end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.HandedOver()));
    }
    rig.awaitIdle();
  }

  // --- S30

  @Test
  @DisplayName("S30 a completed outcome reaches whoever waits")
  void aCompletedOutcomeIsEmitted() {
    deliver("a").end().complete(ScriptedInvoker.completed("receipt"));
    soon().until(() -> rig.emitted.containsKey("a"));
    assertThat(rig.emitted)
        .extractingByKey("a")
        .extracting(Terminal::outcome)
        .isEqualTo(new Outcome.Completed(ScriptedInvoker.payload("receipt")));
    assertThat(rig.emitted).extractingByKey("a").isEqualTo(rig.state("a").terminal());
  }

  @Test
  @DisplayName("S30 a failed outcome reaches whoever waits")
  void aFailedOutcomeIsEmitted() {
    deliver("a").end().complete(ScriptedInvoker.failed("declined"));
    soon().until(() -> rig.emitted.containsKey("a"));
    assertThat(rig.emitted)
        .extractingByKey("a")
        .extracting(Terminal::outcome)
        .isEqualTo(new Outcome.Failed(ScriptedInvoker.payload("declined")));
  }

  @Test
  @DisplayName("S30 a suspended delivery emits nothing")
  void aSuspendedDeliveryEmitsNothing() {
    ScriptedInvoker.Begun running = deliver("a");
    running.end().complete(ScriptedInvoker.suspended(running.delivery()));
    rig.awaitIdle();
    assertThat(rig.state("a").status()).isEqualTo(Status.SUSPENDED);
    assertThat(rig.emitted).isEmpty();
  }

  // --- S31

  @ParameterizedTest(name = "{0}")
  @MethodSource("endings")
  @DisplayName("S31 once its lease is over, nothing that a delivery writes changes anything")
  void writesUnderALeaseThatIsOverChangeNothing(
      String how, Consumer<ScriptedInvoker.Begun> ending) {
    ScriptedInvoker.Begun running = deliver("a");
    ending.accept(running);
    rig.awaitIdle();
    ExecutionState before = rig.state("a");
    Lease stale = running.delivery().lease();
    List<Command> writes =
        List.of(
            record(stale, "late", 1),
            new Command.StartChild(
                stale, "child", 2, NOON, DispatcherRig.admission(99, "child").admission(), Due.NOW),
            new Command.Renew(stale, Duration.ofMinutes(1)),
            new Command.Release(stale, new Command.ReleaseReason.HandedOver()));
    for (Command write : writes) {
      assertThat(rig.send(write)).as("%s", write).isEqualTo(new Reply.Lost());
    }
    assertThat(rig.state("a")).isEqualTo(before);
    assertThat(rig.backend.find("child")).isEmpty();
  }

  static Stream<Arguments> endings() {
    return Stream.of(
        ending("completed", begun -> begun.complete()),
        ending("failed", begun -> begun.end().complete(ScriptedInvoker.failed("no"))),
        ending(
            "suspended",
            begun -> begun.end().complete(ScriptedInvoker.suspended(begun.delivery()))),
        ending(
            "released",
            begun ->
                begun.end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.Failed()))),
        ending(
            "continued as new",
            begun ->
                begun
                    .end()
                    .complete(
                        new DeliveryEnd.Acknowledge(
                            new Command.Acknowledgement.ContinuedAsNew(null)))));
  }

  private static Arguments ending(String how, Consumer<ScriptedInvoker.Begun> end) {
    return Arguments.of(how, end);
  }

  @Test
  @DisplayName("S31 an outcome under a lease that another claim took over changes nothing")
  void anOutcomeUnderATakenOverLeaseChangesNothing() {
    ScriptedInvoker.Begun running = deliver("a");
    rig.takeOver(running);
    ExecutionState before = rig.state("a");
    Lease stale = running.delivery().lease();
    for (Command.Acknowledgement outcome :
        List.of(
            new Command.Acknowledgement.Completed(ScriptedInvoker.payload("late")),
            new Command.Acknowledgement.Failed(ScriptedInvoker.payload("late")),
            new Command.Acknowledgement.Suspended(null, 0, null, List.of()),
            new Command.Acknowledgement.ContinuedAsNew(null))) {
      assertThat(rig.send(new Command.Acknowledge(stale, outcome))).isEqualTo(new Reply.Lost());
    }
    assertThat(rig.state("a")).isEqualTo(before);
  }

  static Command.RecordStep record(Lease lease, String key, int position) {
    return new Command.RecordStep(
        lease,
        key,
        1,
        position,
        StepKind.RUN,
        "",
        new StepEntry.Value(ScriptedInvoker.payload(key)),
        NOON,
        false);
  }
}
