package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.ParentLink;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// That what is kept comes back exactly: ids and keys, bytes, numbers, times.
abstract class ValuesContract extends Bench {
  /// All distinct; several are equal to another one under some collation, trimming or folding.
  private static final List<String> ODD =
      List.of(
          "K",
          "k",
          "\u212A",
          "na\u00EFve",
          "nai\u0308ve",
          "stra\u00DFe",
          "strasse",
          "STRASSE",
          "i",
          "\u0131",
          "trailing",
          "trailing ",
          "trailing  ",
          " trailing",
          "tab\t",
          "line\n",
          "line\r\n",
          "a/b?c#d%00",
          "%",
          "_",
          "%25",
          "'; DROP TABLE execution; --",
          "\"quoted\"",
          "back\\slash",
          "$1",
          "?",
          ":name",
          "0",
          "00",
          "0.0",
          "1e3",
          "null",
          "true",
          "\u200B",
          "\uFEFF",
          "\u0001",
          "\u007F",
          "emoji \uD83D\uDE00",
          "emoji \uD83D\uDE01",
          "family \uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
          "\u65E5\u672C\u8A9E",
          "\u05E2\u05D1\u05E8\u05D9\u05EA",
          "x".repeat(255),
          "x".repeat(254) + "y",
          "\uD83D\uDE00".repeat(127),
          "\uFFFF");

  ValuesContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("DET-07 odd execution ids are distinct and come back exactly")
  void oddExecutionIdsAreDistinct() {
    List<Command> admissions = new ArrayList<>();
    for (String id : ODD) {
      admissions.add(admit(admission(id)));
    }

    for (Reply reply : backend.commit(admissions)) {
      assertThat(as(Reply.Admitted.class, reply).created()).isTrue();
    }

    for (String id : ODD) {
      assertThat(state(id).id()).isEqualTo(id);
      apply(wake(id));
      assertThat(run(id).wakes()).isEqualTo(1);
    }
    assertThat(claimedIds()).containsExactlyInAnyOrderElementsOf(ODD);
    for (String id : ODD) {
      apply(
          complete(
              backend.claimed(run(id).leaseId()).stream()
                  .filter(claim -> claim.execution().orElseThrow().id().equals(id))
                  .findFirst()
                  .orElseThrow()
                  .lease(),
              id));
    }
    assertThat(backend.ends(ODD)).containsOnlyKeys(ODD);
    ODD.forEach(id -> assertThat(backend.ends(List.of(id))).containsEntry(id, state(id).ended()));
  }

  @Test
  @DisplayName("DET-07 odd step keys are distinct and come back exactly")
  void oddStepKeysAreDistinct() {
    Lease lease = leased("a");
    List<Command> records = new ArrayList<>();
    for (String key : ODD) {
      records.add(record(lease, key, key));
    }
    backend.commit(records);

    assertThat(journal("a"))
        .hasSameSizeAs(ODD)
        .allSatisfy(
            step -> assertThat(step.result()).isEqualTo(new StepResult.Value(payload(step.key()))));
    assertThat(journal("a")).extracting(StepRecord::key).containsExactlyInAnyOrderElementsOf(ODD);
    assertThat(rows(1, new Incarnation(lease.execution(), 1))).hasSameSizeAs(ODD);
    for (String key : ODD) {
      Reply.Recorded again = as(Reply.Recorded.class, apply(record(lease, key, key)));
      assertThat(again.asSent()).as(key).isTrue();
    }
  }

  @Test
  @DisplayName("DET-07 odd workflow names are distinct")
  void oddWorkflowNamesAreDistinct() {
    for (int i = 0; i < ODD.size(); i++) {
      admitted(admission("e" + i, ODD.get(i), null));
    }

    for (int i = 0; i < ODD.size(); i++) {
      String name = ODD.get(i);
      assertThat(claimedIds(asking -> asking.withWorkflows(name))).containsExactly("e" + i);
      assertThat(state("e" + i).admission().workflow()).isEqualTo(name);
    }
  }

