package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Claims whose replies got lost, outages, and what is passed over meanwhile.
final class ClaimsInDoubtTest {
  private final CapturedLog log = new CapturedLog();
  private final ManualClock clock = new ManualClock();
  private DispatcherRig rig = rig(DispatcherRig.patient().withConcurrency(3));

  private DispatcherRig rig(EngineSettings settings) {
    return new DispatcherRig(new ScriptedBackend(new MemoryBackend(clock), 1), settings);
  }

  private void again(EngineSettings settings) {
    rig.close();
    rig = rig(settings);
  }

  @AfterEach
  void close() {
    rig.close();
    log.close();
  }

  /// From now on claims are applied, and their replies get lost.
  private void loseReplies() {
    rig.backend.onClaim =
        (request, inner) -> {
          inner.claim(request);
          throw ScriptedBackend.unavailable();
        };
  }

  private void answer() {
    rig.backend.onClaim = (request, inner) -> inner.claim(request);
  }

  private void tickThatFails() {
    assertThatThrownBy(rig.dispatcher::tick).isInstanceOf(BackendException.class);
  }

  // --- lost replies

  @Test
  void theNextTickDeliversWhatAClaimGotWhoseReplyWasLost() {
    rig.admit("a", "b");
    loseReplies();
    tickThatFails();
    answer();
    assertThat(rig.dispatcher.tick()).isEqualTo(2);
    rig.invoker.awaitBegun(2);
    assertThat(rig.invoker.ids()).containsExactlyInAnyOrder("a", "b");
    assertThat(rig.invoker.begun)
        .allMatch(
            begun -> begun.delivery().lease().id() == rig.backend.claims.getFirst().leaseId());
    assertThat(rig.backend.claims).as("no second claim").hasSize(1);
    rig.invoker.begun.forEach(ScriptedInvoker.Begun::complete);
    rig.awaitIdle();
    assertThat(rig.emitted).containsOnlyKeys("a", "b");
  }

  @Test
  void itIsLookedUpOnceAndNothingIsDeliveredTwice() {
    rig.admit("a");
    loseReplies();
    tickThatFails();
    answer();
    rig.dispatcher.tick();
    rig.dispatcher.tick();
    rig.invoker.awaitBegun(1);
    assertThat(rig.backend.lookedUp).hasSize(1);
    assertThat(rig.invoker.ids()).containsExactly("a");
  }

  @Test
  void aLookUpThatFailsIsTriedAgainBeforeAnyOtherClaim() {
    rig.admit("a");
    loseReplies();
    tickThatFails();
    answer();
    var fails = new AtomicBoolean(true);
    rig.backend.onLookUp =
        () -> {
          if (fails.get()) {
            throw ScriptedBackend.unavailable();
          }
        };
    tickThatFails();
    assertThat(rig.backend.claims).hasSize(1);
    fails.set(false);
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    assertThat(rig.backend.lookedUp)
        .hasSize(2)
        .containsOnly(rig.backend.claims.getFirst().leaseId());
  }

  @Test
  void aClaimThatWasNotAppliedIsSimplyMadeAgain() {
    rig.admit("a");
    rig.backend.onClaim =
        (request, inner) -> {
          throw ScriptedBackend.unavailable();
        };
    tickThatFails();
    answer();
    assertThat(rig.dispatcher.tick()).isEqualTo(1);
    assertThat(rig.backend.claims).hasSize(2);
  }

  @Test
  void whatIsFoundBeyondTheFreeSlotsIsHandedOver() {
    rig.admit("a", "b", "c", "d", "e");
    rig.backend.onClaim =
        (request, inner) -> {
          inner.claim(request(request.leaseId(), 5));
          throw ScriptedBackend.unavailable();
        };
    tickThatFails();
    answer();
    assertThat(rig.dispatcher.tick()).isEqualTo(3);
    rig.invoker.awaitBegun(3);
    soon().until(() -> rig.backend.sent(Command.Release.class).size() == 2);
    assertThat(List.of("a", "b", "c", "d", "e"))
        .filteredOn(id -> rig.state(id).live().last() == LastDelivery.HANDED_OVER)
        .hasSize(2)
        .doesNotContainAnyElementsOf(rig.invoker.ids());
  }

