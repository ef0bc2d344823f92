package dev.yieldstar.jdbc;

import dev.yieldstar.YieldstarException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// The first use of a file: everything is checked before anything is changed.
final class SqliteOpening {
  /// How long other processes may take that open, and create tables, at the same time.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);

  private final SqliteFile file;
  private final SqliteSchema schema;

  SqliteOpening(SqliteFile file, SqliteSchema schema) {
    this.file = file;
    this.schema = schema;
  }

  /// Makes the file ready for use.
  ///
  /// @throws YieldstarException if it can't be, with what to do
  void run() {
    file.check();
    try (Session session = file.create()) {
      file.refuseOldVersion(session.askOnce("select sqlite_version()"));
      boolean complete = retried(() -> schema.isComplete(session));
      retried(() -> useLog(session));
      if (!complete) {
        retried(
            () -> {
              schema.apply(session);
              return true;
            });
      }
    } catch (SQLException e) {
      throw file.openFailed(e);
    } catch (NoClassDefFoundError e) {
      throw file.refused(
          "DRIVER_MISSING",
          "the driver is not on the class path. Add the dependency org.xerial:sqlite-jdbc",
          e);
    }
  }

  private boolean useLog(Session session) throws SQLException {
    String mode = session.askOnce("pragma journal_mode = wal");
    if (!mode.equals("wal")) {
      throw file.refused(
          "WAL_UNAVAILABLE",
          "SQLite can't keep a write-ahead log here, only '%s'. Use a local disk".formatted(mode),
          null);
    }
    return true;
  }

  private interface Attempt {
    boolean run() throws SQLException;
  }

  /// Tries again while others hold a lock: for some of what happens here SQLite itself never waits.
  private static boolean retried(Attempt attempt) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return attempt.run();
      } catch (SQLException e) {
        if (!SqliteFaults.isBusy(e) || System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
      }
    }
  }
}
