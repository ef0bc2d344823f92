package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Terminal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Cancellation: at once where nobody delivers and nothing is to be undone, else as a mark.
abstract class CancellationContract extends Bench {
  private static final Reply ACCEPTED = new Reply.CancelAccepted();

  CancellationContract(Opener opener) {
    super(opener);
  }

  @Test
  void oneThatNobodyDeliversIsCancelledAtOnce() {
    apply(suspend(leased("suspended"), null, 0));
    admitted("admitted");
    apply(admit(admission("delayed"), after(Duration.ofDays(1))));
    passes(Duration.ofSeconds(1));

    for (String id : List.of("admitted", "delayed", "suspended")) {
      assertThat(apply(new Command.Cancel(id, "why")))
          .isEqualTo(new Reply.Finished(Status.CANCELLED));
      Terminal end = state(id).ended();
      assertThat(end.outcome()).isEqualTo(new Outcome.Cancelled("why"));
      assertThat(end.finishedAt()).isEqualTo(now());
    }
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  void aPausedOneIsCancelledAtOnceToo() {
    admitted("a");
    apply(new Command.Pause("a"));

    assertThat(apply(cancel("a"))).isEqualTo(new Reply.Finished(Status.CANCELLED));
  }

  @Test
  void aCancellationOfOneThatHasEndedSaysAsWhat() {
    apply(complete(leased("completed"), "1"));
    apply(fail(leased("failed"), "1"));
    List<Object> before = dump("completed", "failed");

    assertThat(apply(cancel("completed"))).isEqualTo(new Reply.Finished(Status.COMPLETED));
    assertThat(apply(cancel("failed"))).isEqualTo(new Reply.Finished(Status.FAILED));
    assertThat(apply(cancel("nobody"))).isEqualTo(new Reply.NotFound("nobody"));
    assertThat(dump("completed", "failed")).isEqualTo(before);
  }

  @Test
  void aCancellationOfALeasedOneIsAccepted() {
    Lease lease = leased("a");

    assertThat(apply(new Command.Cancel("a", "why"))).isEqualTo(ACCEPTED);

    assertThat(state("a").status()).isEqualTo(Status.RUNNING);
    assertThat(run("a").cancelReason()).isEqualTo("why");
    assertThat(run("a").wakes()).as("it is a wake").isEqualTo(1);
    assertThat(run("a").at()).as("the lease lasts").isEqualTo(START.plus(LEASE).plusSeconds(1));
    assertThat(apply(renew(lease))).isInstanceOf(Reply.Renewed.class);
  }

  @Test
  void aRepeatedCancellationIsAnsweredAsTheFirst() {
    Lease lease = leased("a");
    apply(new Command.Cancel("a", "first"));
    List<Object> before = dump("a");

    assertThat(apply(new Command.Cancel("a", "second"))).isEqualTo(ACCEPTED);

    assertThat(dump("a")).isEqualTo(before);
    apply(fail(lease, "cancelled"));
    assertThat(state("a").ended().outcome()).isEqualTo(new Outcome.Cancelled("first"));
    assertThat(apply(cancel("a"))).isEqualTo(new Reply.Finished(Status.CANCELLED));
  }

  @Test
  @DisplayName("CAN-01 from the commit that accepted it the journal is closed to ordinary records")
  void theJournalIsClosedToOrdinaryRecords() {
    Lease lease = leased("a");
    apply(record(lease, "before", "1"));
    Reply child = apply(start(lease, "child", child("child")));
    apply(new Command.Cancel("a", "why"));
    List<Object> before = dump("a");

    Reply refused = new Reply.CancelledBefore("why");
    assertThat(apply(record(lease, "after", "2"))).isEqualTo(refused);
    assertThat(apply(start(lease, "start", child("never")))).isEqualTo(refused);
    assertThat(apply(start(lease, "child", child("never", "other", null)))).isEqualTo(refused);
    assertThat(dump("a")).isEqualTo(before);
    assertThat(find("never")).isNull();
    assertThat(apply(record(lease, "before", "1")))
        .as("what is recorded is answered")
        .isInstanceOf(Reply.Recorded.class);
    assertThat(apply(start(lease, "child", child("child")))).isEqualTo(child);
  }

  @Test
  @DisplayName("CAN-01 the journal stays closed in every later delivery")
  void theJournalStaysClosedInLaterDeliveries() {
    Lease first = leased("a");
    apply(new Command.Cancel("a", "why"));
    apply(handOver(first));
    Lease second = claimed("a").lease();

    assertThat(apply(record(second, "s", "1"))).isEqualTo(new Reply.CancelledBefore("why"));
  }

  @Test
  void shieldedRecordsPass() {
    Lease lease = leased("a");
    apply(cancel("a"));

    Reply reply = apply(shielded(record(lease, "undo", "1")));

    assertThat(as(Reply.Recorded.class, reply).asSent()).isTrue();
    assertThat(journal("a")).hasSize(1);
  }

  @Test
  @DisplayName("G4 whatever a cancelled delivery acknowledges as its end becomes a cancellation")
  void whateverIsAcknowledgedBecomesACancellation() {
    Lease completing = leased("completing");
    Lease failing = leased("failing");
    batch(new Command.Cancel("completing", "why"), new Command.Cancel("failing", "why"));

    List<Reply> replies = batch(complete(completing, "1"), fail(failing, "2"));

    for (Reply reply : replies) {
      Terminal end = as(Reply.Acknowledged.class, reply).end();
      assertThat(end).isNotNull().returns(new Outcome.Cancelled("why"), Terminal::outcome);
    }
    assertThat(state("completing").status()).isEqualTo(Status.CANCELLED);
    assertThat(state("failing").status()).isEqualTo(Status.CANCELLED);
    assertThat(apply(complete(completing, "1"))).as("repeated").isEqualTo(replies.getFirst());
  }

  @Test
  @DisplayName("G5 a cancelled one whose delivery suspends is due now")
  void aCancelledOneWhoseDeliverySuspendsIsDueNow() {
    Lease lease = leased("a");
    apply(cancel("a"));

    apply(suspend(lease, after(Duration.ofDays(1)), 0));

    assertThat(claimedIds()).containsExactly("a");
    assertThat(state("a").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void aCancelledOneMayWaitInItsCompensations() {
    Lease lease = leased("a");
    apply(compensation(lease, "undo"));
    apply(cancel("a"));

    apply(suspend(lease, after(Duration.ofSeconds(10)), 1));

    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofSeconds(10));
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void oneWithCompensationsIsDueNowToRunThem() {
    Lease lease = leased("a");
    apply(compensation(lease, "undo"));
    apply(suspend(lease, after(Duration.ofDays(1)), 0));
    passes(Duration.ofSeconds(1));

    assertThat(apply(cancel("a"))).isEqualTo(ACCEPTED);

    assertThat(run("a").at()).isEqualTo(now());
    Lease next = claimed("a").lease();
    assertThat(apply(shielded(record(next, "undone", "1")))).isInstanceOf(Reply.Recorded.class);
    apply(fail(next, "cancelled"));
    assertThat(state("a").status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aCancellationTakesThePauseOff() {
    Lease lease = leased("a");
    apply(compensation(lease, "undo"));
    apply(new Command.Pause("a"));
    apply(suspend(lease, null, 0));
    assertThat(claimedIds()).isEmpty();

    apply(cancel("a"));

    assertThat(run("a").paused()).isFalse();
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aPauseAfterACancellationIsNotTaken() {
    Lease lease = leased("a");
    apply(cancel("a"));

    assertThat(apply(new Command.Pause("a"))).isEqualTo(ACCEPTED);

    assertThat(run("a").paused()).isFalse();
    apply(handOver(lease));
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aCancellationIsSeenByWhoTakesOver() {
    leased("a");
    apply(new Command.Cancel("a", "why"));
    leasePasses();

    assertThat(claimed("a").execution().orElseThrow().live().cancelReason()).isEqualTo("why");
  }

  @Test
  @DisplayName("CAN-01 of a completion and a cancellation in one batch the first wins")
  void ofACompletionAndACancellationTheFirstWins() {
    Lease first = leased("completed first");
    Lease second = leased("cancelled first");

    List<Reply> replies =
        batch(
            complete(first, "done"),
            cancel("completed first"),
            cancel("cancelled first"),
            complete(second, "done"));

    assertThat(replies.get(1)).isEqualTo(new Reply.Finished(Status.COMPLETED));
    assertThat(replies.get(2)).isEqualTo(ACCEPTED);
    assertThat(state("completed first").status()).isEqualTo(Status.COMPLETED);
    assertThat(state("cancelled first").status()).isEqualTo(Status.CANCELLED);
    assertThat(as(Reply.Acknowledged.class, replies.get(3)).end())
        .isEqualTo(state("cancelled first").terminal());
  }

  @Test
  @DisplayName("CAN-01 two cancellations in one batch end it once")
  void twoCancellationsEndItOnce() {
    apply(suspend(leased("a"), Due.NOW, 0));

    List<Reply> replies = batch(new Command.Cancel("a", "one"), new Command.Cancel("a", "two"));

    assertThat(replies).containsOnly(new Reply.Finished(Status.CANCELLED));
    assertThat(state("a").ended().outcome()).isEqualTo(new Outcome.Cancelled("one"));
  }

  @Test
  void aCancellationIsAnOperatorsRevision() {
    leased("a");
    long revision = run("a").revision();

    apply(cancel("a"));

    assertThat(run("a").revision()).isEqualTo(revision + 1);
  }
}
