package dev.yieldstar.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// A database file as anybody may use it, by plain JDBC.
final class Plain {
  private Plain() {}

  static Connection connect(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  static void run(Path file, String sql) throws SQLException {
    try (Connection connection = connect(file)) {
      run(connection, sql);
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /// The first column of all rows, as text.
  static List<String> ask(Path file, String sql) throws SQLException {
    var answers = new ArrayList<String>();
    try (Connection connection = connect(file);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        answers.add(row.getString(1));
      }
    }
    return answers;
  }
}
