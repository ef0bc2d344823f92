package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Retry and fork: new executions with the journal of another one.
abstract class ForkingContract extends Bench {
  ForkingContract(Opener opener) {
    super(opener);
  }

  /// Three steps, the second in two attempts. Their keys sort the other way round.
  private Lease withJournal(String id) {
    return recordJournal(leased(id));
  }

  private Lease recordJournal(Lease lease) {
    batch(
        at(1, record(lease, "z", "1")),
        at(2, record(lease, "y", 1, new StepEntry.Retry(payload("e"), Due.NOW))),
        at(2, record(lease, "y", 2, new StepEntry.Value(payload("2")))),
        at(3, record(lease, "x", "3")));
    return lease;
  }

  private Reply fork(String source, String id, @Nullable String fromStep) {
    return apply(new Command.Fork(source, newId(), id, fromStep));
  }

  private Reply retry(String source, String id) {
    return apply(new Command.Retry(source, newId(), id));
  }

  @Test
  void aForkIsANewExecutionWithTheWholeJournal() {
    Admission admission =
        Admission.request(
            newId(),
            "a",
            WORKFLOW,
            "v1",
            payload("{}"),
            "{}",
            payload("{\"c\":1}"),
            Map.of("k", "v"));
    admitted(admission);
    recordJournal(claimed("a").lease());
    List<StepRecord> journal = journal("a");
    List<Object> source = dump("a");
    var again = new Command.Fork("a", newId(), "b", null);

    Reply reply = apply(again);

    assertThat(reply).isEqualTo(new Reply.Admitted(again.execution(), "b", true, null, now()));
    assertThat(journal("b")).isEqualTo(journal);
    Admission forked = state("b").admission();
    assertThat(forked.forkedFrom()).isEqualTo("a");
    assertThat(forked.workflow()).isEqualTo(WORKFLOW);
    assertThat(forked.context()).isEqualTo(admission.context());
    assertThat(forked.attributes()).isEqualTo(admission.attributes());
    assertThat(state("b").params()).isEqualTo(payload("{}"));
    assertThat(state("b").status()).isEqualTo(Status.ADMITTED);
    assertThat(run("b").at()).isEqualTo(now());
    assertThat(dump("a")).as("the source stays as it is").isEqualTo(source);
    assertThat(claimedIds()).containsExactly("b");
  }

  @Test
  void aForkFromAStepHasTheJournalBeforeIt() {
    withJournal("a");

    fork("a", "from x", "x");
    fork("a", "from y", "y");
    fork("a", "from z", "z");

    assertThat(journal("from x")).extracting(StepRecord::key).containsExactly("y", "y", "z");
    assertThat(journal("from y")).extracting(StepRecord::key).containsExactly("z");
    assertThat(journal("from z")).isEmpty();
  }

  @Test
  void aForkFromAStepThatIsNotRecordedIsRefused() {
    withJournal("a");

    Reply.Refused refused = as(Reply.Refused.class, fork("a", "b", "no such step"));

    assertThat(refused.code()).isEqualTo("STEP_NOT_FOUND");
    assertThat(find("b")).isNull();
  }

  @Test
  void aForkOrRetryOfNobodyIsNotFound() {
    assertThat(fork("nobody", "b", null)).isEqualTo(new Reply.NotFound("nobody"));
    assertThat(retry("nobody", "b")).isEqualTo(new Reply.NotFound("nobody"));
    assertThat(find("b")).isNull();
  }

  @Test
  void aForkUnderATakenIdIsAConflict() {
    apply(complete(withJournal("a"), "done"));
    admitted("taken");
    List<Object> before = dump("a", "taken");

    for (Reply reply :
        List.of(fork("a", "taken", null), fork("a", "a", null), retry("a", "taken"))) {
      assertThat(as(Reply.Refused.class, reply).code()).isEqualTo("EXECUTION_ID_CONFLICT");
    }
    assertThat(dump("a", "taken")).isEqualTo(before);
  }

  @Test
  void aRepeatedForkIsRecognised() {
    apply(complete(withJournal("a"), "done"));
    var fork = new Command.Fork("a", newId(), "forked", null);
    var retry = new Command.Retry("a", newId(), "retried");
    List<Reply> first = batch(fork, retry);
    Lease lease = claimed("forked").lease();
    apply(record(lease, "more", "1"));
    List<Object> before = dump("forked", "retried");

    assertThat(batch(fork, retry)).isEqualTo(first);
    assertThat(dump("forked", "retried")).isEqualTo(before);
  }

