package dev.yieldstar.jdbc;

import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Carries an [SQLException] through code that declares none, to the end of its transaction.
final class UncheckedSqlException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;
  private final SQLException failure;

  private UncheckedSqlException(SQLException failure) {
    super(failure);
    this.failure = failure;
  }

  SQLException failure() {
    return failure;
  }

  interface Query<T> {
    T run() throws SQLException;
  }

  /// A query that may find nothing.
  interface Lookup<T> {
    @Nullable T run() throws SQLException;
  }

  static <T> T unchecked(Query<T> query) {
    try {
      return query.run();
    } catch (SQLException e) {
      throw new UncheckedSqlException(e);
    }
  }

  static <T> @Nullable T uncheckedLookup(Lookup<T> lookup) {
    try {
      return lookup.run();
    } catch (SQLException e) {
      throw new UncheckedSqlException(e);
    }
  }
}
