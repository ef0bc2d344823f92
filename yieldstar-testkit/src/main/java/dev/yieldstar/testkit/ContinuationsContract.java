package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.spi.Claim;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Continue-as-new: the next incarnation of the same execution.
abstract class ContinuationsContract extends Bench {
  ContinuationsContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("Y12 the next incarnation has the new params and an empty journal, and is due now")
  void theNextIncarnationBegins() {
    Lease lease = leased("a");
    apply(record(lease, "s", "1"));
    ExecutionState before = state("a");

    Reply reply = apply(continueAsNew(lease, "{\"n\":2}"));

    assertThat(reply).isEqualTo(new Reply.Acknowledged(null));
    ExecutionState state = state("a");
    assertThat(state.incarnation()).isEqualTo(2);
    assertThat(state.params()).isEqualTo(payload("{\"n\":2}"));
    assertThat(state.admission()).as("the first admission stays").isEqualTo(before.admission());
    assertThat(state.key()).isEqualTo(before.key());
    assertThat(state.status()).isEqualTo(Status.SUSPENDED);
    assertThat(state.live().at()).isEqualTo(now());
    assertThat(journal("a")).isEmpty();
    Claim claim = claimed("a");
    assertThat(claim.lease().incarnation()).isEqualTo(2);
    assertThat(claim.lease().token()).isEqualTo(2);
    assertThat(claim.execution().orElseThrow().params()).isEqualTo(payload("{\"n\":2}"));
  }

  @Test
  @DisplayName("Y12 missing params stay missing")
  void missingParamsStayMissing() {
    apply(continueAsNew(leased("a"), null));

    assertThat(state("a").params()).isNull();
    assertThat(state("a").admission().params()).isEqualTo(payload("{\"n\":1}"));
  }

  @Test
  @DisplayName("Y12 the same keys are free again")
  void theSameKeysAreFreeAgain() {
    Lease first = leased("a");
    apply(record(first, "s", "old"));
    apply(continueAsNew(first, null));
    Lease second = claimed("a").lease();

    Reply.Recorded reply = as(Reply.Recorded.class, apply(record(second, "s", "new")));

    assertThat(reply.asSent()).isTrue();
    assertThat(journal("a"))
        .extracting(StepRecord::result)
        .containsExactly(new StepResult.Value(payload("new")));
  }

  @Test
  @DisplayName("Y12 wakes are kept")
  void wakesAreKept() {
    Lease lease = leased("a");
    apply(wake("a"));
    apply(wake("a"));

    apply(continueAsNew(lease, null));

    assertThat(claimed("a").execution().orElseThrow().live().wakes()).isEqualTo(2);
  }

  @Test
  @DisplayName("Y12 a pause is kept")
  void aPauseIsKept() {
    Lease lease = leased("a");
    apply(new Command.Pause("a"));

    apply(continueAsNew(lease, null));

    assertThat(claimedIds()).isEmpty();
    apply(new Command.Resume("a"));
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  @DisplayName("Y12 compensations belong to the incarnation that registered them")
  void compensationsBelongToTheirIncarnation() {
    Lease lease = leased("a");
    apply(compensation(lease, "undo"));

    apply(continueAsNew(lease, null));

    assertThat(run("a").compensations()).isZero();
    assertThat(apply(cancel("a"))).isEqualTo(new Reply.Finished(Status.CANCELLED));
  }

  @Test
  @DisplayName("Y12 a repeated continuation begins no third incarnation")
  void aRepeatedContinuationBeginsNoThirdIncarnation() {
    Lease lease = leased("a");
    Command again = continueAsNew(lease, "{\"n\":2}");
    Reply first = apply(again);

    assertThat(apply(again)).isEqualTo(first);
    Lease second = claimed("a").lease();
    apply(record(second, "s", "1"));
    List<Object> before = dump("a");
    assertThat(apply(again)).isEqualTo(first);

    assertThat(dump("a")).isEqualTo(before);
    assertThat(state("a").incarnation()).isEqualTo(2);
  }

  @Test
  @DisplayName("Y12 many incarnations do not mix")
  void manyIncarnationsDoNotMix() {
    admitted("a");
    for (int i = 1; i <= 5; i++) {
      Lease lease = claimed("a").lease();
      assertThat(lease.incarnation()).isEqualTo(i);
      apply(record(lease, "s", "of " + i));
      assertThat(journal("a")).hasSize(1);
      apply(i < 5 ? continueAsNew(lease, "{\"n\":" + i + "}") : complete(lease, "done"));
    }

    assertThat(state("a").status()).isEqualTo(Status.COMPLETED);
    assertThat(state("a").incarnation()).isEqualTo(5);
    assertThat(journal("a"))
        .extracting(StepRecord::result)
        .containsExactly(new StepResult.Value(payload("of 5")));
  }

  @Test
  @DisplayName("Y12 those who await it get the final result")
  void thoseWhoAwaitItGetTheFinalResult() {
    Lease lease = leased("a");
    apply(suspendAwaiting(leased("waiter"), 0, "a"));

    apply(continueAsNew(lease, null));
    assertThat(claimedIds(asking -> asking.withLimit(10))).containsExactly("a");
    apply(complete(backend.claimed(run("a").leaseId()).getFirst().lease(), "done"));

    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  void aCancelledExecutionDoesNotContinue() {
    Lease lease = leased("a");
    apply(new Command.Cancel("a", "why"));

    assertThat(apply(continueAsNew(lease, null))).isEqualTo(new Reply.CancelledBefore("why"));

    assertThat(state("a").incarnation()).isEqualTo(1);
    assertThat(run("a").leased()).isTrue();
    apply(fail(lease, "cancelled"));
    assertThat(state("a").status()).isEqualTo(Status.CANCELLED);
  }
}