  @Test
  @DisplayName(
      "G4 a retry of a finished execution is a new one, and the finished one stays finished")
  void aRetryIsANewExecution() {
    Lease lease = withJournal("a");
    apply(record(lease, "w", 1, new StepEntry.Error(payload("boom"))));
    apply(fail(lease, "boom"));
    List<Object> before = dump("a");

    assertThat(retry("a", "b")).isInstanceOf(Reply.Admitted.class);

    assertThat(dump("a")).isEqualTo(before);
    assertThat(state("b").admission().forkedFrom()).isEqualTo("a");
    assertThat(state("b").status()).isEqualTo(Status.ADMITTED);
  }

  @Test
  void aRetryTriesTheStepThatFailedLastAfresh() {
    Lease lease = withJournal("a");
    batch(
        at(4, record(lease, "w", 1, new StepEntry.Retry(payload("e"), Due.NOW))),
        at(4, record(lease, "w", 2, new StepEntry.Error(payload("boom")))));
    apply(fail(lease, "boom"));

    retry("a", "b");

    assertThat(journal("b")).extracting(StepRecord::key).containsExactly("x", "y", "y", "z");
  }

  @Test
  void aRetryAsksAgainForAStartThatWasRefused() {
    admitted(admission("taken", "shipment", "{}"));
    Lease lease = leased("a");
    apply(start(lease, "s", child("taken")));
    apply(fail(lease, "EXECUTION_ID_CONFLICT"));

    retry("a", "b");

    assertThat(journal("b")).isEmpty();
  }

  @Test
  void aRetryOfOneThatHasNotFinishedIsRefused() {
    withJournal("a");
    List<Object> before = dump("a");

    Reply.Refused refused = as(Reply.Refused.class, retry("a", "b"));

    assertThat(refused.code()).isEqualTo("EXECUTION_NOT_FINISHED");
    assertThat(find("b")).isNull();
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void completedAndCancelledOnesMayBeRetriedToo() {
    apply(complete(withJournal("completed"), "done"));
    admitted("cancelled");
    apply(cancel("cancelled"));

    assertThat(retry("completed", "b")).isInstanceOf(Reply.Admitted.class);
    assertThat(retry("cancelled", "c")).isInstanceOf(Reply.Admitted.class);
    assertThat(journal("b")).hasSize(4);
    assertThat(run("c").cancelReason()).isNull();
  }

  @Test
  void aForkRepeatsTheCurrentIncarnation() {
    Lease first = withJournal("a");
    apply(continueAsNew(first, "{\"n\":2}"));
    Lease second = claimed("a").lease();
    apply(record(second, "only", "1"));

    fork("a", "b", null);

    assertThat(state("b").incarnation()).isEqualTo(1);
    assertThat(state("b").params()).isEqualTo(payload("{\"n\":2}"));
    assertThat(journal("b")).extracting(StepRecord::key).containsExactly("only");
  }

  @Test
  void aForkHasTheCompensationsThatItCopied() {
    Lease lease = leased("a");
    batch(
        at(1, record(lease, "s", "1")),
        at(2, compensation(lease, "undo 1")),
        at(3, compensation(lease, "undo 2")));

    fork("a", "b", "undo 2");
    fork("a", "c", null);

    assertThat(run("b").compensations()).isEqualTo(1);
    assertThat(run("c").compensations()).isEqualTo(2);
    assertThat(apply(cancel("b"))).isEqualTo(new Reply.CancelAccepted());
  }

  @Test
  void aForkAndItsSourceGoTheirOwnWays() {
    Lease source = withJournal("a");
    fork("a", "b", null);
    Lease fork = claimed("b").lease();

    apply(record(source, "more", "of a"));
    apply(record(fork, "more", "of b"));
    apply(complete(source, "done"));

    assertThat(journal("a")).hasSize(5);
    assertThat(journal("b")).hasSize(5);
    assertThat(state("b").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void aForkHasNoParentAlsoOfAChild() {
    Lease caller = leased("caller");
    apply(start(caller, "s", child("child")));

    fork("child", "b", null);

    assertThat(state("b").admission().parent()).isNull();
    assertThat(state("b").admission().context()).isEqualTo(state("caller").admission().context());
  }

  @Test
  void withinABatchAForkSeesWhatWasRecordedBeforeIt() {
    Lease lease = leased("a");

    batch(
        record(lease, "before", "1"),
        new Command.Fork("a", newId(), "b", null),
        record(lease, "after", "1"));

    assertThat(journal("b")).extracting(StepRecord::key).containsExactly("before");
  }
}
