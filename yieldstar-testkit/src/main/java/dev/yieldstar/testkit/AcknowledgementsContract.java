package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How deliveries end in order, and that an end is final.
abstract class AcknowledgementsContract extends Bench {
  AcknowledgementsContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("S30 a completed execution keeps its result")
  void aCompletedExecutionKeepsItsResult() {
    Lease lease = leased("a");
    passes(Duration.ofSeconds(2));

    Reply reply = apply(complete(lease, "\"done\""));

    var end =
        new Terminal(new Outcome.Completed(payload("\"done\"")), now(), lease.token(), lease.id());
    assertThat(reply).isEqualTo(new Reply.Acknowledged(end));
    ExecutionState state = state("a");
    assertThat(state.status()).isEqualTo(Status.COMPLETED);
    assertThat(state.terminal()).isEqualTo(end);
    assertThat(state.run()).isNull();
  }

  @Test
  @DisplayName("S10 a failed execution keeps its error")
  void aFailedExecutionKeepsItsError() {
    Lease lease = leased("a");

    apply(fail(lease, "{\"class\":\"x\"}"));

    assertThat(state("a").status()).isEqualTo(Status.FAILED);
    assertThat(state("a").ended().outcome())
        .isEqualTo(new Outcome.Failed(payload("{\"class\":\"x\"}")));
  }

  @Test
  void anEndedExecutionKeepsItsAdmissionAndItsJournal() {
    Lease lease = leased("a");
    var admission = state("a").admission();
    apply(record(lease, "s", "1"));
    var journal = journal("a");

    apply(complete(lease, "done"));

    assertThat(state("a").admission()).isEqualTo(admission);
    assertThat(state("a").params()).isEqualTo(admission.params());
    assertThat(state("a").incarnation()).isEqualTo(1);
    assertThat(journal("a")).isEqualTo(journal);
  }

  @Test
  void aSuspensionEndsTheLeaseUntilItsTime() {
    Lease lease = leased("a");
    Instant until = now().plus(Duration.ofDays(30));

    assertThat(apply(suspend(lease, new Due.At(until), 0))).isEqualTo(new Reply.Acknowledged(null));

    Run run = run("a");
    assertThat(state("a").status()).isEqualTo(Status.SUSPENDED);
    assertThat(run.at()).isEqualTo(until);
    assertThat(run.leased()).isFalse();
    assertThat(run.token()).isEqualTo(lease.token());
    assertThat(run.acknowledgedToken()).isEqualTo(lease.token());
    assertThat(run.acknowledgedLease()).isEqualTo(lease.id());
    assertThat(run.last()).isEqualTo(LastDelivery.ACKNOWLEDGED);
    passes(Duration.ofDays(30));
    assertThat(claimed("a").execution().orElseThrow().live().last())
        .isEqualTo(LastDelivery.ACKNOWLEDGED);
  }

  @Test
  void aDelayCountsFromTheTransactionThatAppliesIt() {
    Lease lease = leased("a");
    passes(Duration.ofSeconds(7));

    apply(suspend(lease, after(Duration.ofSeconds(10)), 0));

    assertThat(run("a").at()).isEqualTo(START.plusSeconds(17));
  }

  @Test
  void anAcknowledgementForgetsWhatCountedAgainstIt() {
    apply(releaseFailed(leased("a")));
    passes(FIRST_REDELIVERY);
    claimed("a");
    leasePasses();
    Lease lease = claimed("a").lease();
    assertThat(run("a").unacknowledged()).isEqualTo(2);
    assertThat(run("a").passed()).isEqualTo(1);

    apply(suspend(lease, null, 0));

    assertThat(run("a").unacknowledged()).isZero();
    assertThat(run("a").passed()).isZero();
  }

  @Test
  @DisplayName("S26 a repeated acknowledgement of the end is answered as the first time, for good")
  void aRepeatedAcknowledgementOfTheEndIsAnsweredAsTheFirstTime() {
    Lease lease = leased("a");
    Reply first = apply(complete(lease, "done"));
    List<Object> before = dump("a");
    passes(Duration.ofDays(400));

    assertThat(apply(complete(lease, "done"))).isEqualTo(first);
    assertThat(apply(complete(lease, "another result"))).isEqualTo(first);
    assertThat(apply(fail(lease, "an error"))).isEqualTo(first);
    assertThat(apply(suspend(lease, null, 0))).isEqualTo(first);
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void aRepeatedSuspensionIsAnsweredAsTheFirstTimeAndChangesNothing() {
    Lease lease = leased("a");
    Reply first = apply(suspend(lease, after(Duration.ofSeconds(10)), 0));
    passes(Duration.ofSeconds(5));
    List<Object> before = dump("a");

    assertThat(apply(suspend(lease, after(Duration.ofSeconds(10)), 0))).isEqualTo(first);

    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void aRepeatedSuspensionDuringTheNextDeliveryChangesNothing() {
    Lease first = leased("a");
    apply(suspend(first, Due.NOW, 0));
    claimed("a");
    List<Object> before = dump("a");

    assertThat(apply(suspend(first, Due.NOW, 0))).isEqualTo(new Reply.Acknowledged(null));

    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void aRepeatedSuspensionAfterAnIdleCancellationIsStillRecognised() {
    Lease lease = leased("a");
    apply(suspend(lease, null, 0));
    apply(cancel("a"));

    assertThat(apply(suspend(lease, null, 0)))
        .isEqualTo(new Reply.Acknowledged(state("a").terminal()));
  }

  @Test
  @DisplayName("G4 no end is ever replaced")
  void noEndIsEverReplaced() {
    Lease completed = leased("completed");
    apply(complete(completed, "1"));
    Lease stale = leased("failed");
    leasePasses();
    Lease failed = claimed("failed").lease();
    apply(fail(failed, "1"));
    apply(suspend(leased("cancelled"), null, 0));
    apply(cancel("cancelled"));
    List<Object> before = dump("completed", "failed", "cancelled");

    for (String id : List.of("completed", "failed", "cancelled")) {
      batch(
          wake(id),
          cancel(id),
          new Command.Pause(id),
          new Command.Resume(id),
          new Command.Registered(WORKFLOW, "v9"),
          admit(admission(id)));
    }
    for (Lease lease : List.of(completed, failed, stale)) {
      batch(complete(lease, "2"), fail(lease, "2"), suspend(lease, null, 0), renew(lease));
      batch(continueAsNew(lease, null), handOver(lease), releaseFailed(lease));
    }
    passes(Duration.ofDays(1));
    claim();

    assertThat(dump("completed", "failed", "cancelled")).isEqualTo(before);
  }

  @Test
  @DisplayName("G4 of two holders only the one whose lease is current ends the execution")
  void onlyTheCurrentHolderEndsTheExecution() {
    Lease first = leased("a");
    leasePasses();
    Lease second = claimed("a").lease();

    List<Reply> replies = batch(complete(first, "first"), complete(second, "second"));

    assertThat(replies.getFirst()).isEqualTo(new Reply.Lost());
    assertThat(state("a").ended().outcome()).isEqualTo(new Outcome.Completed(payload("second")));
    assertLost(complete(first, "first"), "a");
  }

  @Test
  void theFirstHolderMayStillEndItBeforeAnotherClaims() {
    Lease first = leased("a");
    leasePasses();

    apply(complete(first, "first"));

    assertThat(claimedIds()).isEmpty();
    assertThat(state("a").ended().outcome()).isEqualTo(new Outcome.Completed(payload("first")));
  }
}
