package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What deliveries record.
abstract class RecordsContract extends Bench {
  RecordsContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("G2 a record is kept with all that was sent, and answered with it")
  void aRecordIsKeptWithAllThatWasSent() {
    Lease lease = leased("a");
    passes(Duration.ofSeconds(3));
    var value = payload("\"paid\"");
    Instant began = now().minusSeconds(2);

    Reply reply =
        apply(
            new Command.RecordStep(
                lease,
                "charge",
                3,
                7,
                StepKind.RUN,
                "shop.Receipt",
                new StepEntry.Value(value),
                began,
                false));

    var expected =
        new StepRecord(
            "charge",
            3,
            7,
            StepKind.RUN,
            "shop.Receipt",
            new StepResult.Value(value),
            began,
            now());
    assertThat(reply).isEqualTo(new Reply.Recorded(expected, true));
    assertThat(journal("a")).containsExactly(expected);
  }

  @Test
  void everyKindOfResultIsKept() {
    Lease lease = leased("a");
    Instant at = now().plusSeconds(90);
    List<StepEntry> entries =
        List.of(
            new StepEntry.Value(payload("1")),
            new StepEntry.Error(payload("{\"e\":1}")),
            new StepEntry.Retry(payload("{\"e\":2}"), after(Duration.ofSeconds(90))),
            new StepEntry.Retry(null, new Due.At(at)),
            new StepEntry.Wait(new Due.At(at)),
            new StepEntry.Wait(after(Duration.ofSeconds(90))));
    for (int i = 0; i < entries.size(); i++) {
      apply(record(lease, "s" + i, 1, entries.get(i)));
    }

    assertThat(journal("a"))
        .extracting(StepRecord::result)
        .containsExactly(
            new StepResult.Value(payload("1")),
            new StepResult.Error(payload("{\"e\":1}")),
            new StepResult.Retry(payload("{\"e\":2}"), at),
            new StepResult.Retry(null, at),
            new StepResult.Wait(at),
            new StepResult.Wait(at));
  }

  @Test
  void everyKindOfStepIsKept() {
    Lease lease = leased("a");
    for (StepKind kind : StepKind.values()) {
      apply(record(lease, kind.name(), 1, kind, new StepEntry.Value(payload("1"))));
    }

    assertThat(journal("a"))
        .hasSize(StepKind.values().length)
        .allSatisfy(step -> assertThat(step.kind()).isEqualTo(StepKind.valueOf(step.key())));
  }

