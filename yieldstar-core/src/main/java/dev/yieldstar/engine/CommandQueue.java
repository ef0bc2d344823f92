package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.BackendException;
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
  private static final int CAPACITY = 10_000;
  private static final int MAX_BATCH = 1_000;
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

  /// False if the queue is closed.
  ///
  /// @param mayWait for room, where it is full
  boolean add(Entry entry, boolean mayWait) {
    lock.lock();
    try {
      while (mayWait && waiting.size() >= CAPACITY && !closed) {
        notFull.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      waiting.add(entry);
      notEmpty.signal();
      return true;
    } finally {
      lock.unlock();
    }
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

  /// Nobody commits any more: those who still wait are told that the engine was closed.
  void abandon() {
    var left = new ArrayList<Entry>();
    lock.lock();
    try {
      left.addAll(taken);
      left.addAll(urgent);
      left.addAll(waiting);
      urgent.clear();
      waiting.clear();
    } finally {
      lock.unlock();
    }
    left.forEach(entry -> entry.fail(BackendException.closed()));
  }
}
