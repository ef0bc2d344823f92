package dev.yieldstar.engine;

import java.time.Duration;
import java.time.Instant;

/// The backend's time as a delivery knows it: what the claim said, and the monotonic time since.
/// The node's own clock has no part in it.
record BackendTime(Instant claimedAt, long nanos) {
  static BackendTime at(Instant claimedAt) {
    return new BackendTime(claimedAt, System.nanoTime());
  }

  Instant now() {
    return claimedAt.plusNanos(System.nanoTime() - nanos);
  }

  /// How long until then; zero or less if it is past. Cut to a century.
  Duration until(Instant instant) {
    Instant far = now().plus(Duration.ofDays(36_500));
    return Duration.between(now(), instant.isAfter(far) ? far : instant);
  }
}
