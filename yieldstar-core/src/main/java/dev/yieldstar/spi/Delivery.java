package dev.yieldstar.spi;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import java.time.Instant;
import java.util.Optional;

/// One attempt to advance an execution, as an invoker gets it.
///
/// @param lease under which everything is written
/// @param state as it was claimed
/// @param claimedAt the backend's time of the claim
/// @param signal tells it to stop
/// @param slots where it waits in place without holding a slot
public record Delivery(
    Lease lease, ExecutionState state, Instant claimedAt, Signal signal, Slots slots) {

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

  /// The slot of a delivery while it waits in place.
  public interface Slots {
    /// Gives the slot up for a wait in place; false if too many wait already, or the engine is
    /// stopping.
    boolean park();

    /// Takes a slot again; false if none is free: then the delivery ends as suspended, due now.
    boolean unpark();
  }
}
