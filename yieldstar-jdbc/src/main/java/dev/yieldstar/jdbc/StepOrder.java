package dev.yieldstar.jdbc;

import dev.yieldstar.execution.StepRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/// The orders of recorded steps.
final class StepOrder {
  /// As their execution came to them; equal positions by key, by its bytes of UTF-8.
  static final Comparator<StepRecord> BY_POSITION =
      Comparator.comparingInt(StepRecord::position)
          .thenComparingInt(StepRecord::attempt)
          .thenComparing(
              step -> step.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private StepOrder() {}
}
