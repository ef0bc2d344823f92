package dev.yieldstar.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Finds out which tables a file has, and creates those that it lacks.
final class SqliteSchema {
  private static final String FOLDER = "sqlite";
  private static final List<String> FILES = List.of("0001-executions.sql");

  private static final String APPLIED =
      "select version, checksum, lowest_library from yieldstar_schema_version order by version";
  private static final String RECORD =
      "insert into yieldstar_schema_version (version, name, checksum, lowest_library, applied_at)"
          + " values (%d, '%s', '%s', '%s', unixepoch() * 1000)";

  private final SqliteFile file;
  private final Schema schema;

  SqliteSchema(SqliteFile file) {
    this(file, of(migrations(), LibraryVersion.current()));
  }

  SqliteSchema(SqliteFile file, Schema schema) {
    this.file = file;
    this.schema = schema;
  }

  static List<Migration> migrations() {
    return FILES.stream().map(name -> Migration.of(FOLDER, name)).toList();
  }

  static Schema of(List<Migration> migrations, LibraryVersion library) {
    return new Schema(Resources.text(FOLDER + "/schema-version.sql"), migrations, library);
  }

  static String script() {
    return of(migrations(), LibraryVersion.current()).script(SqliteSchema::record);
  }

  private static String record(Migration migration) {
    return RECORD.formatted(
        migration.version(), migration.name(), migration.checksum(), migration.lowestLibrary());
  }

  /// Whether nothing is lacking, as far as can be told without a lock. Refuses a database that must
  /// not be used.
  boolean isComplete(Session session) throws SQLException {
    // One moment for all of the look: another process may be creating the tables.
    return inTransaction(session, "begin", () -> missing(session).isEmpty());
  }

  /// Applies what is missing. The lock comes before the look: another process may do the same.
  void apply(Session session) throws SQLException {
    inTransaction(session, "begin immediate", () -> applyMissing(session));
  }

  private List<Migration> missing(Session session) throws SQLException {
    List<Schema.Applied> applied = applied(session);
    if (applied.isEmpty() && hasTables(session) && !file.options().besideOtherTables()) {
      throw file.refused(
          "FOREIGN_DATABASE",
          "it is a database that holds other tables, and none of Yieldstar. If they are to live beside each other, open it with besideOtherTables(true)",
          null);
    }
    return schema.missing(applied, file.options().migrate(), file.toString());
  }

  private boolean applyMissing(Session session) throws SQLException {
    for (String statement : Migration.statements(schema.versionTable())) {
      session.runOnce(statement);
    }
    for (Migration migration : missing(session)) {
      for (String statement : Migration.statements(migration.sql())) {
        session.runOnce(statement);
      }
      session.runOnce(record(migration));
    }
    return true;
  }

  private interface Work {
    boolean run() throws SQLException;
  }

  private static boolean inTransaction(Session session, String begin, Work work)
      throws SQLException {
    session.runOnce(begin);
    try {
      boolean result = work.run();
      session.runOnce("commit");
      return result;
    } catch (SQLException | RuntimeException e) {
      rollBack(session, e);
      throw e;
    }
  }

  /// SQLite has rolled back by itself after some failures, and then says that there is nothing.
  private static void rollBack(Session session, Exception failure) {
    try {
      session.runOnce("rollback");
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static boolean hasTables(Session session) throws SQLException {
    return !session
        .askOnce(
            "select 1 from sqlite_schema where name not like 'sqlite\\_%' escape '\\'"
                + " and name <> 'yieldstar_schema_version' limit 1")
        .isEmpty();
  }

  private static List<Schema.Applied> applied(Session session) throws SQLException {
    var applied = new ArrayList<Schema.Applied>();
    if (session
        .askOnce("select 1 from sqlite_schema where name = 'yieldstar_schema_version'")
        .isEmpty()) {
      return applied;
    }
    try (PreparedStatement query = session.connection().prepareStatement(APPLIED);
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        applied.add(
            new Schema.Applied(
                row.getInt(1), row.getString(2), new LibraryVersion(row.getString(3))));
      }
    }
    return applied;
  }
}
