package dev.yieldstar.engine;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees whether virtual threads still get to run. Code that spins or blocks natively holds a
/// carrier thread; when none answers for five seconds, nothing more is claimed here until one does.
final class CarrierWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CarrierWatch.class);
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(5);

  private volatile long answeredAt = System.nanoTime();
  private volatile boolean asked;
  private volatile boolean starved;

  /// Asks again, and judges the time since the last answer. Called about once a second by one
  /// thread.
  void look() {
    if (!asked) {
      asked = true;
      Thread.ofVirtual().name("yieldstar-carrier-watch").start(this::answer);
      return;
    }
    if (!starved && System.nanoTime() - answeredAt > LIMIT) {
      starved = true;
      LOG.error(
          "No carrier thread has answered for {} s: some code spins, or blocks in native code. Nothing more is claimed here until one answers; what blocks is in a thread dump.",
          TimeUnit.NANOSECONDS.toSeconds(LIMIT));
    }
  }

  private void answer() {
    answeredAt = System.nanoTime();
    asked = false;
    if (starved) {
      starved = false;
      LOG.warn("Carrier threads answer again; claiming goes on");
    }
  }

  boolean healthy() {
    return !starved;
  }
}
