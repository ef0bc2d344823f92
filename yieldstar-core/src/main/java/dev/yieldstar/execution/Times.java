package dev.yieldstar.execution;

import java.time.Duration;
import java.time.Instant;

/// Time as backends keep it: whole milliseconds. A due time is rounded up, so that nothing wakes
/// early.
public final class Times {
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

  private Times() {}

  /// The first millisecond that is not before `instant`; what lies beyond the range of a long is
  /// cut to it.
  public static Instant roundedUp(Instant instant) {
    if (!instant.isBefore(LATEST)) {
      return LATEST;
    }
    if (!instant.isAfter(EARLIEST)) {
      return EARLIEST;
    }
    Instant floor = Instant.ofEpochMilli(instant.toEpochMilli());
    return floor.isBefore(instant) ? floor.plusMillis(1) : floor;
  }

  /// `instant` plus `duration`, rounded up; a sum beyond the range is cut to it.
  public static Instant plus(Instant instant, Duration duration) {
    try {
      return roundedUp(instant.plus(duration));
    } catch (ArithmeticException | java.time.DateTimeException e) {
      return duration.isNegative() ? EARLIEST : LATEST;
    }
  }
}
