package dev.yieldstar.jdbc;

import dev.yieldstar.spi.BackendException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Fairness between processes. SQLite has one write lock and no queue for it: who waits looks again
 * now and then, and would look in vain where another process begins its next transaction at once. So
 * a writer that has noticed another one (by `data_version`) leaves the lock alone for a moment when it
 * has had its turn, and one that waits looks more often than that moment lasts. A turn is longer than
 * most transactions, since each change of hands costs time and what was known of the rows.
 */
/// The one connection that writes. Each use of it is one transaction; they take their turns in the
/// order in which they came. Thread-safe.
final class SqliteWriter {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
  private static final String BEGIN = "begin immediate";
  private static final String COMMIT = "commit";
  private static final String DATA_VERSION = "pragma data_version";

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
  private static final long BETWEEN_TRIES = Duration.ofNanos(200_000).toNanos();
  private static final long TURN = Duration.ofMillis(2).toNanos();
  private static final long MOMENT = Duration.ofMillis(1).toNanos();
  private static final long OTHERS_WRITE_FOR = Duration.ofMillis(250).toNanos();
  private static final long CACHE_BYTES = 64 << 20;

  private final SqliteFile file;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final StateCache cache = new StateCache(CACHE_BYTES);
  private final SqliteLog log = new SqliteLog();

  // All guarded by the lock.
  private @Nullable Session session;
  private boolean closed;
  private long version;
  private @Nullable Object identity;
  private long identityChecked = System.nanoTime();
  private boolean othersCommitted;
  private long othersNoticed = System.nanoTime() - OTHERS_WRITE_FOR;
  private long turnBegan = System.nanoTime();
  private long notBefore = System.nanoTime();
  private long lastLook = System.nanoTime() - BETWEEN_LOOKS.toNanos();

  SqliteWriter(SqliteFile file) {
    this.file = file;
  }

  /// What is done in a transaction. What it leaves changed in the workspace is stored.
  interface Work<T> {
    T run(SqliteWorkspace workspace) throws SQLException;
  }

  /// Does it, and commits; when this returns, it is on the disk.
  <T> T write(Work<T> work) {
    lock.lock();
    try {
      Session open = open();
      begin(open);
      lookForOthers(open);
      var workspace = new SqliteWorkspace(open, cache);
      T result = work.run(workspace);
      workspace.store();
      open.run(COMMIT);
      workspace.committed();
      afterCommit(open);
      return result;
    } catch (SQLException e) {
      throw failed(e);
    } catch (UncheckedSqlException e) {
      throw failed(e.failure());
    } catch (RuntimeException | Error e) {
      abandon();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private Session open() throws SQLException {
    if (closed) {
      throw SqliteFaults.closed(file.toString());
    }
    Session open = session;
    if (open != null) {
      refuseReplaced();
      return open;
    }
    open = file.writer();
    session = open;
    // What was committed while there was no connection, none can tell.
    othersCommitted = identity != null;
    identity = file.identity();
    version = open.number(DATA_VERSION);
    cache.clear();
    return open;
  }

  /// SQLite itself would go on writing to a file that has no name any more.
  private void refuseReplaced() {
    long now = System.nanoTime();
    if (now - identityChecked >= BETWEEN_LOOKS.toNanos()) {
      identityChecked = now;
      if (!Objects.equals(identity, file.identity())) {
        abandon();
        throw SqliteFaults.replaced(file.toString());
      }
    }
  }

  private void begin(Session open) throws SQLException {
    long now = System.nanoTime();
    long deadline = now + file.options().busyTimeout().toNanos();
    if (notBefore - now > 0) {
      pause(notBefore - now);
      turnBegan = System.nanoTime();
    }
    while (true) {
      try {
        open.run(BEGIN);
        return;
      } catch (SQLException e) {
        if (!SqliteFaults.isBusy(e) || System.nanoTime() - deadline > 0) {
          throw e;
        }
        pause(BETWEEN_TRIES);
        turnBegan = System.nanoTime();
      }
    }
  }

  /// An interrupt is left for whoever it is meant for: it would end every pause at once.
  private static void pause(long nanos) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(nanos);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookForOthers(Session open) throws SQLException {
    long now = open.number(DATA_VERSION);
    if (now != version) {
      version = now;
      othersCommitted = true;
      othersNoticed = System.nanoTime();
      cache.othersCommitted();
    }
  }

  /// What is committed stays so, whatever fails here.
  private void afterCommit(Session open) {
    try {
      log.committed(open);
    } catch (SQLException e) {
      LOG.warn("The log of {} could not be copied into it, and grows; it is tried again", file, e);
    }
    long now = System.nanoTime();
    if (now - othersNoticed < OTHERS_WRITE_FOR && now - turnBegan >= TURN) {
      notBefore = now + MOMENT;
    }
  }

  /// Whether another connection has committed since this was last asked. Looks at most every 50 ms,
  /// and not while a transaction is under way, which looks itself.
  boolean othersHaveCommitted() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      Session open = open();
      long now = System.nanoTime();
      if (now - lastLook >= BETWEEN_LOOKS.toNanos()) {
        lastLook = now;
        lookForOthers(open);
        log.idle(open);
      }
      boolean answer = othersCommitted;
      othersCommitted = false;
      return answer;
    } catch (SQLException e) {
      if (SqliteFaults.isBusy(e)) {
        return false;
      }
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private BackendException failed(SQLException failure) {
    abandon();
    return SqliteFaults.of(failure, file.toString());
  }

  /// After a failure nothing of the connection is trusted: closing it rolls back.
  private void abandon() {
    cache.clear();
    Session failed = session;
    session = null;
    if (failed != null) {
      try {
        failed.close();
      } catch (SQLException e) {
        LOG.debug("The connection to {} could not be closed", file, e);
      }
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      if (session != null) {
        log.closing(session);
      }
    } catch (SQLException e) {
      LOG.debug("The log of {} could not be emptied; it stays until it is opened again", file, e);
    } finally {
      abandon();
      lock.unlock();
    }
  }
}
