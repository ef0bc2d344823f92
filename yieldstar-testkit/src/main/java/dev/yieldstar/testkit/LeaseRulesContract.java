package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.spi.Claim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// When a lease is current, and that nothing is written under one that is not.
abstract class LeaseRulesContract extends Bench {
  LeaseRulesContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("S21 a renewal prolongs the lease from now")
  void aRenewalProlongsTheLease() {
    Lease lease = leased("a");
    passes(Duration.ofSeconds(20));

    Reply reply = apply(new Command.Renew(lease, Duration.ofSeconds(50)));

    assertThat(reply)
        .isEqualTo(new Reply.Renewed(now().plusSeconds(50), new Standing(null, false, 0)));
    assertThat(run("a").at()).isEqualTo(now().plusSeconds(50).plus(FIRST_REDELIVERY));
    passes(Duration.ofSeconds(51).minusMillis(1));
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofMillis(1));
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  @DisplayName("S21 a lease stays current after its time, until another claim")
  void aLeaseStaysCurrentAfterItsTime() {
    Lease lease = leased("a");
    passes(Duration.ofHours(1));

    assertThat(apply(record(lease, "late", "1"))).isInstanceOf(Reply.Recorded.class);
    assertThat(apply(start(lease, "start", child("child")))).isInstanceOf(Reply.Recorded.class);
    assertThat(backend.standing(List.of(lease))).containsOnlyKeys(lease.execution());
    assertThat(apply(complete(lease, "done"))).isInstanceOf(Reply.Acknowledged.class);
    assertThat(state("a").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  @DisplayName("S21 a renewal after the lease's time keeps others from claiming")
  void aRenewalAfterTheLeasesTimeKeepsOthersFromClaiming() {
    Lease lease = leased("a");
    leasePasses();

    assertThat(apply(renew(lease))).isInstanceOf(Reply.Renewed.class);

    assertThat(claimedIds()).isEmpty();
    assertThat(run("a").token()).isEqualTo(lease.token());
  }

  @Test
  @DisplayName("S22 a renewal of a lease that was taken over is lost")
  void aRenewalOfALeaseThatWasTakenOverIsLost() {
    Lease first = leased("a");
    leasePasses();
    claimed("a");

    assertLost(renew(first), "a");
  }

  @Test
  void aRenewalNeverRefreshesTheWakesSeen() {
    Claim claim = firstClaim("a");
    long seen = claim.execution().orElseThrow().live().wakes();
    apply(wake("a"));
    Reply.Renewed renewed = as(Reply.Renewed.class, apply(renew(claim.lease())));
    assertThat(renewed.standing().wakes()).isEqualTo(seen + 1);

    apply(suspend(claim.lease(), after(Duration.ofDays(1)), seen));

    assertThat(claimedIds()).containsExactly("a");
  }

  private Claim firstClaim(String id) {
    admitted(id);
    return claimed(id);
  }

  @Test
  void aRenewalTellsOfACancellationAndAPause() {
    Lease paused = leased("paused");
    Lease cancelled = leased("cancelled");
    apply(new Command.Pause("paused"));
    apply(new Command.Cancel("cancelled", "why"));

    List<Reply> replies = batch(renew(paused), renew(cancelled));

    assertThat(as(Reply.Renewed.class, replies.getFirst()).standing())
        .isEqualTo(new Standing(null, true, 0));
    assertThat(as(Reply.Renewed.class, replies.getLast()).standing())
        .isEqualTo(new Standing("why", false, 1));
  }

  /// Every command that a delivery can send under a lease.
  private List<Command> everything(Lease lease) {
    return List.of(
        record(lease, "new", "1"),
        shielded(record(lease, "shielded", "1")),
        start(lease, "start", child("never")),
        renew(lease),
        complete(lease, "late"),
        fail(lease, "late"),
        suspend(lease, Due.NOW, 0),
        continueAsNew(lease, null),
        handOver(lease),
        releaseFailed(lease),
        releaseBackend(lease),
        block(lease, "v1"));
  }

  private void assertOver(Lease lease, String id) {
    for (Command command : everything(lease)) {
      assertLost(command, id);
    }
    assertThat(backend.standing(List.of(lease))).isEmpty();
    assertThat(find("never")).isNull();
  }

  @Test
  @DisplayName("S31 nothing is written under a lease that was taken over")
  void nothingIsWrittenUnderALeaseThatWasTakenOver() {
    Lease first = leased("a");
    apply(record(first, "s", "1"));
    leasePasses();
    Lease second = claimed("a").lease();

    assertOver(first, "a");
    assertLost(record(first, "s", "1"), "a");
    assertThat(apply(renew(second))).isInstanceOf(Reply.Renewed.class);
  }

  @Test
  @DisplayName("S31 nothing is written under a lease that was released")
  void nothingIsWrittenUnderALeaseThatWasReleased() {
    for (int i = 0; i < 4; i++) {
      String id = "a" + i;
      Lease lease = leased(id);
      apply(
          switch (i) {
            case 0 -> handOver(lease);
            case 1 -> releaseFailed(lease);
            case 2 -> releaseBackend(lease);
            default -> block(lease, "v1");
          });

      assertOver(lease, id);
      leasePasses();
      passes(Duration.ofMinutes(10));
      assertThat(claimed(id).lease().token()).isEqualTo(2);
      assertOver(lease, id);
    }
  }

  @Test
  @DisplayName("S31 nothing is written under a lease that acknowledged a suspension")
  void nothingIsWrittenUnderALeaseThatSuspended() {
    Lease lease = leased("a");
    apply(suspend(lease, null, 0));
    Reply again = new Reply.Acknowledged(null);

    for (Command command : everything(lease)) {
      if (command instanceof Command.Acknowledge) {
        List<Object> before = dump("a");
        assertThat(apply(command)).as(command.toString()).isEqualTo(again);
        assertThat(dump("a")).isEqualTo(before);
      } else {
        assertLost(command, "a");
      }
    }
    apply(wake("a"));
    claimed("a");
    for (Command command : everything(lease)) {
      if (!(command instanceof Command.Acknowledge)) {
        assertLost(command, "a");
      }
    }
  }

  @Test
  @DisplayName("S31 a late renewal does not revive the lease of a suspended execution")
  void aLateRenewalDoesNotReviveTheLeaseOfASuspendedExecution() {
    Lease lease = leased("a");
    apply(suspend(lease, null, 0));

    assertLost(renew(lease), "a");
    apply(wake("a"));

    assertThat(run("a").leased()).isFalse();
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  @DisplayName("S31 nothing is written under a lease that acknowledged the end")
  void nothingIsWrittenUnderALeaseThatEndedTheExecution() {
    Lease lease = leased("a");
    apply(complete(lease, "done"));

    for (Command command : everything(lease)) {
      if (!(command instanceof Command.Acknowledge)) {
        assertLost(command, "a");
      }
    }
    assertThat(backend.standing(List.of(lease))).isEmpty();
  }

  @Test
  @DisplayName("S31 nothing of an old incarnation is written into the next one")
  void nothingOfAnOldIncarnationIsWrittenIntoTheNext() {
    Lease old = leased("a");
    apply(continueAsNew(old, null));

    for (Command command : everything(old)) {
      if (!(command instanceof Command.Acknowledge)) {
        assertLost(command, "a");
      }
    }
    Lease next = claimed("a").lease();
    assertThat(journal("a")).isEmpty();
    apply(suspend(next, null, 0));
    assertOver(old, "a");
    assertThat(journal("a")).isEmpty();
  }

  @Test
  @DisplayName("G3 the lease id is compared, not only the token")
  void theLeaseIdIsCompared() {
    Lease lease = leased("a");
    var sameToken = new Lease(lease.execution(), lease.incarnation(), lease.token(), newId());

    assertOver(sameToken, "a");
  }

  @Test
  @DisplayName("G3 the token is compared, not only the lease id")
  void theTokenIsCompared() {
    Lease lease = leased("a");
    long token = lease.token();

    assertOver(new Lease(lease.execution(), 1, token + 1, lease.id()), "a");
    assertOver(new Lease(lease.execution(), 1, token - 1, lease.id()), "a");
  }

  @Test
  @DisplayName("G3 the incarnation is compared")
  void theIncarnationIsCompared() {
    Lease lease = leased("a");

    assertOver(new Lease(lease.execution(), 2, lease.token(), lease.id()), "a");
  }

  @Test
  @DisplayName("G3 a lease on an execution that is not there is lost")
  void aLeaseOnAnExecutionThatIsNotThereIsLost() {
    Lease lease = leased("a");

    assertOver(new Lease(newId(), 1, lease.token(), lease.id()), "a");
  }

  @Test
  @DisplayName("LEA-02 a holder that wakes up late overwrites nothing of its successor")
  void aHolderThatWakesUpLateOverwritesNothing() {
    Lease frozen = leased("a");
    leasePasses();
    Lease successor = claimed("a").lease();
    apply(record(successor, "s1", "B"));
    apply(start(successor, "c", child("c")));
    apply(complete(successor, "B"));

    for (Command command :
        List.of(
            record(frozen, "s1", "A"),
            record(frozen, "s1", "B"),
            start(frozen, "c", child("c2")),
            complete(frozen, "A"),
            renew(frozen),
            handOver(frozen))) {
      assertLost(command, "a", "c");
    }
    assertThat(find("c2")).isNull();
  }

  @Test
  @DisplayName("LEA-03 a takeover leaves alone what was acknowledged, claimed or renewed meanwhile")
  void aTakeOverLeavesAloneWhatChangedMeanwhile() {
    Lease completed = leased("completed");
    Lease released = leased("released");
    Lease renewed = leased("renewed");
    leasePasses();
    apply(complete(completed, "done"));
    apply(handOver(released));
    Lease next = claim(asking -> asking.withoutTakeOver()).claims().getFirst().lease();
    apply(renew(renewed));
    List<Object> before = dump("completed", "released", "renewed");

    assertThat(claimedIds()).isEmpty();

    assertThat(dump("completed", "released", "renewed")).isEqualTo(before);
    assertThat(next.token()).isEqualTo(released.token() + 1);
  }

  @Test
  @DisplayName("LEA-05 wakes during a delivery start no second one, and the next one sees them")
  void wakesDuringADeliveryStartNoSecondOne() {
    Claim claim = firstClaim("a");
    apply(start(claim.lease(), "c", child("c")));
    for (int i = 0; i < 5; i++) {
      apply(wake("a"));
      assertThat(claimedIds(asking -> asking.withWorkflows(WORKFLOW))).isEmpty();
    }
    admitted("a");
    assertThat(claimedIds(asking -> asking.withWorkflows(WORKFLOW))).isEmpty();

    apply(suspend(claim.lease(), null, 0));

    assertThat(claimed("a").execution().orElseThrow().live().wakes()).isEqualTo(5);
  }
}
