package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.ParentLink;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How a step starts another execution: its admission, its parent link and the step's record in one
/// go.
abstract class ChildStartsContract extends Bench {
  ChildStartsContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName(
      "S05 a started execution is admitted at once, with a parent and its caller's context")
  void aStartedExecutionIsAdmittedAtOnce() {
    Lease caller = leased("caller");
    passes(Duration.ofSeconds(1));

    StepResult.Started started =
        as(StepResult.Started.class, result(apply(start(caller, "start:job", child("child")))));

    assertThat(started.executionId()).isEqualTo("child");
    assertThat(state("child").status()).isEqualTo(Status.ADMITTED);
    assertThat(run("child").at()).isEqualTo(now());
    Admission admission = state("child").admission();
    assertThat(admission.parent()).isEqualTo(new ParentLink("caller", "start:job"));
    assertThat(admission.context()).isEqualTo(state("caller").admission().context());
    assertThat(admission.admittedAt()).isEqualTo(now());
    assertThat(admission.workflow()).isEqualTo("shipment");
    assertThat(claimedIds()).containsExactly("child");
  }

  @Test
  @DisplayName("S05 a start that brings a context keeps it")
  void aStartThatBringsAContextKeepsIt() {
    Lease caller = leased("caller");
    Admission own =
        Admission.request(
            newId(), "child", "shipment", null, null, "none", payload("{}"), Map.of("k", "v"));

    apply(start(caller, "s", own));

    assertThat(state("child").admission().context()).isEqualTo(payload("{}"));
    assertThat(state("child").admission().attributes()).containsExactly(Map.entry("k", "v"));
    assertThat(state("child").admission().version()).isNull();
  }

  @Test
  @DisplayName("S03 a start is recorded as its caller's step")
  void aStartIsRecordedAsItsCallersStep() {
    Lease caller = leased("caller");
    Command.StartChild start = start(caller, "s", child("child"));

    Reply.Recorded reply = as(Reply.Recorded.class, apply(start));

    assertThat(reply.asSent()).isTrue();
    StepRecord record = reply.record();
    assertThat(record.kind()).isEqualTo(StepKind.START);
    assertThat(record.attempt()).isEqualTo(1);
    assertThat(record.recordedAt()).isEqualTo(now());
    assertThat(journal("caller")).containsExactly(record);
  }

  @Test
  @DisplayName("S03 a repeated start answers with the first execution")
  void aRepeatedStartAnswersWithTheFirst() {
    Lease caller = leased("caller");
    Reply first = apply(start(caller, "s", child("child")));
    List<Object> before = dump("caller", "child");

    assertThat(apply(start(caller, "s", child("another id")))).isEqualTo(first);

    assertThat(dump("caller", "child")).isEqualTo(before);
    assertThat(find("another id")).isNull();
  }

  @Test
  @DisplayName("S03 the next delivery's repeated start answers with the first execution")
  void theNextDeliverysRepeatedStartAnswersWithTheFirst() {
    Lease first = leased("caller");
    Reply reply = apply(start(first, "s", child("child")));
    apply(handOver(first));
    Lease second = claimed("caller").lease();

    assertThat(apply(start(second, "s", child("another id")))).isEqualTo(reply);
  }

  @Test
  @DisplayName("S04 another start under the same key is recorded as a mismatch")
  void anotherStartUnderTheSameKeyIsAMismatch() {
    Lease caller = leased("caller");
    String params = "{\"child\":true}";
    int n = 0;
    for (Admission other :
        List.of(
            child("x1", "other", params),
            child("x2", "shipment", "{}"),
            child("x3", "shipment", "{\"child\":true,\"more\":null}"),
            child("x4", "shipment", null))) {
      String key = "s" + n++;
      Reply first = apply(start(caller, key, child("child of " + key)));

      Reply.Recorded refused = as(Reply.Recorded.class, apply(start(caller, key, other)));

      assertThat(refused.asSent()).as("an answer, which breaks no chain").isTrue();
      StepResult.Refused result = as(StepResult.Refused.class, refused.record().result());
      assertThat(result.code()).isEqualTo("START_REQUEST_MISMATCH");
      assertThat(result.message()).contains("'" + key + "'", "'caller'");
      assertThat(journal("caller")).contains(refused.record());
      assertThat(find(other.id())).isNull();
      assertThat(apply(start(caller, key, child("again")))).as("the first").isEqualTo(first);
    }
  }

  @Test
  @DisplayName("S04 a repeated mismatch is answered as the first time")
  void aRepeatedMismatchIsAnsweredAsTheFirstTime() {
    Lease caller = leased("caller");
    apply(start(caller, "s", child("child")));
    Reply first = apply(start(caller, "s", child("x", "other", null)));
    List<Object> before = dump("caller", "child");

    assertThat(apply(start(caller, "s", child("x", "other", null)))).isEqualTo(first);
    assertThat(dump("caller", "child")).isEqualTo(before);
  }

