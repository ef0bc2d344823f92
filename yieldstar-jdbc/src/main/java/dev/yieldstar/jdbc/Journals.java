package dev.yieldstar.jdbc;

import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads journals, a page at a time.
final class Journals {
  private static final String FIRST = // index yieldstar_step_key
      "select "
          + StepRow.COLUMNS
          + " from yieldstar_step where execution = ? and incarnation = ?"
          + " order by key, attempt limit ?";
  private static final String AFTER = // index yieldstar_step_key
      "select "
          + StepRow.COLUMNS
          + " from yieldstar_step where execution = ? and incarnation = ?"
          + " and (key, attempt) > (?, ?) order by key, attempt limit ?";

  private Journals() {}

  static JournalPage page(Session session, JournalQuery query) throws SQLException {
    var rows = new ArrayList<JournalPage.Row>();
    JournalPage.Row after = query.after();
    for (Incarnation of : query.incarnations().stream().sorted().distinct().toList()) {
      int order = after == null ? 1 : of.compareTo(after.of());
      if (order >= 0) {
        // One row more than the page has room for, to know whether there is another.
        read(session, of, order == 0 ? after : null, query.limit() + 1L - rows.size(), rows);
      }
      if (rows.size() > query.limit()) {
        return new JournalPage(rows.subList(0, query.limit()), true);
      }
    }
    return new JournalPage(rows, false);
  }

  private static void read(
      Session session,
      Incarnation of,
      JournalPage.@Nullable Row after,
      long limit,
      List<JournalPage.Row> rows)
      throws SQLException {
    PreparedStatement query = session.statement(after == null ? FIRST : AFTER);
    var parameters = new Parameters(query).number(of.execution()).number(of.incarnation());
    if (after != null) {
      parameters.name(after.step().key()).number(after.step().attempt());
    }
    parameters.number(limit);
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        rows.add(new JournalPage.Row(of, StepRow.read(new Columns(row))));
      }
    }
  }
}