  @Test
  @DisplayName("DET-07 odd texts elsewhere come back exactly")
  void oddTextsElsewhereComeBackExactly() {
    for (String odd : ODD) {
      String id = "a" + ODD.indexOf(odd);
      admitted(Admission.request(newId(), id, WORKFLOW, odd, null, odd, null, Map.of(odd, odd)));
      Lease lease = claimed(id).lease();
      apply(start(lease, odd, child("child of " + id)));
      apply(block(lease, odd));
      assertThat(state(id).admission().version()).isEqualTo(odd);
      assertThat(state(id).admission().fingerprint()).isEqualTo(odd);
      assertThat(state(id).admission().attributes()).isEqualTo(Map.of(odd, odd));
      assertThat(run(id).attention())
          .isEqualTo(
              new Attention("STEP_KIND_CHANGED", "recorded as RUN, asked for as SLEEP", odd));
      assertThat(state("child of " + id).admission().parent()).isEqualTo(new ParentLink(id, odd));
      apply(new Command.Cancel(id, odd));
      assertThat(state(id).ended().outcome()).isEqualTo(new Outcome.Cancelled(odd));
    }
  }

  static List<byte[]> bodies() {
    var every = new byte[256];
    for (int i = 0; i < 256; i++) {
      every[i] = (byte) i;
    }
    var large = new byte[1 << 20];
    new Random(42).nextBytes(large);
    return List.of(new byte[0], new byte[] {0}, new byte[] {0, 0, 'a', 0}, every, large);
  }

  @ParameterizedTest
  @MethodSource("bodies")
  @DisplayName("S07 payload bytes come back exactly, wherever they are kept")
  void payloadBytesComeBackExactly(byte[] body) {
    Payload payload = Payload.of((byte) -3, body);
    admitted(Admission.request(newId(), "a", WORKFLOW, null, payload, "f", payload, Map.of()));
    Claim claim = claimed("a");
    Lease lease = claim.lease();

    assertThat(claim.execution().orElseThrow().params()).isEqualTo(payload);
    assertThat(state("a").params()).isEqualTo(payload);
    assertThat(state("a").admission().context()).isEqualTo(payload);
    apply(record(lease, "value", 1, new StepEntry.Value(payload)));
    apply(record(lease, "error", 1, new StepEntry.Error(payload)));
    apply(record(lease, "retry", 1, new StepEntry.Retry(payload, Due.NOW)));
    assertThat(journal("a"))
        .extracting(StepRecord::result)
        .containsExactly(
            new StepResult.Error(payload),
            new StepResult.Retry(payload, now()),
            new StepResult.Value(payload));
    apply(new Command.Acknowledge(lease, new Command.Acknowledgement.ContinuedAsNew(payload)));
    assertThat(state("a").params()).isEqualTo(payload);
    Lease next = claimed("a").lease();
    apply(new Command.Acknowledge(next, new Command.Acknowledgement.Completed(payload)));
    assertThat(state("a").ended().outcome()).isEqualTo(new Outcome.Completed(payload));
  }

  @Test
  @DisplayName("S08 attributes keep their order")
  void attributesKeepTheirOrder() {
    var attributes = new LinkedHashMap<String, String>();
    for (String key : List.of("z", "a", "m", "Z", "0", "\u00E9")) {
      attributes.put(key, "of " + key);
    }
    admitted(Admission.request(newId(), "a", WORKFLOW, null, null, "f", null, attributes));

    assertThat(state("a").admission().attributes().entrySet())
        .containsExactlyElementsOf(attributes.entrySet());
  }

