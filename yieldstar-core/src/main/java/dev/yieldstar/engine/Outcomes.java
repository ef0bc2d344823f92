package dev.yieldstar.engine;

import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings outcomes to those who wait for them: what ends in this process is told at once, what ends
/// elsewhere by one poll for all that is waited for. Thread-safe.
final class Outcomes {
  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);
  private static final int MOST_PER_POLL = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, List<CompletableFuture<Terminal>>> waiting = new HashMap<>();
  private final LogPeriod logPeriod = new LogPeriod();
  private final Backend backend;
  private final Executor executor;
  private final Duration pollInterval;
  private final Thread thread;

  // Guarded by the lock.
  private boolean idle;
  private boolean closed;

  /// @param executor completes the futures, since what hangs on them is foreign code
  Outcomes(Backend backend, Executor executor, Duration pollInterval) {
    this.backend = backend;
    this.executor = executor;
    this.pollInterval = pollInterval;
    this.thread = Thread.ofPlatform().daemon().name("yieldstar-outcomes").start(this::poll);
  }

  /// The end of this execution, once it has ended. Cancel the future to wait no more.
  CompletableFuture<Terminal> await(String executionId) {
    var future = new CompletableFuture<Terminal>();
    lock.lock();
    try {
      if (closed) {
        future.completeExceptionally(BackendException.closed());
        return future;
      }
      waiting.computeIfAbsent(executionId, id -> new ArrayList<>()).add(future);
      if (idle) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
    future.whenComplete((end, failure) -> forget(executionId, future));
    return future;
  }

  private void forget(String executionId, CompletableFuture<Terminal> future) {
    lock.lock();
    try {
      List<CompletableFuture<Terminal>> futures = waiting.get(executionId);
      if (futures != null && futures.remove(future) && futures.isEmpty()) {
        waiting.remove(executionId);
      }
    } finally {
      lock.unlock();
    }
  }

  /// How many executions are waited for.
  int awaited() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /// Tells those who wait that an execution has ended.
  void emit(String executionId, Terminal end) {
    List<CompletableFuture<Terminal>> futures;
    lock.lock();
    try {
      futures = waiting.remove(executionId);
    } finally {
      lock.unlock();
    }
    if (futures != null) {
      futures.forEach(future -> apart(() -> future.complete(end)));
    }
  }

  /// What hangs on one future must not keep the others waiting.
  private void apart(Runnable completion) {
    try {
      executor.execute(completion);
    } catch (RejectedExecutionException e) { // the engine was closed meanwhile
      completion.run();
    }
  }

  private void poll() {
    long lookTook = 0;
    while (awaitSomething(Math.max(pollInterval.toNanos(), 4 * lookTook))) {
      long began = System.nanoTime();
      look();
      lookTook = System.nanoTime() - began;
    }
  }

  private void look() {
    try {
      for (List<String> page : pages()) {
        backend.ends(page).forEach(this::emit);
      }
    } catch (RuntimeException | Error e) {
      logPeriod.log(
          suppressed ->
              LOG.warn(
                  "Outcomes could not be read; tried again ({} such failures not logged)",
                  suppressed,
                  e));
    }
  }

  /// Waits until something is waited for and a pause has passed; false when closed.
  private boolean awaitSomething(long pause) {
    lock.lock();
    try {
      long left = pause;
      while (!closed && (waiting.isEmpty() || left > 0)) {
        try {
          if (waiting.isEmpty()) {
            idle = true;
            changed.await();
            idle = false;
            left = pause;
          } else {
            left = changed.awaitNanos(left);
          }
        } catch (InterruptedException e) {
          LOG.error(
              "The thread that polls for outcomes was interrupted by foreign code; it goes on");
        }
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private List<List<String>> pages() {
    List<String> ids;
    lock.lock();
    try {
      ids = List.copyOf(waiting.keySet());
    } finally {
      lock.unlock();
    }
    var pages = new ArrayList<List<String>>();
    for (int from = 0; from < ids.size(); from += MOST_PER_POLL) {
      pages.add(ids.subList(from, Math.min(ids.size(), from + MOST_PER_POLL)));
    }
    return pages;
  }

  /// Those who still wait are told that the engine was closed.
  void close() {
    List<CompletableFuture<Terminal>> left;
    lock.lock();
    try {
      closed = true;
      left = waiting.values().stream().flatMap(List::stream).toList();
      waiting.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(future -> apart(() -> future.completeExceptionally(BackendException.closed())));
    Bounded.join(thread, Duration.ofSeconds(1));
  }
}
