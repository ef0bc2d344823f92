package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How SQLite carries out the statements: none of them may cost more where there is more that they
/// don't want.
class SqlitePlansTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void createTheTables() {
    file = folder.resolve("yieldstar.db");
    Sqlite.file(file).close();
  }

  @Test
  void everyStatementFindsItsRowsByAnIndexAndSortsNothing() throws Exception {
    var plans = new TreeMap<String, String>();
    try (Connection connection = Plain.connect(file)) {
      for (Class<?> owner :
          List.of(
              Executions.class,
              Journals.class,
              SqliteChanges.class,
              SqliteDue.class,
              SqliteWorkspace.class)) {
        for (Field field : statements(owner)) {
          String sql = (String) field.get(null);
          plans.put(owner.getSimpleName() + "." + field.getName(), plan(connection, sql));
        }
      }
    }
    assertThat(plans.remove("Executions.LEASED_UNDER"))
        .as("the one that looks at all that is live")
        .startsWith("SCAN run; SEARCH execution USING INTEGER PRIMARY KEY");
    assertThat(plans).hasSizeGreaterThan(20);
    assertThat(plans.values()).noneMatch(plan -> plan.contains("SCAN") || plan.contains("TEMP"));
  }

  @Test
  void whatIsDueIsReadFromItsIndexAlone() throws Exception {
    try (Connection connection = Plain.connect(file)) {
      for (Field field : statements(SqliteDue.class)) {
        assertThat(plan(connection, (String) field.get(null)))
            .as(field.getName())
            .contains("SEARCH yieldstar_run USING COVERING INDEX yieldstar_run_due (workflow=?");
      }
    }
  }

  /// With no figures about the tables SQLite must choose the same as with those of full ones.
  @Test
  void plansStayTheSameOnceTheTablesWereAnalysed() throws Exception {
    Plain.run(
        file,
        """
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
        insert into yieldstar_run
        select i, 'order', case when i % 2 then i end, 0, 0, 0, 0, 1, 0, 0, null, 0, 0, 0, 0, 0,
               null, null, null, null, 0
          from n
        """);
    Plain.run(file, "analyze");
    whatIsDueIsReadFromItsIndexAlone();
    everyStatementFindsItsRowsByAnIndexAndSortsNothing();
  }

  private static List<Field> statements(Class<?> owner) {
    return Stream.of(owner.getDeclaredFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
        .filter(SqlitePlansTest::isStatement)
        .toList();
  }

  private static boolean isStatement(Field field) {
    field.setAccessible(true);
    try {
      return ((String) field.get(null)).matches("(?s)(select|update|delete) .* where .*");
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static String plan(Connection connection, String sql) throws SQLException {
    try (PreparedStatement explain = connection.prepareStatement("explain query plan " + sql);
        ResultSet row = explain.executeQuery()) {
      var plan = new StringBuilder();
      while (row.next()) {
        plan.append(plan.isEmpty() ? "" : "; ").append(row.getString("detail"));
      }
      return plan.toString();
    }
  }
}