  @Test
  @DisplayName("S08 a missing context stays missing")
  void aMissingContextStaysMissing() {
    admitted(Admission.request(newId(), "a", WORKFLOW, null, null, "f", null, Map.of()));

    assertThat(state("a").admission().context()).isNull();
    assertThat(state("a").admission().version()).isNull();
    assertThat(state("a").admission().attributes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9999-12-31T23:59:59.999Z",
        "+10000-01-01T00:00:00Z",
        "+292278994-08-17T07:12:55.807Z",
        "+1000000000-12-31T23:59:59.999999999Z"
      })
  @DisplayName("TIM-01 far instants are kept, and nothing else is late for them")
  void farInstantsAreKept(String text) {
    Instant far = Instant.parse(text);
    Instant kept = far.isAfter(LATEST) ? LATEST : far;
    Lease lease = leased("a");
    apply(record(lease, "sleep", 1, new StepEntry.Wait(new Due.At(far))));
    apply(suspend(lease, new Due.At(far), 0));
    apply(admit(admission("b"), new Due.At(far)));
    apply(admit(admission("c"), after(Duration.ofMillis(50))));

    assertThat(run("a").at()).isEqualTo(kept);
    assertThat(run("b").at()).isEqualTo(kept);
    assertThat(journal("a").getFirst().result()).isEqualTo(new StepResult.Wait(kept));
    assertThat(claim().nextDue()).contains(now().plusMillis(50));
    passes(Duration.ofMillis(50));
    assertThat(claimedIds()).containsExactly("c");
    passes(Duration.ofDays(365_000));
    assertThat(claimedIds(asking -> asking.withoutTakeOver())).isEmpty();
    apply(wake("a"));
    assertThat(claimedIds(asking -> asking.withoutTakeOver())).containsExactly("a");
  }

  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  @Test
  @DisplayName("TIM-01 far delays are cut to the latest time there is")
  void farDelaysAreCut() {
    Lease lease = leased("a");

    apply(suspend(lease, after(Duration.ofSeconds(Long.MAX_VALUE)), 0));
    apply(admit(admission("b"), after(Duration.ofDays(365L * 300))));

    assertThat(run("a").at()).isEqualTo(LATEST);
    assertThat(run("b").at()).isEqualTo(now().plus(Duration.ofDays(365L * 300)));
  }

  @Test
  @DisplayName("TIM-05 times long past are kept too")
  void timesLongPastAreKept() {
    apply(admit(admission("a"), new Due.At(Instant.MIN)));
    apply(admit(admission("b"), new Due.At(Instant.parse("1969-12-31T23:59:59.999Z"))));

    assertThat(run("b").at()).isEqualTo(Instant.ofEpochMilli(-1));
    assertThat(claimedIds()).containsExactly("a", "b");
  }

  @Test
  @DisplayName("TIM-04 a due time is rounded up to milliseconds, so that nothing wakes early")
  void aDueTimeIsRoundedUp() {
    clock.set(Instant.parse("2026-01-01T00:00:00.123456789Z"));
    Lease lease = leased("a");
    Instant until = Instant.parse("2026-01-01T00:00:01.000000001Z");

    Reply.Recorded recorded =
        as(
            Reply.Recorded.class,
            apply(record(lease, "sleep", 1, new StepEntry.Wait(new Due.At(until)))));
    apply(suspend(lease, new Due.At(until), 0));

    Instant up = Instant.parse("2026-01-01T00:00:01.001Z");
    assertThat(recorded.record().result()).isEqualTo(new StepResult.Wait(up));
    assertThat(recorded.record().recordedAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00.123Z"));
    assertThat(run("a").at()).isEqualTo(up);
    clock.set(Instant.parse("2026-01-01T00:00:01.000999999Z"));
    assertThat(claimedIds()).isEmpty();
    clock.set(up);
    assertThat(claimedIds()).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 1, Long.MAX_VALUE})
  void internalIdsAndLeaseIdsAreAnyNumbers(long number) {
    Admission admission = Admission.request(number, "a", WORKFLOW, null, null, "f", null, Map.of());
    Reply.Admitted born = as(Reply.Admitted.class, apply(admitLeased(admission, number)));

    assertThat(born.lease()).isEqualTo(new Lease(number, 1, 1, number));
    Lease lease = bornWith(born);
    apply(record(lease, "s", "1"));
    assertThat(backend.claimed(number)).hasSize(1);
    assertThat(journal(number, 1)).hasSize(1);
    apply(suspendAwaiting(leased("waiter"), 0, "a"));
    apply(complete(lease, "done"));
    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  void largeNumbersOfAttemptsAndPositionsAreKept() {
    Lease lease = leased("a");
    var entry = new StepEntry.Retry(null, Due.NOW);

    apply(at(Integer.MAX_VALUE, record(lease, "s", Integer.MAX_VALUE, entry)));

    assertThat(journal("a").getFirst().attempt()).isEqualTo(Integer.MAX_VALUE);
    assertThat(journal("a").getFirst().position()).isEqualTo(Integer.MAX_VALUE);
  }
}
