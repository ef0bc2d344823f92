package dev.yieldstar.jdbc;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees on a connection of its own whether anything is due, so that a look that finds nothing
/// neither writes nor waits for the writer. While nobody commits anything the last answer stands.
/// Thread-safe.
final class SqliteLookout {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteLookout.class);
  private static final String DATA_VERSION = "pragma data_version";

  private final SqliteFile file;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private @Nullable Session session;
  private boolean closed;
  private @Nullable Sight last;

  /// What was seen.
  ///
  /// @param first when the first of the workflows' executions is due, or was; null for none
  record Sight(Set<String> workflows, long version, @Nullable Instant first) {
    boolean nothingDue(Instant now) {
      return first == null || first.isAfter(now);
    }
  }

  SqliteLookout(SqliteFile file) {
    this.file = file;
  }

  Sight look(Set<String> workflows) {
    lock.lock();
    try {
      if (closed) {
        throw SqliteFaults.closed(file.toString());
      }
      Session open = session;
      if (open == null) {
        open = file.reader();
        session = open;
        last = null;
      }
      long version = open.number(DATA_VERSION);
      Sight sight = last;
      if (sight == null || sight.version() != version || !sight.workflows().equals(workflows)) {
        // The version from before: what is committed meanwhile is looked at again.
        sight = new Sight(workflows, version, SqliteDue.first(open, workflows));
        last = sight;
      }
      return sight;
    } catch (SQLException e) {
      abandon();
      throw SqliteFaults.of(e, file.toString());
    } finally {
      lock.unlock();
    }
  }

  private void abandon() {
    Session failed = session;
    session = null;
    if (failed != null) {
      try {
        failed.close();
      } catch (SQLException e) {
        LOG.debug("A connection to {} could not be closed", file, e);
      }
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      abandon();
    } finally {
      lock.unlock();
    }
  }
}
