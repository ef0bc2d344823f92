package dev.yieldstar.engine;

import java.time.Duration;
import java.util.function.IntConsumer;

/// Keeps the log readable while something fails again and again: one line a period, with how many
/// were left out. Used by several threads; a line too many in a race does no harm.
final class LogPeriod {
  private final Duration period;
  private volatile long nextNanos = System.nanoTime();
  private volatile int suppressed;

  LogPeriod() {
    this(Duration.ofSeconds(10));
  }

  LogPeriod(Duration period) {
    this.period = period;
  }

  void log(IntConsumer line) {
    long now = System.nanoTime();
    if (now - nextNanos < 0) {
      suppressed = suppressed + 1;
      return;
    }
    nextNanos = now + period.toNanos();
    int count = suppressed;
    suppressed = 0;
    line.accept(count);
  }
}
