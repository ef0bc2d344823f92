package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How executions are accepted.
abstract class AdmissionsContract extends Bench {
  AdmissionsContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("G1 an accepted start is there, admitted and due now")
  void anAcceptedStartIsThere() {
    Admission admission = admission("a");

    Reply reply = apply(admit(admission));

    assertThat(reply).isEqualTo(new Reply.Admitted(admission.execution(), "a", true, null, now()));
    assertThat(state("a").status()).isEqualTo(Status.ADMITTED);
    assertThat(state("a").incarnation()).isEqualTo(1);
    assertThat(state("a").admission().admittedAt()).isEqualTo(now());
    assertThat(run("a").at()).isEqualTo(now());
    assertThat(journal("a")).isEmpty();
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void anUnknownIdIsNotFound() {
    admitted("a");

    assertThat(find("b")).isNull();
  }

  @Test
  @DisplayName("Y52 an equal start of the same id answers with the execution that exists")
  void anEqualStartAnswersWithTheExisting() {
    Reply.Admitted first = admitted("a");
    List<Object> before = dump("a");
    passes(Duration.ofSeconds(1));

    Reply.Admitted second = admitted("a");

    assertThat(second).isEqualTo(new Reply.Admitted(first.execution(), "a", false, null, now()));
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  @DisplayName("Y52 another workflow or other params under the same id are a conflict")
  void anotherWorkflowOrOtherParamsConflict() {
    admitted("a");
    List<Object> before = dump("a");

    for (Admission other :
        List.of(
            admission("a", "shipment", "{\"n\":1}"),
            admission("a", WORKFLOW, "{\"n\":2}"),
            admission("a", WORKFLOW, null))) {
      Reply.Refused refused = as(Reply.Refused.class, apply(admit(other)));
      assertThat(refused.code()).isEqualTo("EXECUTION_ID_CONFLICT");
      assertThat(refused.message()).contains("'a'");
    }
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  @DisplayName("S02 missing params and an empty object differ")
  void missingParamsAndAnEmptyObjectDiffer() {
    admitted(admission("missing", WORKFLOW, null));
    admitted(admission("empty", WORKFLOW, "{}"));

    assertThat(state("missing").params()).isNull();
    assertThat(state("empty").params()).isEqualTo(payload("{}"));
    assertThat(apply(admit(admission("missing", WORKFLOW, "{}"))))
        .isInstanceOf(Reply.Refused.class);
    assertThat(apply(admit(admission("empty", WORKFLOW, null)))).isInstanceOf(Reply.Refused.class);
  }

  @Test
  @DisplayName("S06 an execution admitted from outside has no parent")
  void anExecutionAdmittedFromOutsideHasNoParent() {
    admitted("a");

    assertThat(state("a").admission().parent()).isNull();
    assertThat(state("a").admission().forkedFrom()).isNull();
  }

  @Test
  void anEqualStartAnswersAlsoAfterTheEndAndAfterContinueAsNew() {
    Reply.Admitted first = admitted("a");
    apply(continueAsNew(claimed("a").lease(), "{\"n\":2}"));

    assertThat(admitted("a")).returns(first.execution(), Reply.Admitted::execution);
    assertThat(apply(admit(admission("a", WORKFLOW, "{\"n\":2}"))))
        .isInstanceOf(Reply.Refused.class);

    apply(complete(claimed("a").lease(), "done"));

    assertThat(admitted("a"))
        .isEqualTo(new Reply.Admitted(first.execution(), "a", false, null, now()));
    assertThat(state("a").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void ofTwoEqualStartsInOneBatchOnlyOneIsCreated() {
    Admission one = admission("a");
    Admission other = admission("a");

    List<Reply> replies = batch(admitLeased(one, newId()), admitLeased(other, newId()));

    Reply.Admitted first = as(Reply.Admitted.class, replies.getFirst());
    Reply.Admitted second = as(Reply.Admitted.class, replies.getLast());
    assertThat(first.created()).isTrue();
    assertThat(first.lease()).isNotNull();
    assertThat(second.created()).isFalse();
    assertThat(second.lease()).isNull();
    assertThat(second.execution()).isEqualTo(one.execution());
  }

  @Test
  void aConflictInABatchDoesNotTouchItsNeighbours() {
    List<Reply> replies =
        batch(
            admit(admission("a")), admit(admission("a", "shipment", null)), admit(admission("b")));

    assertThat(replies.get(0)).isInstanceOf(Reply.Admitted.class);
    assertThat(replies.get(1)).isInstanceOf(Reply.Refused.class);
    assertThat(replies.get(2)).isInstanceOf(Reply.Admitted.class);
    assertThat(state("a").admission().workflow()).isEqualTo(WORKFLOW);
    assertThat(claimedIds()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void oneThatIsBornLeasedNeedsNoClaim() {
    Admission admission = admission("a");
    long leaseId = newId();

    Reply.Admitted reply = as(Reply.Admitted.class, apply(admitLeased(admission, leaseId)));

    assertThat(reply.lease()).isEqualTo(new Lease(admission.execution(), 1, 1, leaseId));
    assertThat(state("a").status()).isEqualTo(Status.RUNNING);
    assertThat(run("a").at()).isEqualTo(now().plus(LEASE).plus(FIRST_REDELIVERY));
    assertThat(claimedIds()).isEmpty();
    assertThat(apply(record(bornWith(reply), "s", "1"))).isInstanceOf(Reply.Recorded.class);
    assertThat(apply(complete(bornWith(reply), "done"))).isInstanceOf(Reply.Acknowledged.class);
  }

  @Test
  void oneThatIsBornLeasedIsTakenOverWhenItsLeasePasses() {
    Reply.Admitted born = as(Reply.Admitted.class, apply(admitLeased(admission("a"), newId())));
    leasePasses();

    assertThat(claimed("a").lease().token()).isEqualTo(2);
    assertLost(complete(bornWith(born), "late"), "a");
  }

  @Test
  void oneThatStartsLaterIsNeitherDueNorBornLeased() {
    Command.Grant grant = new Command.Grant(newId(), LEASE);
    var inAnHour = new Command.Admit(admission("a"), after(Duration.ofHours(1)), grant);
    var tomorrow =
        new Command.Admit(admission("b"), new Due.At(now().plus(Duration.ofDays(1))), grant);

    for (Reply reply : batch(inAnHour, tomorrow)) {
      assertThat(as(Reply.Admitted.class, reply).lease()).isNull();
    }

    assertThat(run("a").at()).isEqualTo(now().plus(Duration.ofHours(1)));
    assertThat(run("b").at()).isEqualTo(now().plus(Duration.ofDays(1)));
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofHours(1).minusMillis(1));
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofMillis(1));
    assertThat(claimedIds()).containsExactly("a");
    passes(Duration.ofHours(23));
    assertThat(claimedIds(Asking::withoutTakeOver)).containsExactly("b");
  }

  @Test
  @DisplayName("TIM-05 a start time in the past is now")
  void aStartTimeInThePastIsNow() {
    apply(admit(admission("a"), new Due.At(now().minus(Duration.ofHours(1)))));
    apply(admit(admission("b"), after(Duration.ofSeconds(-5))));

    assertThat(claimedIds()).containsExactly("a", "b");
  }

  @Test
  void anAdmissionSentAgainIsRecognisedAsOurs() {
    Command.Admit admit = admitLeased(admission("a"), newId());
    Reply first = apply(admit);
    List<Object> before = dump("a");

    assertThat(apply(admit)).isEqualTo(first);
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void anAdmissionSentAgainIsOursAlsoWhenItsLeaseHasEndedMeanwhile() {
    Command.Admit released = admitLeased(admission("released"), newId());
    Command.Admit ended = admitLeased(admission("ended"), newId());
    Command.Admit takenOver = admitLeased(admission("taken over"), newId());
    List<Reply> born = batch(released, ended, takenOver);
    apply(handOver(bornWith(born.get(0))));
    apply(complete(bornWith(born.get(1)), "done"));
    leasePasses();
    claimed("taken over");

    for (Command.Admit again : List.of(released, ended, takenOver)) {
      Reply.Admitted reply = as(Reply.Admitted.class, apply(again));
      assertThat(reply.created()).isTrue();
      assertThat(reply.lease()).isNull();
      assertThat(reply.execution()).isEqualTo(again.admission().execution());
    }
  }

  @Test
  void aRenewedBirthLeaseIsStillTheOneItWasBornWith() {
    Command.Admit admit = admitLeased(admission("a"), newId());
    Lease born = bornWith(apply(admit));
    passes(Duration.ofSeconds(10));
    apply(renew(born));

    assertThat(bornWith(apply(admit))).isEqualTo(born);
  }

  @Test
  void aTakenInternalIdIsToldApartFromATakenId() {
    Admission first = admission("a");
    admitted(first);
    Lease caller = leased("caller");
    apply(complete(leased("ended"), "done"));
    List<Object> before = dump("a", "caller", "ended");

    List<Reply> replies =
        batch(
            admit(admission("b").withInternalId(first.execution())),
            start(caller, "s", child("c").withInternalId(first.execution())),
            new Command.Fork("a", first.execution(), "d", null),
            new Command.Retry("ended", first.execution(), "e"));

    for (Reply reply : replies) {
      assertThat(as(Reply.Refused.class, reply).code()).isEqualTo(Reply.INTERNAL_ID_TAKEN);
    }
    assertThat(dump("a", "caller", "ended")).isEqualTo(before);
    for (String id : List.of("b", "c", "d", "e")) {
      assertThat(find(id)).isNull();
    }
    assertThat(apply(admit(admission("b")))).isInstanceOf(Reply.Admitted.class);
  }

  @Test
  void anEqualStartWithAGrantGetsNoLeaseOnWhatExists() {
    admitted("a");

    Reply.Admitted reply = as(Reply.Admitted.class, apply(admitLeased(admission("a"), newId())));

    assertThat(reply.created()).isFalse();
    assertThat(reply.lease()).isNull();
    ExecutionState state = state("a");
    assertThat(state.status()).isEqualTo(Status.ADMITTED);
    assertThat(claimedIds()).containsExactly("a");
  }
}
