package dev.yieldstar.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The right to run deliveries here: `concurrency` of them. Each is free, reserved for a claim or a
/// start that is under way, or taken by a delivery. A delivery that waits in place gives its slot
/// up and is only counted. Every move is one atomic action. Thread-safe.
final class Slots {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final int concurrency;
  private final int maxParked;
  private int reserved;
  private int taken;
  private int parked;
  private boolean stopping;

  Slots(int concurrency, int maxParked) {
    this.concurrency = concurrency;
    this.maxParked = maxParked;
  }

  /// Reserves all that are free; how many.
  int reserveAll() {
    lock.lock();
    try {
      int free = free();
      reserved += free;
      return free;
    } finally {
      lock.unlock();
    }
  }

  /// Reserves one for a start; false if none is free, or the engine stops.
  boolean reserveOne() {
    lock.lock();
    try {
      if (stopping || free() < 1) {
        return false;
      }
      reserved++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Turns a reservation into a delivery.
  void take() {
    lock.lock();
    try {
      reserved--;
      taken++;
    } finally {
      lock.unlock();
    }
  }

  /// Gives reservations back.
  void cancel(int number) {
    lock.lock();
    try {
      reserved -= number;
      signalIfIdle();
    } finally {
      lock.unlock();
    }
  }

  /// A delivery has ended. `wasParked` where it held no slot.
  void release(boolean wasParked) {
    lock.lock();
    try {
      if (wasParked) {
        parked--;
      } else {
        taken--;
      }
      signalIfIdle();
    } finally {
      lock.unlock();
    }
  }

  /// A delivery gives its slot up to wait in place; false if too many do, or the engine stops.
  boolean park() {
    lock.lock();
    try {
      if (stopping || parked >= maxParked) {
        return false;
      }
      parked++;
      taken--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// It takes a slot again; false if none is free.
  boolean unpark() {
    lock.lock();
    try {
      if (free() < 1) {
        return false;
      }
      parked--;
      taken++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// From here on nothing is reserved for starts and nothing parks.
  void stopping(boolean now) {
    lock.lock();
    try {
      stopping = now;
    } finally {
      lock.unlock();
    }
  }

  boolean anyFree() {
    lock.lock();
    try {
      return free() > 0;
    } finally {
      lock.unlock();
    }
  }

  /// Deliveries that have begun and not ended, parked ones included.
  int active() {
    lock.lock();
    try {
      return taken + parked;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until nothing is reserved and no delivery is active.
  ///
  /// @return false if the time ran out before
  boolean awaitIdle(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (taken + parked + reserved > 0) {
        if (left <= 0) {
          return false;
        }
        left = idle.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int free() {
    return Math.max(0, concurrency - taken - reserved);
  }

  private void signalIfIdle() {
    if (taken + parked + reserved == 0) {
      idle.signalAll();
    }
  }
}
