package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.Signal;
import dev.yieldstar.spi.Signal.AbortReason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How leases are renewed while deliveries run, and what happens when one is lost.
final class LeaseRenewalTest {
  private final CapturedLog log = new CapturedLog();
  private DispatcherRig rig = new DispatcherRig(DispatcherRig.brisk());

  private void rig(ScriptedBackend backend, EngineSettings settings) {
    rig.close();
    rig = new DispatcherRig(backend, settings);
  }

  private void rig(EngineSettings settings) {
    rig(new ScriptedBackend(), settings);
  }

  private ScriptedInvoker.Begun deliver(String id) {
    rig.admit(id);
    rig.dispatcher.tick();
    return rig.invoker.awaitBegun(1);
  }

  private int renewals() {
    return rig.backend.sent(Command.Renew.class).size();
  }

  @AfterEach
  void close() {
    rig.close();
    log.close();
  }

  // --- S21

  @Test
  @DisplayName("S21 the lease is renewed every renewInterval while the delivery runs, and no more")
  void theLeaseIsRenewedWhileTheDeliveryRuns() {
    List<Long> times = new CopyOnWriteArrayList<>();
    rig.backend.onCommit =
        (batch, inner) -> {
          if (batch.getFirst() instanceof Command.Renew) {
            times.add(System.nanoTime());
          }
          return inner.commit(batch);
        };
    long began = System.nanoTime();
    ScriptedInvoker.Begun running = deliver("a");
    soon().until(() -> times.size() >= 4);
    assertThat(times.get(3) - began).isGreaterThanOrEqualTo(Duration.ofMillis(200).toNanos());
    assertThat(rig.backend.sent(Command.Renew.class))
        .allMatch(renewal -> renewal.lease().equals(running.delivery().lease()))
        .allMatch(renewal -> renewal.duration().equals(Duration.ofSeconds(10)));

    running.complete();
    rig.awaitIdle();
    int afterEnd = renewals();
    stays(() -> renewals() == afterEnd);
  }

  @Test
  @DisplayName("S21 one renewal at a time")
  void thereIsOneRenewalAtATime() {
    var hold = new CountDownLatch(1);
    rig.backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    deliver("a");
    soon().until(() -> renewals() == 1);
    // Four intervals pass while it is under way.
    stays(Duration.ofMillis(200), () -> renewals() == 1);
    hold.countDown();
    soon().until(() -> renewals() >= 3);
    assertThat(rig.backend.batches)
        .allMatch(batch -> batch.stream().filter(Command.Renew.class::isInstance).count() <= 1);
  }

  @Test
  @DisplayName("S21 a renewal that throws is logged and tried again")
  void aRenewalThatThrowsIsLoggedAndTriedAgain() {
    var failures = new AtomicInteger();
    rig.backend.onCommit =
        (batch, inner) -> {
          if (batch.getFirst() instanceof Command.Renew && failures.incrementAndGet() <= 2) {
            throw new IllegalStateException("scripted");
          }
          return inner.commit(batch);
        };
    ScriptedInvoker.Begun running = deliver("a");
    soon().until(() -> renewals() >= 4);
    assertThat(running.delivery().signal().isAborted()).isFalse();
    assertThat(log.errors().stream().filter(line -> line.contains("could not be renewed")))
        .hasSize(2)
        .allMatch(line -> line.contains("'a'"));
  }

  @Test
  @DisplayName("S21 a lease whose time has passed is renewed as long as nobody has claimed")
  void aPassedLeaseIsRenewedAsLongAsNobodyHasClaimed() {
    var clock = new ManualClock();
    rig(new ScriptedBackend(new MemoryBackend(clock), 1), DispatcherRig.brisk());
    ScriptedInvoker.Begun running = deliver("a");
    clock.pass(Duration.ofHours(1));
    int before = renewals();
    soon().until(() -> renewals() >= before + 2);
    assertThat(rig.state("a").live().at()).isAfter(clock.instant());
    assertThat(running.delivery().signal().isAborted()).isFalse();
  }

