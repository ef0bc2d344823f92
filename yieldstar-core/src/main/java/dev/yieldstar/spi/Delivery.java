package dev.yieldstar.spi;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.StepRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One attempt to advance an execution, as an invoker gets it.
///
/// @param lease under which everything is written
/// @param state as it was claimed
/// @param journal what its incarnation has recorded, in order
/// @param claimedAt the backend's time of the claim
/// @param signal what it is told while it runs
/// @param slots for waits in place
public record Delivery(
    Lease lease,
    ExecutionState state,
    List<StepRecord> journal,
    Instant claimedAt,
    Signal signal,
    Slots slots) {
  public Delivery {
    journal = List.copyOf(journal);
  }

  public String workflow() {
    return state.admission().workflow();
  }

  public String executionId() {
    return state.id();
  }

  public Optional<Payload> params() {
    return Optional.ofNullable(state.params());
  }

  public Optional<Payload> context() {
    return Optional.ofNullable(state.admission().context());
  }

  /// The slot of a delivery, which it gives up while it waits in place.
  public interface Slots {
    /// Gives the slot up; false if too many wait already, or the engine stops.
    boolean park();

    /// Takes a slot again; false if none is free: then the delivery ends as suspended, due now.
    boolean unpark();
  }
}
