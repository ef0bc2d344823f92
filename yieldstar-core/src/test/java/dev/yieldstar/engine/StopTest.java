package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Leases;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.Signal.AbortReason;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How a dispatcher stops, and what it leaves to others.
final class StopTest {
  private final CapturedLog log = new CapturedLog();
  private final DispatcherRig rig = new DispatcherRig(DispatcherRig.patient().withConcurrency(10));

  @AfterEach
  void close() {
    rig.close();
    log.close();
  }

  private CompletableFuture<Void> stop() {
    return CompletableFuture.runAsync(rig.dispatcher::stop);
  }

  private void assertHandedOver(String id) {
    soon().until(() -> !rig.state(id).live().leased());
    assertThat(rig.state(id).live().last()).isEqualTo(LastDelivery.HANDED_OVER);
    assertThat(rig.state(id).live().unacknowledged()).isZero();
  }

  @Test
  @DisplayName("SHU-04 a claim that is in flight at the stop is waited for and handed over")
  void aClaimInFlightIsHandedOver() {
    String[] ids = IntStream.range(0, 10).mapToObj(i -> "e" + i).toArray(String[]::new);
    rig.admit(ids);
    var claimed = new CountDownLatch(1);
    var hold = new CountDownLatch(1);
    rig.backend.onClaim =
        (request, inner) -> {
          var reply = inner.claim(request);
          claimed.countDown();
          Uninterruptibly.await(hold);
          return reply;
        };
    rig.dispatcher.start();
    Uninterruptibly.await(claimed);
    CompletableFuture<Void> stop = stop();
    soon().until(rig.dispatcher::isStopping);
    hold.countDown();
    assertThat(stop).succeedsWithin(Duration.ofSeconds(5));
    for (String id : ids) {
      assertHandedOver(id);
    }
    assertThat(rig.invoker.begun).isEmpty();

    try (var other = new DispatcherRig(rig.backend, DispatcherRig.patient())) {
      rig.backend.onClaim = (request, inner) -> inner.claim(request);
      assertThat(other.dispatcher.tick()).isEqualTo(10);
    }
  }

