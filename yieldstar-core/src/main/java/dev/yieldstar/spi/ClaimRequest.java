package dev.yieldstar.spi;

import dev.yieldstar.execution.Lease;
import java.time.Duration;
import java.util.Set;

/// Asks for leases on what is due.
///
/// @param workflows names of those registered here; nothing else is claimed
/// @param limit at most so many
/// @param leaseId random, made for this claim
/// @param duration how long each lease lasts unless renewed
/// @param delivering internal ids that this process is still delivering: not claimed
/// @param takeOver whether leases that have passed may be taken over
/// @param suspect whether one execution whose last deliveries all passed their lease may be among
///   them
public record ClaimRequest(
    Set<String> workflows,
    int limit,
    long leaseId,
    Duration duration,
    Set<Long> delivering,
    boolean takeOver,
    boolean suspect) {
  public ClaimRequest {
    workflows = Set.copyOf(workflows);
    delivering = Set.copyOf(delivering);
    if (limit < 1) {
      throw new IllegalArgumentException("a claim asks for at least one execution, not " + limit);
    }
    if (leaseId == Lease.NONE) {
      throw new IllegalArgumentException("0 stands for no lease");
    }
  }
}