  @Test
  @DisplayName(
      "S21 a lease is held from its claim on, however long the delivery's thread waits to run")
  void aLeaseIsHeldFromItsClaimOn() {
    List<Runnable> waiting = new CopyOnWriteArrayList<>();
    var dispatcher =
        new Dispatcher(
            rig.backend,
            rig.invoker,
            rig.committer,
            rig.leases,
            DispatcherRig.brisk(),
            Set.of(DispatcherRig.WORKFLOW),
            rig.emitted::put,
            waiting::add,
            new Ids(),
            () -> true);
    rig.admit("a");
    dispatcher.tick();
    assertThat(waiting).hasSize(1);
    soon().until(() -> renewals() >= 2);
  }

  // --- S22

  @Test
  @DisplayName("S22 a lost lease is renewed no more, warned of once, and aborts the delivery")
  void aLostLeaseAbortsTheDelivery() {
    rig(DispatcherRig.brisk().withAbortGracePeriod(Duration.ofSeconds(10)));
    ScriptedInvoker.Begun running = deliver("a");
    rig.takeOver(running);
    soon().until(() -> running.delivery().signal().isAborted());
    assertThat(running.delivery().signal().reason()).isEqualTo(AbortReason.LEASE_LOST);
    int sent = renewals();
    stays(() -> renewals() == sent);

    running.end().complete(new DeliveryEnd.Stopped());
    rig.awaitIdle();
    assertThat(log.warnings()).singleElement().asString().contains("'a'", "token 1", "lost");
  }

  @Test
  @DisplayName("S22 a delivery that lost its lease is neither acknowledged nor released")
  void aDeliveryThatLostItsLeaseIsNeitherAcknowledgedNorReleased() {
    rig(DispatcherRig.brisk().withAbortGracePeriod(Duration.ofSeconds(10)));
    List<Consumer<ScriptedInvoker.Begun>> ends =
        List.of(
            ScriptedInvoker.Begun::complete,
            begun -> begun.end().complete(new DeliveryEnd.Stopped()),
            begun ->
                begun.end().complete(new DeliveryEnd.Release(new Command.ReleaseReason.Failed())),
            begun -> begun.end().completeExceptionally(new IllegalStateException("late")));
    for (int i = 0; i < ends.size(); i++) {
      rig.admit("a" + i);
      rig.dispatcher.tick();
      ScriptedInvoker.Begun running = rig.invoker.awaitBegun(i + 1);
      rig.takeOver(running);
      soon().until(() -> running.delivery().signal().isAborted());
      ends.get(i).accept(running);
      rig.awaitIdle();
    }
    assertThat(rig.backend.sent(Command.Acknowledge.class)).isEmpty();
    assertThat(rig.backend.sent(Command.Release.class)).isEmpty();
    assertThat(rig.emitted).isEmpty();
    assertThat(log.warnings()).hasSize(ends.size());
  }

  // --- S23

  @Test
  @DisplayName("S23 a delivery that does not stop within the grace period is abandoned")
  void aDeliveryThatDoesNotStopIsAbandoned() {
    rig(DispatcherRig.brisk().withConcurrency(1));
    ScriptedInvoker.Begun stubborn = deliver("a");
    rig.takeOver(stubborn);
    rig.awaitIdle();
    assertThat(stubborn.end()).isNotDone();
    assertThat(log.warnings())
        .hasSize(2)
        .last()
        .asString()
        .contains("'a'", "token 1", "grace period", "abandoned");

    rig.admit("b");
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    rig.invoker.awaitBegun(2);
  }

  @Test
  @DisplayName("S23 the late outcome of an abandoned delivery is logged and otherwise ignored")
  void theLateOutcomeOfAnAbandonedDeliveryIsIgnored() {
    ScriptedInvoker.Begun stubborn = deliver("a");
    rig.takeOver(stubborn);
    rig.awaitIdle();
    stubborn.complete();
    soon().until(() -> log.warnings().size() == 3);
    assertThat(log.warnings()).last().asString().contains("'a'", "late", "ignored");
    assertThat(rig.backend.sent(Command.Acknowledge.class)).isEmpty();
    assertThat(rig.emitted).isEmpty();
    assertThat(rig.dispatcher.activeDeliveries()).isZero();
  }

  @Test
  @DisplayName("S23 the late error of an abandoned delivery is logged and otherwise ignored")
  void theLateErrorOfAnAbandonedDeliveryIsIgnored() {
    ScriptedInvoker.Begun stubborn = deliver("a");
    rig.takeOver(stubborn);
    rig.awaitIdle();
    stubborn.end().completeExceptionally(new IllegalStateException("late"));
    soon().until(() -> log.warnings().size() == 3);
    assertThat(log.warnings()).last().asString().contains("'a'", "late", "ignored");
    assertThat(log.errors()).isEmpty();
    assertThat(rig.backend.sent(Command.Release.class)).isEmpty();
    assertThat(rig.dispatcher.activeDeliveries()).isZero();
  }

