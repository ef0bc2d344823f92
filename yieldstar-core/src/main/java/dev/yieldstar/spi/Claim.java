package dev.yieldstar.spi;

import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One leased execution.
///
/// @param state as the claim left it; null where the backend has a lease but no record, which is
///   logged
/// @param now the backend's time of the claim
public record Claim(Lease lease, @Nullable ExecutionState state, Instant now) {

  public Optional<ExecutionState> execution() {
    return Optional.ofNullable(state);
  }
}