  @Test
  void whatAClaimGotWhoseReplyWasLostIsHandedOverAtTheStop() {
    rig.admit("a");
    rig.backend.onClaim =
        (request, inner) -> {
          inner.claim(request);
          throw ScriptedBackend.unavailable();
        };
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() == 1);
    rig.dispatcher.stop();
    assertHandedOver("a");
  }

  @Test
  void whatWaitsInPlaceIsSuspendedAtOnce() {
    rig.admit("a");
    rig.dispatcher.tick();
    ScriptedInvoker.Begun running = rig.invoker.awaitBegun(1);
    assertThat(running.delivery().slots().park()).isTrue();
    running
        .delivery()
        .signal()
        .suspending()
        .thenRun(() -> running.end().complete(ScriptedInvoker.suspended(running.delivery())));
    CompletableFuture<Void> stop = stop();
    assertThat(stop).succeedsWithin(Duration.ofSeconds(5));
    assertThat(rig.state("a").live().last()).isEqualTo(LastDelivery.ACKNOWLEDGED);
    assertThat(running.delivery().signal().isAborted()).isFalse();
    assertThat(running.delivery().slots().park()).isFalse();
  }

  @Test
  @DisplayName(
      "SHU-02 what outlives the shutdown timeout is aborted, and handed over once it has stopped")
  void whatOutlivesTheTimeoutIsAbortedAndHandedOver() {
    rig.admit("a");
    rig.dispatcher.tick();
    ScriptedInvoker.Begun running = rig.invoker.awaitBegun(1);
    running
        .delivery()
        .signal()
        .aborted()
        .thenRun(() -> running.end().complete(new DeliveryEnd.Stopped()));
    assertThat(stop()).succeedsWithin(Duration.ofSeconds(5));
    assertThat(running.delivery().signal().reason()).isEqualTo(AbortReason.SHUTDOWN);
    assertHandedOver("a");
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  @DisplayName("SHU-02 what can't be stopped is left to its lease, and the log says so")
  void whatCannotBeStoppedIsLeftToItsLease() {
    rig.admit("a");
    rig.dispatcher.tick();
    rig.invoker.awaitBegun(1);
    assertThat(stop()).succeedsWithin(Duration.ofSeconds(5));
    assertThat(rig.state("a").live().leased()).isTrue();
    assertThat(rig.leases.leases()).as("renewed no more").isEmpty();
    assertThat(rig.backend.sent(Command.Release.class)).isEmpty();
    assertThat(log.warnings())
        .singleElement()
        .asString()
        .contains("'a'", "did not stop", "keeps its lease");
    assertThat(rig.dispatcher.activeDeliveries()).isZero();
  }

  @Test
  void anOutcomeThatComesInTheGracePeriodIsAcknowledged() {
    rig.admit("a");
    rig.dispatcher.tick();
    ScriptedInvoker.Begun running = rig.invoker.awaitBegun(1);
    running.delivery().signal().aborted().thenRun(running::complete);
    assertThat(stop()).succeedsWithin(Duration.ofSeconds(5));
    assertThat(rig.emitted).containsOnlyKeys("a");
  }

  @Test
  void aReservationCountsForDrainAndWhatIsBornAfterTheStopIsHandedOver() {
    rig.dispatcher.start();
    soon().until(() -> rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW));
    CompletableFuture<Void> stop = stop();
    soon().until(rig.dispatcher::isStopping);
    assertThat(stop).isNotDone();

    Command.Admit admit =
        new Command.Admit(
            DispatcherRig.admission(7, "late").admission(),
            Due.NOW,
            new Command.Grant(8, Duration.ofMinutes(10)));
    var admitted = (Reply.Admitted) rig.send(admit);
    Lease lease = Objects.requireNonNull(admitted.lease());
    rig.dispatcher.deliverBorn(
        new Claim(lease, Leases.born(admit.admission(), lease, admitted.now()), admitted.now()));
    assertThat(stop).succeedsWithin(Duration.ofSeconds(5));
    assertHandedOver("late");
    assertThat(rig.invoker.begun).isEmpty();
  }

  @Test
  void stopTwiceIsOnceAndAStartAfterwardsClaimsAgain() {
    rig.dispatcher.start();
    rig.dispatcher.stop();
    rig.dispatcher.stop();
    rig.admit("a");
    rig.dispatcher.hint(true);
    assertThat(rig.invoker.begun).isEmpty();
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1);
  }

  @Test
  void aStopIsBoundedAlsoWhereAClaimHangs() {
    var hold = new CountDownLatch(1);
    rig.backend.onClaim =
        (request, inner) -> {
          Uninterruptibly.await(hold);
          return inner.claim(request);
        };
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() == 1);
    // Timeout 100 ms, grace 50 ms, and the two seconds that it promises.
    assertThat(stop()).succeedsWithin(Duration.ofSeconds(4));
    assertThat(log.warnings()).singleElement().asString().contains("have not come to an end");

    rig.admit("a");
    hold.countDown();
    assertHandedOver("a");
  }

  @Test
  void anInterruptedStopAbortsAtOnceAndStillHandsOver() {
    var settings = DispatcherRig.patient().withShutdownTimeout(Duration.ofMinutes(1));
    try (var patient = new DispatcherRig(rig.backend, settings)) {
      patient.admit("a");
      patient.dispatcher.tick();
      ScriptedInvoker.Begun running = patient.invoker.awaitBegun(1);
      running
          .delivery()
          .signal()
          .aborted()
          .thenRun(() -> running.end().complete(new DeliveryEnd.Stopped()));
      CompletableFuture<Boolean> stop =
          CompletableFuture.supplyAsync(
              () -> {
                Thread.currentThread().interrupt();
                patient.dispatcher.stop();
                return Thread.interrupted();
              });
      assertThat(stop).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
      assertHandedOver("a");
    }
  }

  @Test
  void aDeliveryThatFindsNoThreadAnyMoreIsHandedOver() {
    rig.admit("a");
    var dispatcher =
        new Dispatcher(
            rig.backend,
            rig.invoker,
            rig.committer,
            rig.leases,
            DispatcherRig.patient(),
            Set.of(DispatcherRig.WORKFLOW),
            rig.emitted::put,
            task -> {
              throw new RejectedExecutionException("scripted");
            },
            new Ids(),
            () -> true);
    dispatcher.tick();
    assertHandedOver("a");
    assertThat(dispatcher.activeDeliveries()).isZero();
    assertThat(rig.leases.leases()).isEqualTo(List.of());
  }
}
