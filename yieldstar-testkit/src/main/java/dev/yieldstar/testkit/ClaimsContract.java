package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How due executions are leased.
abstract class ClaimsContract extends Bench {
  ClaimsContract(Opener opener) {
    super(opener);
  }

  @Test
  void aClaimLeasesWhatIsDue() {
    admitted("a");
    Asking asking = Asking.forAll();

    ClaimReply reply = backend.claim(asking.request());

    assertThat(reply.now()).isEqualTo(now());
    Claim claim = reply.claims().getFirst();
    assertThat(claim.now()).isEqualTo(now());
    assertThat(claim.lease()).isEqualTo(new Lease(state("a").key(), 1, 1, asking.leaseId()));
    assertThat(claim.execution()).contains(state("a"));
    assertThat(state("a").status()).isEqualTo(Status.RUNNING);
    assertThat(run("a").at()).isEqualTo(now().plus(LEASE).plus(FIRST_REDELIVERY));
    assertThat(run("a").last()).isEqualTo(LastDelivery.NONE);
  }

  @Test
  @DisplayName("G3 the token grows with each claim")
  void theTokenGrowsWithEachClaim() {
    admitted("a");
    for (int token = 1; token <= 5; token++) {
      Lease lease = claimed("a").lease();
      assertThat(lease.token()).isEqualTo(token);
      if (token % 2 == 0) {
        apply(handOver(lease));
      } else {
        apply(suspend(lease, Due.NOW, 0));
      }
    }
  }

  @Test
  void whatIsLeasedIsNotClaimedAgain() {
    leased("a");

    assertThat(claimedIds()).isEmpty();
    passes(LEASE.plus(FIRST_REDELIVERY).minusMillis(1));
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  @DisplayName("S28 a lease that passed is taken over after the redelivery delay")
  void aLeaseThatPassedIsTakenOver() {
    Lease first = leased("a");
    passes(LEASE.plus(FIRST_REDELIVERY));

    Claim claim = claimed("a");

    assertThat(claim.lease().token()).isEqualTo(first.token() + 1);
    assertThat(claim.lease().id()).isNotEqualTo(first.id());
    ExecutionState state = claim.execution().orElseThrow();
    assertThat(state.live().last()).isEqualTo(LastDelivery.LEASE_PASSED);
    assertThat(state.live().unacknowledged()).isEqualTo(1);
    assertThat(state.live().passed()).isEqualTo(1);
  }

  @Test
  void noWriteHappensWhenALeasePasses() {
    leased("a");
    List<Object> before = dump("a");

    leasePasses();

    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void onlyRegisteredWorkflowsAreClaimed() {
    admitted(admission("mine", "mine", null));
    admitted(admission("theirs", "theirs", null));
    admitted(admission("case", "Mine", null));

    assertThat(claimedIds(asking -> asking.withWorkflows("mine"))).containsExactly("mine");
    assertThat(claimedIds(asking -> asking.withWorkflows("mine"))).isEmpty();
    assertThat(state("theirs").status()).isEqualTo(Status.ADMITTED);
  }

  @Test
  void nothingIsClaimedWhereNothingIsRegistered() {
    admitted("a");

    assertThat(claimedIds(Asking::withWorkflows)).isEmpty();
  }

  @Test
  @DisplayName("S16 no more is claimed than was asked for, earliest due first")
  void noMoreIsClaimedThanAskedForEarliestFirst() {
    for (int i = 5; i >= 1; i--) {
      String workflow = i % 2 == 0 ? WORKFLOW : "shipment";
      Due due = new Due.At(now().plusSeconds(i));
      apply(admit(admission("e" + i, workflow, null), due));
    }
    passes(Duration.ofSeconds(5));

    assertThat(claimedIds(asking -> asking.withLimit(2))).containsExactly("e1", "e2");
    assertThat(claimedIds(asking -> asking.withLimit(2))).containsExactly("e3", "e4");
    assertThat(claimedIds(asking -> asking.withLimit(2))).containsExactly("e5");
    assertThat(claimedIds(asking -> asking.withLimit(2))).isEmpty();
  }

  @Test
  @DisplayName("TIM-09 a wake does not send what is due already to the end of the queue")
  void aWakeDoesNotSendWhatIsDueToTheEndOfTheQueue() {
    admitted("first");
    passes(Duration.ofSeconds(1));
    admitted("second");
    passes(Duration.ofSeconds(1));
    batch(wake("first"), new Command.Resume("first"), new Command.Registered(WORKFLOW, "v9"));

    assertThat(claimedIds()).containsExactly("first", "second");
  }

  @Test
  void sleepersAreNotClaimedBeforeTheirTime() {
    apply(suspend(leased("a"), after(Duration.ofMinutes(5)), 0));
    apply(suspend(leased("b"), null, 0));

    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofMinutes(5).minusMillis(1));
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofMillis(1));
    assertThat(claimedIds()).containsExactly("a");
    passes(Duration.ofDays(10_000));
    assertThat(claimedIds(Asking::withoutTakeOver)).isEmpty();
  }