  // --- S24

  @Test
  @DisplayName(
      "S24 an outcome waits for the renewal in flight; where that is lost, it warns once and sends nothing")
  void anOutcomeWaitsForTheRenewalInFlight() {
    rig(DispatcherRig.patient().withRenewInterval(Duration.ofMillis(300)));
    var hold = new CountDownLatch(1);
    rig.backend.onCommit =
        (batch, inner) -> {
          if (batch.getFirst() instanceof Command.Renew) {
            Uninterruptibly.await(hold);
          }
          return inner.commit(batch);
        };
    ScriptedInvoker.Begun running = deliver("a");
    soon().until(() -> renewals() == 1);
    running.complete();
    rig.takeOver(running);
    hold.countDown();
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Acknowledge.class)).isEmpty();
    assertThat(rig.emitted).isEmpty();
    assertThat(log.warnings()).singleElement().asString().contains("'a'", "lost");
  }

  @Test
  @DisplayName("S24 an outcome waits for a renewal no longer than renewInterval")
  void anOutcomeWaitsNoLongerThanARenewalMayTake() {
    var hold = new CountDownLatch(1);
    rig.backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    var lease = new Lease(1, 1, 1, 99);
    rig.leases.hold(lease, "a", new Signal());
    soon().until(() -> renewals() == 1);
    CompletableFuture<Boolean> ours = CompletableFuture.supplyAsync(() -> rig.leases.stop(lease));
    assertThat(ours).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
    assertThat(hold.getCount()).isEqualTo(1);
    hold.countDown();
  }

  @Test
  @DisplayName("S24 a renewal that is answered lost only after that is not warned of a second time")
  void aLateLostRenewalIsNotWarnedOfASecondTime() {
    rig(DispatcherRig.brisk());
    var hold = new CountDownLatch(1);
    rig.backend.onCommit =
        (batch, inner) -> {
          if (batch.getFirst() instanceof Command.Renew) {
            Uninterruptibly.await(hold);
          }
          return inner.commit(batch);
        };
    ScriptedInvoker.Begun running = deliver("a");
    soon().until(() -> renewals() == 1);
    running.complete();
    rig.takeOver(running);
    // The acknowledgement is behind the renewal, whose time is over.
    stays(() -> rig.dispatcher.activeDeliveries() == 1);
    hold.countDown();
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Acknowledge.class)).hasSize(1);
    assertThat(log.warnings()).singleElement().asString().contains("'a'", "lost");
  }

  @Test
  @DisplayName(
      "S24 an acknowledgement that is answered lost gives a warning, and nothing is emitted")
  void aLostAcknowledgementGivesAWarning() {
    rig(DispatcherRig.patient());
    ScriptedInvoker.Begun running = deliver("a");
    rig.takeOver(running);
    running.complete();
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Acknowledge.class)).hasSize(1);
    assertThat(log.warnings()).singleElement().asString().contains("'a'", "token 1", "lost");
    assertThat(rig.emitted).isEmpty();
    assertThat(rig.state("a").live().token()).isEqualTo(2);
  }

  @Test
  @DisplayName("S24 a release that is answered lost gives a warning")
  void aLostReleaseGivesAWarning() {
    rig(DispatcherRig.patient());
    ScriptedInvoker.Begun running = deliver("a");
    rig.takeOver(running);
    running.end().completeExceptionally(new IllegalStateException("scripted"));
    rig.awaitIdle();
    assertThat(rig.backend.sent(Command.Release.class)).hasSize(1);
    assertThat(log.warnings()).singleElement().asString().contains("'a'", "token 1", "lost");
  }

  @Test
  void aCancellationThatARenewalTellsOfReachesTheDelivery() {
    ScriptedInvoker.Begun running = deliver("a");
    assertThat(rig.send(new Command.Cancel("a", "no longer wanted")))
        .isInstanceOf(Reply.CancelAccepted.class);
    assertThat(running.delivery().signal().cancelled().toCompletableFuture())
        .succeedsWithin(Duration.ofSeconds(5))
        .isEqualTo("no longer wanted");
  }
}
