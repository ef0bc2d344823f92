package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// That no wake is lost, whenever it comes.
abstract class WakesContract extends Bench {
  WakesContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("G5 a wake makes a suspended execution due now")
  void aWakeMakesASuspendedExecutionDueNow() {
    apply(suspend(leased("asleep"), after(Duration.ofDays(1)), 0));
    apply(suspend(leased("waiting"), null, 0));
    passes(Duration.ofSeconds(1));

    assertThat(batch(wake("asleep"), wake("waiting"))).containsOnly(new Reply.Done());

    assertThat(run("asleep").at()).isEqualTo(now());
    assertThat(run("waiting").wakes()).isEqualTo(1);
    assertThat(claimedIds()).containsExactlyInAnyOrder("asleep", "waiting");
  }

  @Test
  void aWakeMakesADelayedExecutionDueNow() {
    apply(admit(admission("a"), after(Duration.ofDays(1))));

    apply(wake("a"));

    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aWakeOfOneThatHasEndedSaysAsWhat() {
    apply(complete(leased("completed"), "1"));
    apply(fail(leased("failed"), "1"));
    List<Object> before = dump("completed", "failed");

    assertThat(apply(wake("completed"))).isEqualTo(new Reply.Finished(Status.COMPLETED));
    assertThat(apply(wake("failed"))).isEqualTo(new Reply.Finished(Status.FAILED));
    assertThat(apply(wake("nobody"))).isEqualTo(new Reply.NotFound("nobody"));
    assertThat(dump("completed", "failed")).isEqualTo(before);
  }

  @Test
  @DisplayName("G5 a wake between the claim and the suspension makes it due now")
  void aWakeBetweenTheClaimAndTheSuspensionMakesItDueNow() {
    admitted("a");
    Claim claim = claimed("a");
    apply(wake("a"));
    Instant end = run("a").at();
    passes(Duration.ofSeconds(1));

    apply(suspend(claim.lease(), after(Duration.ofDays(1)), seenBy(claim)));

    assertThat(end).as("while the lease lasts").isEqualTo(START.plus(LEASE).plusSeconds(1));
    assertThat(run("a").at()).isEqualTo(now());
    assertThat(claimedIds()).containsExactly("a");
  }

  private static long seenBy(Claim claim) {
    return claim.execution().orElseThrow().live().wakes();
  }

  @Test
  @DisplayName("G5 a claim has seen the wakes before it, and no others")
  void aClaimHasSeenTheWakesBeforeIt() {
    admitted("a");
    batch(wake("a"), wake("a"));
    Claim claim = claimed("a");
    assertThat(seenBy(claim)).isEqualTo(2);

    apply(suspend(claim.lease(), null, 2));

    assertThat(run("a").at()).isNull();
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  @DisplayName("G5 within a batch a wake before the suspension and one after it both count")
  void withinABatchAWakeCountsInEitherOrder() {
    Lease before = leased("before");
    Lease after = leased("after");

    batch(wake("before"), suspend(before, null, 0), suspend(after, null, 0), wake("after"));

    assertThat(claimedIds()).containsExactlyInAnyOrder("before", "after");
  }

  @Test
  @DisplayName("G5 a wake from before a takeover is seen by the delivery that took over")
  void aWakeFromBeforeATakeOverIsSeen() {
    leased("a");
    apply(wake("a"));
    leasePasses();
    Claim second = claimed("a");
    assertThat(seenBy(second)).isEqualTo(1);

    apply(suspend(second.lease(), null, 1));

    assertThat(claimedIds()).isEmpty();
  }

  @Test
  @DisplayName("G5 a wake of a leased one leaves its lease alone")
  void aWakeOfALeasedOneLeavesItsLeaseAlone() {
    Lease lease = leased("a");
    Instant at = run("a").at();

    apply(wake("a"));

    assertThat(run("a").at()).isEqualTo(at);
    assertThat(apply(renew(lease))).isInstanceOf(Reply.Renewed.class);
  }

  @Test
  @DisplayName("Y31 a wake whose delivery fails is kept")
  void aWakeWhoseDeliveryFailsIsKept() {
    apply(suspend(leased("a"), null, 0));
    apply(wake("a"));
    Lease lease = claimed("a").lease();
    apply(releaseFailed(lease));

    assertThat(claimedIds()).isEmpty();
    passes(FIRST_REDELIVERY);
    assertThat(claimed("a").execution().orElseThrow().live().wakes()).isEqualTo(1);
  }

  @Test
  @DisplayName("G5 a wake while paused counts, and is seen after the resumption")
  void aWakeWhilePausedCounts() {
    apply(suspend(leased("a"), null, 0));
    apply(new Command.Pause("a"));
    apply(wake("a"));

    assertThat(run("a").paused()).isTrue();
    assertThat(run("a").wakes()).isEqualTo(1);
    assertThat(claimedIds()).isEmpty();

    apply(new Command.Resume("a"));

    assertThat(claimed("a").execution().orElseThrow().live().wakes()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void asManySuspensionsAsYouLikeEachWaitAnew() {
    admitted("a");
    for (int i = 1; i <= 10; i++) {
      Claim claim = claimed("a");
      apply(suspend(claim.lease(), null, seenBy(claim)));
      assertThat(claimedIds()).isEmpty();
      apply(wake("a"));
      assertThat(run("a").wakes()).isEqualTo(i);
    }
  }

  @Test
  void aSuspensionForATimeInThePastIsDueNow() {
    Lease a = leased("a");
    Lease b = leased("b");
    batch(suspend(a, after(Duration.ofSeconds(-1)), 0), suspend(b, new Due.At(Instant.EPOCH), 0));

    assertThat(claimedIds()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void whatItWaitsForIsToldUntilItIsDeliveredAgain() {
    apply(suspendAwaiting(leased("a"), 0));
    assertThat(run("a").waitingFor()).isEqualTo("others");

    apply(wake("a"));
    claimed("a");

    assertThat(run("a").waitingFor()).isNull();
  }
}
