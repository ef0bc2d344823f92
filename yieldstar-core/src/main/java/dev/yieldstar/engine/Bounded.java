package dev.yieldstar.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Waits that end in time whatever happens, and that an interrupt does not cut short: it is kept
/// for whoever comes after. What closes an engine must not be left half done.
final class Bounded {
  private Bounded() {}

  /// A wait of at most so many nanoseconds; false if the time ran out.
  interface Wait {
    boolean await(long nanos) throws InterruptedException;
  }

  /// Whether the wait ended before the limit did.
  static boolean await(Wait wait, Duration limit) {
    boolean interrupted = false;
    long began = System.nanoTime();
    long whole = Clamped.nanos(limit);
    try {
      while (true) {
        try {
          return wait.await(Math.max(0, whole - (System.nanoTime() - began)));
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

  /// Whether the thread ended before the limit did.
  static boolean join(Thread thread, Duration limit) {
    return await(
        nanos -> {
          TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
          return !thread.isAlive();
        },
        limit);
  }
}