  @Test
  @DisplayName("G2 a repeated record is answered with the first")
  void aRepeatedRecordIsAnsweredWithTheFirst() {
    Lease lease = leased("a");
    Reply first = apply(record(lease, "s", "1"));
    List<Object> before = dump("a");
    passes(Duration.ofSeconds(5));

    assertThat(apply(record(lease, "s", "1"))).isEqualTo(first);
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  @DisplayName("Y04 a repeated wait is answered with the time that was recorded first")
  void aRepeatedWaitIsAnsweredWithTheFirstTime() {
    Lease lease = leased("a");
    StepEntry sleep = new StepEntry.Wait(after(Duration.ofSeconds(10)));
    Instant wake = now().plusSeconds(10);
    apply(record(lease, "sleep", 1, StepKind.SLEEP, sleep));
    passes(Duration.ofSeconds(5));

    Reply.Recorded again =
        as(Reply.Recorded.class, apply(record(lease, "sleep", 1, StepKind.SLEEP, sleep)));

    assertThat(again.asSent()).isTrue();
    assertThat(again.record().result()).isEqualTo(new StepResult.Wait(wake));
  }

  @Test
  @DisplayName("Y03 a repeated retry is answered with the time that was recorded first")
  void aRepeatedRetryIsAnsweredWithTheFirstTime() {
    Lease lease = leased("a");
    StepEntry retry = new StepEntry.Retry(payload("e"), after(Duration.ofSeconds(10)));
    Reply first = apply(record(lease, "s", 1, retry));
    passes(Duration.ofSeconds(5));

    assertThat(apply(record(lease, "s", 1, retry))).isEqualTo(first);
    Reply other = apply(record(lease, "s", 1, new StepEntry.Retry(payload("other"), Due.NOW)));
    assertThat(as(Reply.Recorded.class, other).asSent()).isFalse();
  }

  @Test
  @DisplayName("G2 the first record of a key and attempt wins")
  void theFirstRecordWins() {
    Lease lease = leased("a");
    StepRecord first = as(Reply.Recorded.class, apply(record(lease, "s", "1"))).record();

    List<Command> others =
        List.of(
            record(lease, "s", "2"),
            record(lease, "s", 1, new StepEntry.Error(payload("1"))),
            record(lease, "s", 1, new StepEntry.Retry(payload("1"), Due.NOW)),
            record(lease, "s", 1, new StepEntry.Wait(Due.NOW)),
            record(lease, "s", 1, StepKind.POLL, new StepEntry.Value(payload("1"))));
    for (Command other : others) {
      assertThat(apply(other)).isEqualTo(new Reply.Recorded(first, false));
    }
    assertThat(journal("a")).containsExactly(first);
  }

  @Test
  @DisplayName("Y03 each attempt has a record of its own")
  void eachAttemptHasARecordOfItsOwn() {
    Lease lease = leased("a");
    var retry = new StepEntry.Retry(payload("e"), after(Duration.ofSeconds(1)));
    apply(record(lease, "s", 1, retry));
    apply(record(lease, "s", 2, retry));
    apply(record(lease, "s", 3, new StepEntry.Value(payload("ok"))));

    assertThat(journal("a")).extracting(StepRecord::attempt).containsExactly(1, 2, 3);
    assertThat(journal("a").getLast().result()).isEqualTo(new StepResult.Value(payload("ok")));
  }

  @Test
  void twoExecutionsMayHaveTheSameKey() {
    Lease a = leased("a");
    Lease b = leased("b");

    batch(record(a, "s", "1"), record(b, "s", "2"));

    assertThat(journal("a").getFirst().result()).isEqualTo(new StepResult.Value(payload("1")));
    assertThat(journal("b").getFirst().result()).isEqualTo(new StepResult.Value(payload("2")));
  }

  @Test
  void aRecordSurvivesItsDelivery() {
    Lease first = leased("a");
    apply(record(first, "s", "1"));
    leasePasses();
    Lease second = claimed("a").lease();

    assertThat(journal("a")).hasSize(1);
    Reply.Recorded again = as(Reply.Recorded.class, apply(record(second, "s", "1")));
    assertThat(again.asSent()).isTrue();
  }

  @Test
  void aRecordResetsWhatCountedAgainstItsExecution() {
    admitted("a");
    for (int i = 1; i <= 3; i++) {
      apply(releaseFailed(claimed("a").lease()));
      assertThat(run("a").unacknowledged()).isEqualTo(i);
      leasePasses();
    }
    Lease lease = claimed("a").lease();

    apply(record(lease, "s", "1"));

    assertThat(run("a").unacknowledged()).isZero();
    apply(releaseFailed(lease));
    assertThat(run("a").at()).isEqualTo(now().plus(FIRST_REDELIVERY));
  }

  @Test
  void aStartResetsWhatCountedAgainstItsExecutionToo() {
    apply(releaseFailed(leased("a")));
    leasePasses();
    Lease lease = claimed("a").lease();

    apply(start(lease, "s", child("child")));

    assertThat(run("a").unacknowledged()).isZero();
  }

  @Test
  void aRecordTakesOffTheNeedForAttention() {
    apply(block(leased("a"), "v1"));
    assertThat(run("a").attention()).isNotNull();
    passes(Duration.ofMinutes(10));
    Lease lease = claimed("a").lease();
    assertThat(run("a").attention()).as("until something is recorded").isNotNull();

    apply(record(lease, "s", "1"));

    assertThat(run("a").attention()).isNull();
  }

  @Test
  void aRepeatedRecordChangesNothingThatCounts() {
    Lease first = leased("a");
    apply(record(first, "s", "1"));
    apply(releaseFailed(first));
    leasePasses();
    Lease second = claimed("a").lease();

    apply(record(second, "s", "1"));

    assertThat(run("a").unacknowledged()).isEqualTo(1);
  }

  @Test
  void aRegisteredCompensationIsCounted() {
    Lease lease = leased("a");
    apply(compensation(lease, "undo 1"));
    apply(compensation(lease, "undo 2"));
    apply(compensation(lease, "undo 2"));

    assertThat(run("a").compensations()).isEqualTo(2);
  }

  @Test
  void manyRecordsInOneBatchAreAllKept() {
    Lease lease = leased("a");
    var commands = new ArrayList<Command>();
    for (int i = 0; i < 300; i++) {
      commands.add(record(lease, "s" + i, "" + i));
    }

    List<Reply> replies = backend.commit(commands);

    for (int i = 0; i < 300; i++) {
      assertThat(result(replies.get(i))).isEqualTo(new StepResult.Value(payload("" + i)));
    }
    assertThat(journal("a")).hasSize(300);
  }
}