  @Test
  void endedExecutionsAreNeverClaimed() {
    apply(complete(leased("completed"), "1"));
    apply(fail(leased("failed"), "1"));
    admitted("cancelled");
    apply(cancel("cancelled"));
    for (String id : List.of("completed", "failed", "cancelled")) {
      apply(wake(id));
      apply(new Command.Resume(id));
    }
    passes(Duration.ofDays(1));

    assertThat(claimedIds()).isEmpty();
  }

  @Test
  void whatAProcessIsStillDeliveringIsNotClaimedByIt() {
    Lease a = leased("a");
    admitted("b");
    leasePasses();

    assertThat(claimedIds(asking -> asking.withDelivering(a.execution()))).containsExactly("b");
    assertThat(run("a").token()).isEqualTo(1);
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void leasesThatPassedAreTakenOverOnlyWhereThatIsAllowed() {
    leased("a");
    leasePasses();
    admitted("b");

    assertThat(claimedIds(Asking::withoutTakeOver)).containsExactly("b");
    assertThat(run("a").token()).isEqualTo(1);
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void suspectsAreClaimedOneAtATime() {
    makeSuspect("s1");
    makeSuspect("s2");
    admitted("fine");

    assertThat(claimedIds(Asking::withoutSuspects)).containsExactly("fine");
    apply(handOver(backend.claimed(run("fine").leaseId()).getFirst().lease()));

    List<String> ids = claimedIds();

    assertThat(ids).hasSize(2).contains("fine");
    assertThat(ids).containsAnyOf("s1", "s2");
  }

  @Test
  void oneIsNoSuspectBeforeItsThirdLeaseHasPassed() {
    leased("a");
    leasePasses();
    claimed("a");
    leasePasses();
    assertThat(claimedIds(Asking::withoutSuspects)).containsExactly("a");
    leasePasses();
    assertThat(claimedIds(Asking::withoutSuspects)).isEmpty();
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aDeliveryThatEndsInOrderMakesASuspectAnOrdinaryOne() {
    makeSuspect("a");
    Lease lease = claimed("a").lease();
    assertThat(run("a").passed()).isEqualTo(3);
    apply(suspend(lease, Due.NOW, 0));

    assertThat(claimedIds(Asking::withoutSuspects)).containsExactly("a");
    assertThat(run("a").passed()).isZero();
  }

  private void makeSuspect(String id) {
    admitted(id);
    for (int i = 0; i < 3; i++) {
      claimed(id);
      leasePasses();
    }
  }

  @Test
  void aPausedOneIsNeverClaimed() {
    Lease passed = leased("leased");
    admitted("idle");
    batch(new Command.Pause("leased"), new Command.Pause("idle"));
    leasePasses();

    assertThat(claimedIds()).isEmpty();
    assertThat(run("leased").token()).isEqualTo(passed.token());

    batch(new Command.Resume("leased"), new Command.Resume("idle"));

    assertThat(claimedIds()).containsExactlyInAnyOrder("leased", "idle");
  }

  @Test
  void theNextTimeThatSomethingIsDueIsTold() {
    assertThat(claim().nextDue()).isEmpty();
    apply(admit(admission("far"), after(Duration.ofHours(2))));
    apply(admit(admission("near"), after(Duration.ofHours(1))));
    apply(admit(admission("other", "unregistered", null), after(Duration.ofMinutes(1))));
    apply(admit(admission("paused"), after(Duration.ofMinutes(1))));
    apply(new Command.Pause("paused"));

    assertThat(claim().nextDue()).contains(now().plus(Duration.ofHours(1)));
    passes(Duration.ofHours(1));
    assertThat(claim(asking -> asking.withDuration(Duration.ofDays(1))).nextDue())
        .contains(now().plus(Duration.ofHours(1)));
  }

  @Test
  void whereMoreIsDueThanAskedForTheNextTimeIsNotInTheFuture() {
    admitted("a");
    admitted("b");

    assertThat(claim(asking -> asking.withLimit(1)).nextDue())
        .hasValueSatisfying(next -> assertThat(next).isBeforeOrEqualTo(now()));
  }

  @Test
  void theEndOfALeaseIsATimeWhenSomethingIsDue() {
    leased("a");

    assertThat(claim().nextDue()).contains(now().plus(LEASE).plus(FIRST_REDELIVERY));
  }

  @Test
  void aClaimWhoseReplyGotLostIsFoundByItsLeaseId() {
    admitted("a");
    admitted("b");
    long leaseId = newId();
    List<Claim> claims = claim(asking -> asking.withLeaseId(leaseId)).claims();
    admitted("c");
    claimed("c");

    assertThat(backend.claimed(leaseId)).containsExactlyInAnyOrderElementsOf(claims);
    assertThat(backend.claimed(newId())).isEmpty();
  }

  @Test
  void aLeaseThatEndedIsNotFoundByItsLeaseId() {
    for (String id : List.of("released", "suspended", "completed", "taken over", "held")) {
      admitted(id);
    }
    long leaseId = newId();
    claim(asking -> asking.withLeaseId(leaseId));
    Lease held = lease("held", leaseId);
    apply(handOver(lease("released", leaseId)));
    apply(suspend(lease("suspended", leaseId), null, 0));
    apply(complete(lease("completed", leaseId), "1"));
    leasePasses();
    Long[] others = {held.execution()};
    claim(asking -> asking.withDelivering(others));

    assertThat(backend.claimed(leaseId)).extracting(Claim::lease).containsExactly(held);
  }

  private Lease lease(String id, long leaseId) {
    return new Lease(state(id).key(), 1, run(id).token(), leaseId);
  }

  @Test
  void theLengthOfTheLeaseIsTheOneAskedFor() {
    admitted("a");

    claim(asking -> asking.withDuration(Duration.ofMillis(300)));

    assertThat(run("a").at()).isEqualTo(now().plusMillis(300).plus(FIRST_REDELIVERY));
  }

  @Test
  @DisplayName("TIM-07 a clock that steps back takes nobody's lease")
  void aClockThatStepsBackTakesNobodysLease() {
    leased("a");
    apply(suspend(leased("b"), after(Duration.ofSeconds(10)), 0));
    List<Object> before = dump("a", "b");
    passes(Duration.ofHours(-1));

    assertThat(claimedIds()).isEmpty();
    assertThat(dump("a", "b")).isEqualTo(before);
    passes(Duration.ofHours(1).plusSeconds(10));
    assertThat(claimedIds()).containsExactly("b");
  }

  @Test
  void aBacklogIsClaimedToItsLastOne() {
    List<Command> admissions =
        IntStream.range(0, 250).<Command>mapToObj(i -> admit(admission("e" + i))).toList();
    backend.commit(admissions);

    var ids = new HashSet<String>();
    List<String> some;
    do {
      some = claimedIds(asking -> asking.withLimit(40));
      ids.addAll(some);
    } while (!some.isEmpty());

    assertThat(ids).hasSize(250);
  }
}
