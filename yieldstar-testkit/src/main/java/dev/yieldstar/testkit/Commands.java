package dev.yieldstar.testkit;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Command.Acknowledgement;
import dev.yieldstar.execution.Command.ReleaseReason;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Commands as the contract sends them: short to write, with defaults for what a test is not about.
final class Commands {
  static final String WORKFLOW = "order";
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration FIRST_REDELIVERY = Duration.ofSeconds(1);
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /* Internal ids and lease ids are random in production. Here they are unique and ascend, so that a
  failed test fails again in the same way. */
  private static final AtomicLong IDS = new AtomicLong(1_000_000);

  private Commands() {}

  static long newId() {
    return IDS.incrementAndGet();
  }

  static Payload payload(String text) {
    return Payload.of((byte) 1, text.getBytes(StandardCharsets.UTF_8));
  }

  static Admission admission(String id) {
    return admission(id, WORKFLOW, "{\"n\":1}");
  }

  /// The fingerprint is the params themselves: equal where they are equal.
  static Admission admission(String id, String workflow, @Nullable String params) {
    return Admission.request(
        newId(),
        id,
        workflow,
        "v1",
        params == null ? null : payload(params),
        params == null ? "none" : params,
        payload("{\"tenant\":\"acme\"}"),
        Map.of());
  }

  /// Without a context: a child takes its caller's.
  static Admission child(String id, String workflow, @Nullable String params) {
    Admission admission = admission(id, workflow, params);
    return Admission.request(
        admission.execution(),
        id,
        workflow,
        "v1",
        admission.params(),
        admission.fingerprint(),
        null,
        Map.of());
  }

  static Admission child(String id) {
    return child(id, "shipment", "{\"child\":true}");
  }

  static Command.Admit admit(Admission admission) {
    return new Command.Admit(admission, Due.NOW, null);
  }

  static Command.Admit admit(Admission admission, Due start) {
    return new Command.Admit(admission, start, null);
  }

  static Command.Admit admitLeased(Admission admission, long leaseId) {
    return new Command.Admit(admission, Due.NOW, new Command.Grant(leaseId, LEASE));
  }

  static Command.RecordStep record(Lease lease, String key, String value) {
    return record(lease, key, 1, new StepEntry.Value(payload(value)));
  }

  static Command.RecordStep record(Lease lease, String key, int attempt, StepEntry entry) {
    return record(lease, key, attempt, StepKind.RUN, entry);
  }

  static Command.RecordStep record(
      Lease lease, String key, int attempt, StepKind kind, StepEntry entry) {
    return new Command.RecordStep(
        lease, key, attempt, 1, kind, "java.lang.String", entry, START, false);
  }

  /// At this place in its journal.
  static Command.RecordStep at(int position, Command.RecordStep record) {
    return new Command.RecordStep(
        record.lease(),
        record.stepKey(),
        record.attempt(),
        position,
        record.kind(),
        record.type(),
        record.entry(),
        record.startedAt(),
        record.shielded());
  }

  static Command.RecordStep shielded(Command.RecordStep record) {
    return new Command.RecordStep(
        record.lease(),
        record.stepKey(),
        record.attempt(),
        record.position(),
        record.kind(),
        record.type(),
        record.entry(),
        record.startedAt(),
        true);
  }

  static Command.RecordStep compensation(Lease lease, String key) {
    return record(lease, key, 1, StepKind.COMPENSATION, new StepEntry.Value(payload("null")));
  }

  static Command.StartChild start(Lease lease, String key, Admission child) {
    return new Command.StartChild(lease, key, 1, START, child, Due.NOW);
  }

  static Command.Acknowledge complete(Lease lease, String result) {
    return new Command.Acknowledge(lease, new Acknowledgement.Completed(payload(result)));
  }

  static Command.Acknowledge fail(Lease lease, String error) {
    return new Command.Acknowledge(lease, new Acknowledgement.Failed(payload(error)));
  }

  static Command.Acknowledge suspend(Lease lease, @Nullable Due until, long wakesSeen) {
    return new Command.Acknowledge(
        lease, new Acknowledgement.Suspended(until, wakesSeen, null, List.of()));
  }

  static Command.Acknowledge suspendAwaiting(Lease lease, long wakesSeen, String... awaited) {
    return new Command.Acknowledge(
        lease, new Acknowledgement.Suspended(null, wakesSeen, "others", List.of(awaited)));
  }

  static Command.Acknowledge continueAsNew(Lease lease, @Nullable String params) {
    return new Command.Acknowledge(
        lease, new Acknowledgement.ContinuedAsNew(params == null ? null : payload(params)));
  }

  static Command.Renew renew(Lease lease) {
    return new Command.Renew(lease, LEASE);
  }

  static Command.Release handOver(Lease lease) {
    return new Command.Release(lease, new ReleaseReason.HandedOver());
  }

  static Command.Release releaseBackend(Lease lease) {
    return new Command.Release(lease, new ReleaseReason.Backend());
  }

  static Command.Release releaseFailed(Lease lease) {
    return new Command.Release(lease, new ReleaseReason.Failed());
  }

  static Command.Release block(Lease lease, @Nullable String version) {
    var why = new Attention("STEP_KIND_CHANGED", "recorded as RUN, asked for as SLEEP", version);
    return new Command.Release(lease, new ReleaseReason.Blocked(why));
  }

  static Command.Wake wake(String id) {
    return new Command.Wake(id);
  }

  static Command.Cancel cancel(String id) {
    return new Command.Cancel(id, "no longer wanted");
  }

  static Due after(Duration delay) {
    return new Due.After(delay);
  }
}
