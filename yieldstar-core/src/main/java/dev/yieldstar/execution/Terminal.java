package dev.yieldstar.execution;

import java.time.Instant;

/// The end of an execution; never replaced.
///
/// @param token of the last lease that was acknowledged, 0 where none was: a repeated
///   acknowledgement is known by it for good
/// @param leaseId likewise
public record Terminal(Outcome outcome, Instant finishedAt, long token, long leaseId) {}
