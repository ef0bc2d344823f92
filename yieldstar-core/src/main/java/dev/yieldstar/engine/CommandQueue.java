package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The commands that wait for one lane. Bounded: who adds to a full queue waits, but for urgent
/// commands (renewals), which go to the head. Thread-safe.
final class CommandQueue {
  static final int CAPACITY = 10_000;
  static final int MAX_BATCH = 1_000;
  private static final int MAX_BYTES = 1 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final Condition notFull = lock.newCondition();
  private final ArrayDeque<Entry> urgent = new ArrayDeque<>();
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private List<Entry> taken = List.of();
  private boolean closed;

  /// A command and who waits for its reply.
  record Entry(Command command, @Nullable Chain chain, CompletableFuture<Reply> reply) {
    boolean isBroken() {
      return chain != null && chain.isBroken();
    }

    /// What comes after it in its chain must not be applied without it.
    void fail(Throwable failure) {
      if (chain != null) {
        chain.tear();
      }
      reply.completeExceptionally(failure);
    }
  }

  /// What became of a command that was to be added.
  enum Added {
    YES,
    /// There was no room for as long as the adder would wait.
    FULL,
    CLOSED
  }

  /// Waits for room, at most so long; an interrupt does not cut that short.
  Added add(Entry entry, long patience) {
    lock.lock();
    try {
      boolean room =
          waiting.size() < CAPACITY || Bounded.await(this::awaitRoom, Duration.ofNanos(patience));
      if (closed) {
        return Added.CLOSED;
      }
      return room ? append(entry) : Added.FULL;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitRoom(long nanos) throws InterruptedException {
    long left = nanos;
    while (waiting.size() >= CAPACITY && !closed) {
      if (left <= 0) {
        return false;
      }
      left = notFull.awaitNanos(left);
    }
    return true;
  }

  /// Adds it, full or not.
  Added addAnyway(Entry entry) {
    lock.lock();
    try {
      return closed ? Added.CLOSED : append(entry);
    } finally {
      lock.unlock();
    }
  }

  private Added append(Entry entry) {
    waiting.add(entry);
    notEmpty.signal();
    return Added.YES;
  }

  /// False if the queue is closed.
  boolean addUrgent(Entry entry) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      urgent.add(entry);
      notEmpty.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for commands and takes what is there, as far as one batch goes; empty when the queue is
  /// closed and nothing is left.
  List<Entry> take() {
    lock.lock();
    try {
      while (urgent.isEmpty() && waiting.isEmpty() && !closed) {
        notEmpty.awaitUninterruptibly();
      }
      var batch = new ArrayList<Entry>(urgent);
      urgent.clear();
      int bytes = 0;
      while (!waiting.isEmpty() && batch.size() < MAX_BATCH && bytes < MAX_BYTES) {
        Entry entry = waiting.remove();
        bytes += entry.command().size();
        batch.add(entry);
      }
      notFull.signalAll();
      taken = batch;
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /// Takes no more; what is in it is still handed out.
  void close() {
    lock.lock();
    try {
      closed = true;
      notEmpty.signalAll();
      notFull.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Nobody commits any more: those who still wait are told, and also those whose commands were
  /// taken and never answered.
  void abandon() {
    List<Entry> unanswered;
    var left = new ArrayList<Entry>();
    lock.lock();
    try {
      unanswered = taken;
      left.addAll(urgent);
      left.addAll(waiting);
      urgent.clear();
      waiting.clear();
    } finally {
      lock.unlock();
    }
    unanswered.forEach(
        entry ->
            entry.fail(
                new BackendException(
                    BackendException.Fault.UNAVAILABLE,
                    "The engine was closed before the backend had answered; whether this was committed is not known.",
                    null)));
    left.forEach(entry -> entry.fail(BackendException.closed()));
  }
}
