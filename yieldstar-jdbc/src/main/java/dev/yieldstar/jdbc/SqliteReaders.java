package dev.yieldstar.jdbc;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A few connections that only read, and never wait for the writer. They are opened as they are
/// wanted. Thread-safe.
final class SqliteReaders {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteReaders.class);
  private static final int COUNT = 3;
  private static final long CLOSE_SECONDS = 5;

  private final SqliteFile file;
  private final Semaphore permits = new Semaphore(COUNT, true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Session> idle = new ArrayDeque<>();
  private volatile boolean closed;

  SqliteReaders(SqliteFile file) {
    this.file = file;
  }

  interface Query<T> {
    T run(Session session) throws SQLException;
  }

  /// Reads in one transaction: all of it sees the same moment.
  <T> T read(Query<T> query) {
    permits.acquireUninterruptibly();
    Session session = null;
    try {
      session = take();
      session.run("begin");
      T result = query.run(session);
      session.run("commit");
      giveBack(session);
      session = null;
      return result;
    } catch (SQLException e) {
      throw SqliteFaults.of(e, file.toString());
    } finally {
      close(session);
      permits.release();
    }
  }

  void refuseIfClosed() {
    if (closed) {
      throw SqliteFaults.closed(file.toString());
    }
  }

  private Session take() throws SQLException {
    lock.lock();
    try {
      refuseIfClosed();
      Session session = idle.pollFirst();
      if (session != null) {
        return session;
      }
    } finally {
      lock.unlock();
    }
    return file.reader();
  }

  private void giveBack(Session session) {
    lock.lock();
    try {
      idle.addFirst(session);
    } finally {
      lock.unlock();
    }
  }

  /// Waits, for a while, for the reads that are under way.
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    boolean quiet = false;
    try {
      quiet = permits.tryAcquire(COUNT, CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeIdle();
    if (quiet) {
      permits.release(COUNT);
    }
  }

  private void closeIdle() {
    lock.lock();
    try {
      while (!idle.isEmpty()) {
        close(idle.pollFirst());
      }
    } finally {
      lock.unlock();
    }
  }

  private void close(@Nullable Session session) {
    if (session == null) {
      return;
    }
    try {
      session.close();
    } catch (SQLException e) {
      LOG.debug("A connection to {} could not be closed", file, e);
    }
  }
}
