package dev.yieldstar.execution;

import dev.yieldstar.codec.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What can be asked of a backend. Every command is idempotent under its identity, so that a batch
/// whose commit is uncertain can be sent again; each is answered by a [Reply].
public sealed interface Command {

  /// About how many bytes it takes in a batch.
  default int size() {
    return 256;
  }

  /// A command that changes something only while its lease is current.
  sealed interface Fenced extends Command {
    Lease lease();
  }

  /// A command of a delivery's chain: once one of them is refused as lost, or a record is answered
  /// with another value, every later one of the same lease answers [Reply.Lost].
  sealed interface Chained extends Fenced {}

  /// Accepts a new execution. Known by its id; the internal id tells whose it is.
  ///
  /// @param grant makes it born leased; ignored where it starts later
  record Admit(Admission admission, Due start, @Nullable Grant grant) implements Command {
    @Override
    public int size() {
      return 512 + sizeOf(admission.params()) + sizeOf(admission.context());
    }
  }

  /// A lease for the process that admits.
  record Grant(long leaseId, Duration duration) {}

  /// Starts another execution and records that as a step. Known by (execution, incarnation, step
  /// key).
  record StartChild(
      Lease lease, String stepKey, int position, Instant startedAt, Admission child, Due start)
      implements Chained {
    @Override
    public int size() {
      return 768 + sizeOf(child.params()) + sizeOf(child.context());
    }

    String request() {
      return child.workflow() + " " + child.fingerprint();
    }
  }

  /// Records an attempt of a step. Known by (execution, incarnation, key, attempt).
  ///
  /// @param shielded passes although a cancellation was accepted
  record RecordStep(
      Lease lease,
      String stepKey,
      int attempt,
      int position,
      StepKind kind,
      String type,
      StepEntry entry,
      Instant startedAt,
      boolean shielded)
      implements Chained {
    @Override
    public int size() {
      return 256 + entry.size();
    }

    boolean isRecordedAs(StepRecord record) {
      return record.kind() == kind && entry.isRecordedAs(record.result());
    }
  }

  /// Ends the lease with what the delivery came to.
  record Acknowledge(Lease lease, Acknowledgement acknowledgement) implements Chained {
    @Override
    public int size() {
      return 256 + acknowledgement.size();
    }
  }

  /// How a delivery ended in order.
  sealed interface Acknowledgement {
    record Completed(Payload result) implements Acknowledgement {}

    record Failed(Payload error) implements Acknowledgement {}

    /// Not over: to be delivered again.
    ///
    /// @param until when at the latest; null: only a wake does it
    /// @param wakesSeen the wakes that its claim told of; if there are others now, it is due now
    /// @param waitingFor for people
    /// @param awaited ids of executions whose end wakes it
    record Suspended(
        @Nullable Due until, long wakesSeen, @Nullable String waitingFor, List<String> awaited)
        implements Acknowledgement {
      public Suspended {
        awaited = List.copyOf(awaited);
      }
    }

    /// The next incarnation begins, with an empty journal.
    record ContinuedAsNew(@Nullable Payload params) implements Acknowledgement {}

    default int size() {
      return switch (this) {
        case Completed(var result) -> result.size();
        case Failed(var error) -> error.size();
        case Suspended ignored -> 0;
        case ContinuedAsNew(var params) -> sizeOf(params);
      };
    }
  }

  /// Prolongs the lease, also one whose time has passed, as long as nobody has claimed since.
  record Renew(Lease lease, Duration duration) implements Fenced {}

  /// Ends the lease without an outcome.
  record Release(Lease lease, ReleaseReason reason) implements Fenced {}

  /// Why a lease is given back.
  sealed interface ReleaseReason {
    /// In order: due now, not counted.
    record HandedOver() implements ReleaseReason {}

    /// The backend failed: due after the redelivery delay, not counted.
    record Backend() implements ReleaseReason {}

    /// The delivery failed without an outcome: due after the redelivery delay, counted.
    record Failed() implements ReleaseReason {}

    /// It can't go on with what is recorded: needs attention, due in ten minutes.
    record Blocked(Attention why) implements ReleaseReason {}
  }

  /// Asks that an execution be delivered again.
  record Wake(String executionId) implements Command {}

  record Cancel(String executionId, String reason) implements Command {}

  record Pause(String executionId) implements Command {}

  record Resume(String executionId) implements Command {}

  /// A process has registered this definition version: what was blocked under another is due now.
  record Registered(String workflow, String version) implements Command {}

  /// A new execution with the journal of another one, up to the first record of a step.
  ///
  /// @param fromStep the first step that is not copied; null: all are
  record Fork(String sourceId, long execution, String id, @Nullable String fromStep)
      implements Command {}

  /// A finished execution again, from where it failed, as a new one.
  record Retry(String sourceId, long execution, String id) implements Command {}

  private static int sizeOf(@Nullable Payload payload) {
    return payload == null ? 0 : payload.size();
  }
}
