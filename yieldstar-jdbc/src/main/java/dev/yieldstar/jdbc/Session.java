package dev.yieldstar.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/// One connection, with the statements that were prepared on it: each once. Used by one thread at a
/// time.
final class Session implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  Session(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement prepared = statements.get(sql);
    if (prepared == null) {
      prepared = connection.prepareStatement(sql);
      statements.put(sql, prepared);
    }
    return prepared;
  }

  /// Runs a statement without parameters.
  void run(String sql) throws SQLException {
    statement(sql).execute();
  }

  /// The first column of the only row of a query without parameters.
  long number(String sql) throws SQLException {
    try (ResultSet row = statement(sql).executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /// Runs a statement once, without keeping it.
  void runOnce(String sql) throws SQLException {
    try (Statement once = connection.createStatement()) {
      once.execute(sql);
    }
  }

  /// The first column of the first row, as text; empty text where there is no row.
  String askOnce(String sql) throws SQLException {
    try (Statement once = connection.createStatement();
        ResultSet row = once.executeQuery(sql)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  @Override
  public void close() throws SQLException {
    statements.clear();
    connection.close();
  }
}
