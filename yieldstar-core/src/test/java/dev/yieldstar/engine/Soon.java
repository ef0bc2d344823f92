package dev.yieldstar.engine;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ConditionFactory;

/// What is to come about without anybody telling when.
final class Soon {
  private Soon() {}

  /// Waits until something is so, and fails after ten seconds.
  static ConditionFactory soon() {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofSeconds(10));
  }

  /// Sees that something stays so for a tenth of a second.
  static ConditionFactory forAWhile() {
    return soon().during(Duration.ofMillis(100));
  }
}
