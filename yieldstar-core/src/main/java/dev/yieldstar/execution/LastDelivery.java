package dev.yieldstar.execution;

/// How the last delivery of a live execution ended.
public enum LastDelivery {
  /// There was none.
  NONE,
  /// It acknowledged a suspension or a continuation.
  ACKNOWLEDGED,
  /// It was handed over in order.
  HANDED_OVER,
  /// It was given back since the backend had failed.
  BACKEND,
  /// It ended without an outcome.
  FAILED,
  /// It could not go on with what is recorded.
  BLOCKED,
  /// Its lease passed.
  LEASE_PASSED
}
