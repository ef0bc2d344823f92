package dev.yieldstar.engine;

import java.time.Duration;

/// Durations as nanoseconds, where anything beyond 292 years is that long.
final class Clamped {
  private Clamped() {}

  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
