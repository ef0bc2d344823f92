package dev.yieldstar.execution;

import dev.yieldstar.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a backend answers to a [Command]. A refused command is a reply, not an exception, and
/// changes nothing.
public sealed interface Reply {
  /// The code of [Refused] where another execution has the internal id: try another one.
  String INTERNAL_ID_TAKEN = "INTERNAL_ID_TAKEN";

  /// The execution exists: made by this command, or an equal one that was there before.
  ///
  /// @param execution its internal id
  /// @param created whether this command made it
  /// @param lease the lease that it was born with, as long as that is current
  /// @param now the backend's time
  record Admitted(long execution, String id, boolean created, @Nullable Lease lease, Instant now)
      implements Reply {}

  /// What is recorded under the step's key and attempt.
  ///
  /// @param asSent false where another value was recorded before: this breaks the chain
  record Recorded(StepRecord record, boolean asSent) implements Reply {}

  /// The lease lasts until then, unless something else ends it.
  record Renewed(Instant until, Standing standing) implements Reply {}

  /// The lease has ended with this acknowledgement. `end` is there where the execution has ended
  /// too.
  record Acknowledged(@Nullable Terminal end) implements Reply {}

  record Released() implements Reply {}

  /// The lease is not current, or the chain is broken: nothing was changed.
  record Lost() implements Reply {}

  /// Refused since a cancellation was accepted.
  record CancelledBefore(String reason) implements Reply {}

  /// Done, or done before.
  record Done() implements Reply {}

  /// The cancellation is accepted; the execution ends as cancelled once its delivery has ended.
  record CancelAccepted() implements Reply {}

  /// The execution had ended as this.
  record Finished(Status status) implements Reply {}

  record NotFound(String executionId) implements Reply {}

  /// Refused for what it asks, with a stable code.
  record Refused(String code, String message) implements Reply {}

  /// Whether every later command of the same chain is lost.
  default boolean breaksChain() {
    return switch (this) {
      case Lost ignored -> true;
      case Recorded(var ignored, var asSent) -> !asSent;
      case Admitted ignored -> false;
      case Renewed ignored -> false;
      case Acknowledged ignored -> false;
      case Released ignored -> false;
      case CancelledBefore ignored -> false;
      case Done ignored -> false;
      case CancelAccepted ignored -> false;
      case Finished ignored -> false;
      case NotFound ignored -> false;
      case Refused ignored -> false;
    };
  }
}
