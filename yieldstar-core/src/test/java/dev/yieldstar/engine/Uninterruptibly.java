package dev.yieldstar.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waits of scripts, bounded so that no failing test hangs.
final class Uninterruptibly {
  private Uninterruptibly() {}

  static void await(CountDownLatch latch) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    try {
      while (true) {
        try {
          if (latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return;
          }
          throw new AssertionError("a script waited for too long");
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
