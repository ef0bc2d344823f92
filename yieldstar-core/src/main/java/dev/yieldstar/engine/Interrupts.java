package dev.yieldstar.engine;

import dev.yieldstar.spi.Signal;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a delivery's signal does to the thread that runs its workflow. Thread-safe.
///
/// An abort sets its flag before the thread is interrupted. A cancellation only interrupts the body
/// of a step or a wait in place; between steps workflow code meets it at its next operation.
final class Interrupts {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition told = lock.newCondition();
  private final Thread thread = Thread.currentThread();
  private volatile boolean aborted;
  private volatile @Nullable String cancelReason;
  private boolean suspending;
  private boolean inBody;
  private boolean finished;

  /// To be made on the workflow's thread.
  Interrupts(Signal signal, @Nullable String cancelReason) {
    this.cancelReason = cancelReason;
    signal.aborted().thenAccept(reason -> abort());
    signal.cancelled().thenAccept(this::cancel);
    signal.suspending().thenRun(this::suspend);
  }

  private void abort() {
    lock.lock();
    try {
      aborted = true;
      told.signalAll();
      if (!finished) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  private void cancel(String reason) {
    lock.lock();
    try {
      if (cancelReason == null) {
        cancelReason = reason;
        told.signalAll();
        if (inBody) {
          thread.interrupt();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void suspend() {
    lock.lock();
    try {
      suspending = true;
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The backend has said so.
  void cancelled(String reason) {
    if (cancelReason == null) {
      cancelReason = reason;
    }
  }

  boolean aborted() {
    return aborted;
  }

  @Nullable String cancelReason() {
    return cancelReason;
  }

  void enterBody() {
    lock.lock();
    try {
      inBody = true;
      if (cancelReason != null) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /// From here on a cancellation interrupts nothing; an interrupt that it made is taken back.
  void leaveBody() {
    lock.lock();
    try {
      inBody = false;
      if (cancelReason != null && !aborted) {
        Thread.interrupted();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Waits in place until then, or until it is told something.
  ///
  /// @return whether the time has come
  boolean pause(BackendTime time, Instant until) {
    boolean interrupted = false;
    lock.lock();
    try {
      while (!aborted && !suspending && cancelReason == null) {
        long left = time.until(until).toNanos();
        if (left <= 0) {
          return true;
        }
        try {
          told.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return false;
    } finally {
      lock.unlock();
      if (interrupted && !aborted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// The function has ended: nothing interrupts the thread any more.
  void finish() {
    lock.lock();
    try {
      finished = true;
      Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }
}
