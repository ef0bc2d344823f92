package dev.yieldstar.engine;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
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

  /// Sees that something is so from now on, for a tenth of a second.
  static void stays(Callable<Boolean> so) {
    stays(Duration.ofMillis(100), so);
  }

  static void stays(Duration time, Callable<Boolean> so) {
    soon().during(time).failFast(() -> !so.call()).until(so);
  }
}
