package dev.yieldstar.execution;

import java.time.Duration;

/// When an execution is delivered again after a delivery that ended without an outcome.
public final class Redelivery {
  /// Deliveries in a row without an outcome and without a record, beyond which one needs attention.
  public static final int BUDGET = 20;

  /// Passed leases in a row after which it is only claimed as the one suspect of a process.
  public static final int SUSPECT_AFTER = 3;

  /// The pause between tries of an execution that needs attention.
  public static final Duration WHEN_BLOCKED = Duration.ofMinutes(10);

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private Redelivery() {}

  /// The pause after the `failures`th delivery in a row without an outcome: 1 s, doubled, up to 1
  /// min; ten minutes beyond the budget.
  public static Duration delay(int failures) {
    if (failures > BUDGET) {
      return WHEN_BLOCKED;
    }
    int doublings = Math.min(Math.max(failures, 1) - 1, 16);
    Duration delay = FIRST.multipliedBy(1L << doublings);
    return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
  }
}
