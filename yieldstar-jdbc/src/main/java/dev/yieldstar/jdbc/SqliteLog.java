package dev.yieldstar.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/// Keeps the write-ahead log short: the writer copies it into the database when it has grown, and
/// when there is nothing else to do. Guarded by the writer's lock.
final class SqliteLog {
  /// How large the file of the log may stay once it has been copied.
  static final long KEPT_BYTES = 64 << 20;

  /// From how many pages on it is copied while there is work: 16 MB of the usual pages.
  private static final long LONG = 4_096;

  /// From how many pages on the writer also tries to begin it anew, should readers have been in the
  /// way before.
  private static final long TOO_LONG = 4 * LONG;

  private static final int COMMITS_BETWEEN_LOOKS = 16;
  private static final Duration IDLE = Duration.ofSeconds(1);

  private static final String LENGTH = "pragma wal_checkpoint(noop)";
  private static final String COPY = "pragma wal_checkpoint(passive)";
  private static final String BEGIN_ANEW = "pragma wal_checkpoint(restart)";
  private static final String EMPTY = "pragma wal_checkpoint(truncate)";

  private int commitsSinceLook;
  private long lastCommit;
  private boolean mayHaveUncopied;

  /// What a checkpoint says: pages in the log, and how many of them are in the database too.
  private record Length(long pages, long copied) {
    long uncopied() {
      return pages - copied;
    }
  }

  /// After each commit.
  void committed(Session session) throws SQLException {
    mayHaveUncopied = true;
    lastCommit = System.nanoTime();
    if (++commitsSinceLook < COMMITS_BETWEEN_LOOKS) {
      return;
    }
    commitsSinceLook = 0;
    Length length = checkpoint(session, LENGTH);
    if (length.uncopied() >= LONG) {
      checkpoint(session, length.pages() >= TOO_LONG ? BEGIN_ANEW : COPY);
    }
  }

  /// Whenever the writer is not wanted.
  void idle(Session session) throws SQLException {
    if (mayHaveUncopied && System.nanoTime() - lastCommit > IDLE.toNanos()) {
      mayHaveUncopied = checkpoint(session, COPY).uncopied() > 0;
      lastCommit = System.nanoTime();
    }
  }

  /// Before the writer is closed.
  void closing(Session session) throws SQLException {
    checkpoint(session, EMPTY);
  }

  private static Length checkpoint(Session session, String how) throws SQLException {
    try (ResultSet row = session.statement(how).executeQuery()) {
      row.next();
      return new Length(row.getLong(2), row.getLong(3));
    }
  }
}
