package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class CarrierWatchTest {
  private final CapturedLog log = new CapturedLog();
  private final CarrierWatch watch = new CarrierWatch(Duration.ofMillis(50));

  /// Threads that do nothing but hold every carrier there is.
  private static List<Thread> spin(AtomicBoolean spinning) {
    var threads = new ArrayList<Thread>();
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    for (int i = 0; i < carriers; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
                while (spinning.get() && System.nanoTime() < deadline) {
                  Thread.onSpinWait();
                }
              }));
    }
    return threads;
  }

  @Test
  void codeThatSpinsOnEveryCarrierIsNoticedAndSoIsItsEnd() throws Exception {
    var spinning = new AtomicBoolean(true);
    List<Thread> spinners = spin(spinning);
    soon().until(() -> looksUnhealthy());
    assertThat(log.errors()).singleElement().asString().contains("No carrier thread", "spins");

    spinning.set(false);
    soon().until(watch::healthy);
    assertThat(log.warnings()).singleElement().asString().contains("answer again");
    for (Thread spinner : spinners) {
      spinner.join();
    }
    log.close();
  }

  private boolean looksUnhealthy() {
    watch.look();
    return !watch.healthy();
  }

  @Test
  void aWatcherThatWasItselfHeldUpRaisesNoAlarm() {
    watch.look();
    stays(Duration.ofMillis(100), watch::healthy); // nobody looks for two limits
    stays(Duration.ofMillis(100), () -> !looksUnhealthy());
    assertThat(log.errors()).isEmpty();
    log.close();
  }
}