  @Test
  @DisplayName("S04 after a mismatch the chain goes on")
  void afterAMismatchTheChainGoesOn() {
    Lease caller = leased("caller");

    List<Reply> replies =
        batch(
            start(caller, "s", child("child")),
            start(caller, "s", child("x", "other", null)),
            record(caller, "next", "1"),
            complete(caller, "done"));

    assertThat(result(replies.get(1))).isInstanceOf(StepResult.Refused.class);
    assertThat(replies.get(2)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(3)).isInstanceOf(Reply.Acknowledged.class);
  }

  @Test
  @DisplayName("S05 a start under an id that another execution has is recorded as a conflict")
  void aStartUnderATakenIdIsRecordedAsAConflict() {
    admitted(admission("taken", "shipment", "{\"child\":false}"));
    Lease caller = leased("caller");
    List<Object> before = dump("taken");
    Command.StartChild start = start(caller, "s", child("taken"));

    Reply first = apply(start);

    StepResult.Refused refused = as(StepResult.Refused.class, result(first));
    assertThat(refused.code()).isEqualTo("EXECUTION_ID_CONFLICT");
    assertThat(dump("taken")).isEqualTo(before);
    assertThat(apply(start)).as("repeated").isEqualTo(first);
    assertThat(journal("caller")).hasSize(1);
  }

  @Test
  @DisplayName("S05 an execution cannot start itself")
  void anExecutionCannotStartItself() {
    Lease caller = leased("caller");
    Payload params = state("caller").params();
    assertThat(params).isEqualTo(payload("{\"n\":1}"));

    StepResult refused = result(apply(start(caller, "s", child("caller", WORKFLOW, "{\"n\":1}"))));

    assertThat(as(StepResult.Refused.class, refused).code()).isEqualTo("EXECUTION_ID_CONFLICT");
    assertThat(state("caller").admission().parent()).isNull();
  }

  @Test
  @DisplayName("S03 a start under an id of one's own answers with an equal execution that exists")
  void aStartOfAnEqualExecutionAnswersWithIt() {
    admitted(child("existing"));
    Lease caller = leased("caller");

    StepResult started = result(apply(start(caller, "s", child("existing"))));

    assertThat(as(StepResult.Started.class, started).executionId()).isEqualTo("existing");
    assertThat(state("existing").admission().parent()).as("it has no parent").isNull();
  }

  @Test
  void twoStartsOfOneIdInABatchStartOneExecution() {
    Lease one = leased("one");
    Lease two = leased("two");

    List<Reply> replies = batch(start(one, "s", child("shared")), start(two, "s", child("shared")));

    for (Reply reply : replies) {
      assertThat(as(StepResult.Started.class, result(reply)).executionId()).isEqualTo("shared");
    }
    assertThat(state("shared").admission().parent()).isEqualTo(new ParentLink("one", "s"));
  }

  @Test
  void aStartForLaterIsDueLater() {
    Lease caller = leased("caller");
    Duration day = Duration.ofDays(1);

    apply(new Command.StartChild(caller, "s", 1, START, child("child"), after(day)));

    assertThat(run("child").at()).isEqualTo(now().plus(day));
  }

  @Test
  void aStartUnderAStepOfAnotherKindIsAnsweredWithThatStepAndBreaksTheChain() {
    Lease caller = leased("caller");
    Reply.Recorded step = as(Reply.Recorded.class, apply(record(caller, "s", "1")));

    List<Reply> replies = batch(start(caller, "s", child("child")), complete(caller, "done"));

    assertThat(replies.getFirst()).isEqualTo(new Reply.Recorded(step.record(), false));
    assertThat(replies.getLast()).isEqualTo(new Reply.Lost());
    assertThat(find("child")).isNull();
  }

  @Test
  @DisplayName("Y12 each incarnation starts a child of its own under the same key")
  void eachIncarnationStartsAChildOfItsOwn() {
    Lease first = leased("caller");
    apply(start(first, "s", child("first child")));
    apply(continueAsNew(first, null));
    Lease second = claimed("caller").lease();

    StepResult started = result(apply(start(second, "s", child("second child"))));

    assertThat(as(StepResult.Started.class, started).executionId()).isEqualTo("second child");
    assertThat(state("first child").key()).isNotEqualTo(state("second child").key());
  }

  @Test
  @DisplayName("S31 a start under a lease that is over starts nothing")
  void aStartUnderALeaseThatIsOverStartsNothing() {
    Lease over = leased("caller");
    apply(handOver(over));

    assertLost(start(over, "s", child("child")), "caller");
    claimed("caller");
    assertLost(start(over, "s", child("child")), "caller");

    assertThat(find("child")).isNull();
  }
}