  @Test
  void theLoopDeliversItToo() {
    again(DispatcherRig.patient().withPollInterval(Duration.ofMillis(1)));
    rig.admit("a");
    loseReplies();
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() == 1);
    answer();
    rig.invoker.awaitBegun(1);
    assertThat(rig.backend.claims.getFirst().leaseId())
        .isEqualTo(rig.invoker.begun.getFirst().delivery().lease().id());
  }

  // --- outages

  private static EngineSettings brisk() {
    return DispatcherRig.brisk().withPollInterval(Duration.ofMillis(1));
  }

  /// Renewals are under way and not answered, until the latch opens.
  private CountDownLatch holdRenewals() {
    var hold = new CountDownLatch(1);
    rig.backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    return hold;
  }

  @Test
  void nothingIsClaimedWhileARenewalIsOverdue() {
    again(brisk());
    rig.admit("a");
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1);
    CountDownLatch hold = holdRenewals();
    soon().until(rig.leases::overdue);
    assertThat(rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW)).isFalse();
    rig.admit("b");
    rig.dispatcher.hint(true);
    stays(() -> rig.invoker.begun.size() == 1);
    hold.countDown();
    rig.invoker.awaitBegun(2);
  }

  @Test
  void afterAnOutageNothingIsTakenOverForARenewalInterval() {
    again(brisk().withRenewInterval(Duration.ofMillis(100)));
    rig.admit("mine", "passed");
    // Somebody else holds one of them.
    rig.dispatcher.tick();
    rig.invoker.awaitBegun(2);
    CountDownLatch hold = holdRenewals();
    soon().until(rig.leases::overdue);
    // Nobody asks the keeper while it lasts.
    hold.countDown();
    soon().until(() -> !rig.leases.overdue());
    long ended = System.nanoTime();
    assertThat(rig.leases.mayTakeOver()).isFalse();
    soon().until(rig.leases::mayTakeOver);
    assertThat(System.nanoTime() - ended).isGreaterThan(Duration.ofMillis(50).toNanos());
  }

  @Test
  void anOutageIsNoticedAlsoWhereNobodyAskedWhileItLasted() {
    again(brisk());
    rig.admit("a");
    rig.dispatcher.tick();
    rig.invoker.awaitBegun(1);
    var sent = new AtomicBoolean();
    var hold = new CountDownLatch(1);
    rig.backend.onCommit =
        (batch, inner) -> {
          sent.set(true);
          Uninterruptibly.await(hold);
          return inner.commit(batch);
        };
    soon().untilTrue(sent);
    // Three intervals without an answer, and without a question to the keeper.
    stays(Duration.ofMillis(150), sent::get);
    hold.countDown();
    soon().until(() -> rig.backend.sent(Command.Renew.class).size() >= 2);
    assertThat(rig.leases.mayTakeOver()).isFalse();
  }

  @Test
  void theEndOfAnOutageIsNoticedByWhoeverAsksOnlyWhetherToTakeOver() {
    again(brisk());
    rig.admit("a");
    rig.dispatcher.tick();
    rig.invoker.awaitBegun(1);
    CountDownLatch hold = holdRenewals();
    soon().until(rig.leases::overdue);
    hold.countDown();
    soon().until(rig.leases::mayTakeOver);
  }

  @Test
  void aPassedLeaseThatMayNotBeTakenOverYetIsNotForgotten() {
    again(brisk());
    leaseElsewhere("passed");
    clock.pass(Duration.ofHours(1));
    rig.leases.outageEnded();
    rig.dispatcher.start();
    // The first look passes it over, and nothing that happens later says that it is due.
    rig.invoker.awaitBegun(1);
    assertThat(rig.backend.claims)
        .extracting(ClaimRequest::takeOver)
        .startsWith(false)
        .endsWith(true);
    assertThat(rig.state("passed").live().last()).isEqualTo(LastDelivery.LEASE_PASSED);
  }

  private void leaseElsewhere(String id) {
    rig.admit(id);
    claimElsewhere();
  }

  private void claimElsewhere() {
    rig.backend.inner.claim(request(99, 10));
  }

  private static ClaimRequest request(long leaseId, int limit) {
    return new ClaimRequest(
        Set.of(DispatcherRig.WORKFLOW),
        limit,
        leaseId,
        Duration.ofMinutes(1),
        Set.of(),
        true,
        true);
  }

  @Test
  void afterClaimsHaveFailedForLongNothingIsTakenOverAtOnce() {
    again(brisk());
    leaseElsewhere("passed");
    clock.pass(Duration.ofHours(1));
    var fails = new AtomicBoolean(true);
    rig.backend.onClaim =
        (request, inner) -> {
          if (fails.get()) {
            throw ScriptedBackend.unavailable();
          }
          return inner.claim(request);
        };
    rig.dispatcher.start();
    soon().until(() -> !rig.backend.claims.isEmpty() && !rig.backend.claims.getLast().takeOver());
    fails.set(false);
    rig.invoker.awaitBegun(1);
    assertThat(rig.backend.claims.getLast().takeOver()).isTrue();
  }

  @Test
  void aLostLeaseIsNoOutage() {
    again(brisk().withAbortGracePeriod(Duration.ofMillis(400)));
    rig.admit("a");
    rig.dispatcher.tick();
    ScriptedInvoker.Begun running = rig.invoker.awaitBegun(1);
    rig.takeOver(running);
    soon().until(() -> running.delivery().signal().isAborted());
    // It is still being waited for, six intervals after its last confirmation.
    stays(Duration.ofMillis(250), () -> !rig.leases.overdue());
  }

  // --- suspects, and what else a claim passes over

  @Test
  void anotherSuspectIsClaimedOnceTheFirstHasEnded() {
    again(DispatcherRig.patient());
    leaseElsewhere("one");
    leaseElsewhere("two");
    for (int passed = 1; passed < 3; passed++) {
      clock.pass(Duration.ofHours(1));
      claimElsewhere();
    }
    clock.pass(Duration.ofHours(1));
    rig.dispatcher.start();
    ScriptedInvoker.Begun first = rig.invoker.awaitBegun(1);
    stays(() -> rig.invoker.begun.size() == 1);
    assertThat(rig.backend.claims.getLast().suspect()).isFalse();
    // A claim that is made between the end of the first and the time that this is known of it.
    var hold = new CountDownLatch(1);
    rig.onEmit = () -> Uninterruptibly.await(hold);
    int claims = rig.backend.claims.size();
    first.complete();
    soon().until(() -> rig.backend.claims.size() > claims);
    stays(() -> rig.invoker.begun.size() == 1);
    hold.countDown();
    rig.invoker.awaitBegun(2);
  }

  @Test
  void anUnhealthyProcessClaimsNothing() {
    again(DispatcherRig.patient().withPollInterval(Duration.ofMillis(1)));
    rig.healthy.set(false);
    rig.admit("a");
    rig.dispatcher.start();
    rig.dispatcher.hint(true);
    stays(() -> rig.backend.claims.isEmpty());
    assertThat(rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW)).isFalse();
    rig.healthy.set(true);
    rig.invoker.awaitBegun(1);
  }

  // --- looks

  @Test
  void aKnownTimeIsNotSleptOverWhereTheBackendCannotBeLookedAt() {
    again(DispatcherRig.patient());
    rig.backend.tellsTime = false;
    rig.backend.onClaim =
        (request, inner) -> {
          ClaimReply reply = inner.claim(request);
          Instant next = reply.claims().isEmpty() ? reply.now().plusMillis(30) : null;
          return new ClaimReply(reply.claims(), reply.now(), next);
        };
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() == 1);
    rig.admit("a");
    // The poll interval is an hour.
    rig.invoker.awaitBegun(1);
  }

  @Test
  void whatIsDueAndCannotBeClaimedIsNoHotLoop() {
    again(DispatcherRig.patient());
    rig.backend.tellsTime = false;
    rig.backend.onClaim =
        (request, inner) ->
            new ClaimReply(List.of(), ManualClock.NOON, ManualClock.NOON.minusSeconds(1));
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() >= 3);
    int before = rig.backend.claims.size();
    long began = System.nanoTime();
    soon().until(() -> rig.backend.claims.size() >= before + 5);
    assertThat(System.nanoTime() - began).isGreaterThan(Duration.ofMillis(30).toNanos());
  }

  @Test
  void aFreedSlotGoesToWhatWaitsBeforeAnyStart() {
    again(DispatcherRig.patient().withConcurrency(1));
    rig.dispatcher.start();
    soon().until(() -> rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW));
    rig.admit("waits");
    rig.dispatcher.hint(true);
    // The slot of that start is free again, and the next start must not get it.
    rig.dispatcher.cancelReservation();
    assertThat(rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW)).isFalse();
    rig.invoker.awaitBegun(1);
  }

  @Test
  void startsThatTakeEveryFreedSlotDoNotKeepOutWhatMayBeDue() {
    again(DispatcherRig.patient().withConcurrency(1).withPollInterval(Duration.ofMillis(5)));
    rig.backend.tellsChanges = false;
    rig.dispatcher.start();
    soon().until(() -> rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW));
    rig.admit("waits");
    rig.dispatcher.hint(false);
    int starts = 1;
    while (starts > 0 && starts < 100_000) {
      rig.dispatcher.cancelReservation();
      starts = rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW) ? starts + 1 : 0;
    }
    assertThat(starts).as("starts that went before it").isZero();
    rig.invoker.awaitBegun(1);
  }

  @Test
  void aReservationThatIsGivenBackWakesAClaimThatWaitsForASlot() {
    again(DispatcherRig.patient().withConcurrency(1));
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() == 1);
    soon().until(() -> rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW));
    rig.admit("a");
    rig.dispatcher.hint(false);
    rig.dispatcher.cancelReservation();
    rig.invoker.awaitBegun(1);
  }

  @Test
  void whatAnotherEngineAdmitsOnTheSameMemoryIsSeen() {
    again(DispatcherRig.patient().withPollInterval(Duration.ofMillis(5)));
    rig.dispatcher.start();
    soon().until(() -> rig.backend.claims.size() >= 1);
    rig.admit("a");
    rig.invoker.awaitBegun(1);
  }
}
