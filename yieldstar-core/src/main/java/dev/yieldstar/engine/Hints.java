package dev.yieldstar.engine;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the thread that claims waits for: a notice that something may be due, and a free slot for
/// it. Thread-safe; one thread waits.
final class Hints {
  private static final Logger LOG = LoggerFactory.getLogger(Hints.class);

  /// The shortest pause between looks for which there is no certain reason.
  private static final long BETWEEN_LOOKS = Duration.ofMillis(1).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Slots slots;

  // Guarded by the lock.
  private boolean hinted;
  private boolean certain;
  private boolean waitsForSlot;
  private long lookedAt = System.nanoTime() - BETWEEN_LOOKS;

  private volatile boolean backlog;

  Hints(Slots slots) {
    this.slots = slots;
  }

  /// Something may be due.
  ///
  /// @param isDue something is: where no slot is free, the next one that frees up is for it
  void give(boolean isDue) {
    lock.lock();
    try {
      boolean news = !hinted || (isDue && !certain);
      hinted = true;
      certain |= isDue;
      if (certain && !slots.anyFree()) {
        backlog = true;
      }
      if (news) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// A slot is free: what is due and waits for one goes at once.
  void slotFreed() {
    lock.lock();
    try {
      hinted |= backlog;
      if (hinted || waitsForSlot) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Reservations of a claim are free again.
  void reservationsFreed() {
    lock.lock();
    try {
      if (waitsForSlot) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Has whoever waits look whether it is to go on.
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whether something is known to be due and waits for a slot: then starts leave freed ones alone.
  boolean backlog() {
    return backlog;
  }

  /// @param known what a claim said was left over
  void backlog(boolean known) {
    backlog = known;
  }

  /// Waits for a hint and a free slot, at most so long. After a look it leaves hints that are not
  /// certain alone for a moment: every execution that ends gives one, in case somebody waits for
  /// it.
  ///
  /// @param atOnce whether a free slot is reason enough
  /// @param counts whether a hint is one
  /// @param going whether to wait on
  /// @return whether the time ran out
  boolean await(boolean atOnce, boolean counts, long pause, BooleanSupplier going) {
    lock.lock();
    try {
      long deadline = System.nanoTime() + pause;
      while (going.getAsBoolean()) {
        long now = System.nanoTime();
        boolean wanted = atOnce || (hinted && counts);
        long early = atOnce || certain ? 0 : lookedAt + BETWEEN_LOOKS - now;
        if (wanted && early <= 0 && slots.anyFree()) {
          hinted = false;
          certain = false;
          lookedAt = now;
          return false;
        }
        if (deadline - now <= 0) {
          backlog |= wanted; // no slot was free for all that time
          return true;
        }
        waitsForSlot = wanted && early <= 0;
        backlog |= waitsForSlot && certain;
        changed.awaitNanos(wanted && early > 0 ? Math.min(early, deadline - now) : deadline - now);
      }
      return true;
    } catch (InterruptedException e) {
      LOG.error("The dispatcher's thread was interrupted by foreign code; it goes on");
      return true;
    } finally {
      waitsForSlot = false;
      lock.unlock();
    }
  }
}
