package dev.yieldstar.execution;

import java.time.Instant;

/// The end of an execution; never replaced.
///
/// @param token of the lease that acknowledged it, 0 where none did: a repeated acknowledgement is
///   known by it for good
/// @param leaseId likewise
public record Terminal(Outcome outcome, Instant finishedAt, long token, long leaseId) {
  boolean acknowledgedBy(Lease lease) {
    return token == lease.token() && leaseId == lease.id();
  }
}
