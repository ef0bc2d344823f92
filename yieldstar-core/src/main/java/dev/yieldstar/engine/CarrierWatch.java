package dev.yieldstar.engine;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees whether virtual threads still get to run. Code that spins or blocks natively holds a
/// carrier thread; when none answers within the limit, nothing more is claimed here until one does.
final class CarrierWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CarrierWatch.class);
  static final Duration LIMIT = Duration.ofSeconds(5);

  private final Duration limit;
  private volatile long askedAt = System.nanoTime();
  private volatile boolean asked;
  private volatile boolean starved;

  CarrierWatch(Duration limit) {
    this.limit = limit;
  }

  /// Asks again, or judges the time since the last question. Called about once a second by one
  /// thread.
  void look() {
    if (!asked) {
      asked = true;
      askedAt = System.nanoTime();
      Thread.ofVirtual().name("yieldstar-carrier-watch").start(this::answer);
      return;
    }
    if (!starved && System.nanoTime() - askedAt > limit.toNanos()) {
      starved = true;
      LOG.error(
          "No carrier thread has answered for {}: some code spins, or blocks in native code. Nothing more is claimed here until one answers; what blocks is in a thread dump.",
          limit);
    }
  }

  private void answer() {
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
