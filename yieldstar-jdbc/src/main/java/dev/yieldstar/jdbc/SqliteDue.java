package dev.yieldstar.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Looks into the index of what is due: one probe a workflow, so that neither sleepers nor what is
/// due of other workflows cost anything.
final class SqliteDue {
  private static final String FIRST = // index yieldstar_run_due
      "select at from yieldstar_run"
          + " where workflow = ? and at is not null and paused = 0"
          + " order by at limit 1";
  private static final String FIRST_AFTER = // index yieldstar_run_due
      "select at from yieldstar_run"
          + " where workflow = ? and at is not null and paused = 0 and at > ?"
          + " order by at limit 1";
  private static final String DUE = // index yieldstar_run_due, and nothing else
      "select at, execution from yieldstar_run"
          + " where workflow = ? and at is not null and paused = 0 and at <= ?"
          + " order by at, execution";

  private SqliteDue() {}

  /// When the first of these workflows' executions is due, or has been since; null for none.
  static @Nullable Instant first(Session session, Collection<String> workflows)
      throws SQLException {
    return earliest(session, FIRST, workflows, Parameters::name);
  }

  /// When the first of them is due after `moment`; null where none is.
  static @Nullable Instant firstAfter(Session session, Collection<String> workflows, Instant moment)
      throws SQLException {
    return earliest(
        session, FIRST_AFTER, workflows, (row, workflow) -> row.name(workflow).time(moment));
  }

  private interface Binding {
    Parameters bind(Parameters row, String workflow) throws SQLException;
  }

  private static @Nullable Instant earliest(
      Session session, String sql, Collection<String> workflows, Binding binding)
      throws SQLException {
    PreparedStatement query = session.statement(sql);
    Instant first = null;
    for (String workflow : workflows) {
      binding.bind(new Parameters(query), workflow);
      try (ResultSet row = query.executeQuery()) {
        Instant at = row.next() ? new Columns(row).time() : null;
        first = at != null && (first == null || at.isBefore(first)) ? at : first;
      }
    }
    return first;
  }

  /// Gives the internal ids of what is due, earliest first, for as long as `wanted` says so.
  static void visit(
      Session session, Collection<String> workflows, Instant now, LongPredicate wanted)
      throws SQLException {
    var heads = new PriorityQueue<Head>();
    var open = new ArrayList<ResultSet>();
    try {
      for (String workflow : workflows) {
        // A statement of its own for each, since all of their results are open at once.
        PreparedStatement query = session.statement(DUE + " -- " + open.size());
        new Parameters(query).name(workflow).time(now);
        open.add(query.executeQuery());
        push(heads, open.getLast());
      }
      while (!heads.isEmpty()) {
        Head head = heads.remove();
        if (!wanted.test(head.execution())) {
          return;
        }
        push(heads, head.rest());
      }
    } finally {
      close(open);
    }
  }

  private static void close(List<ResultSet> results) throws SQLException {
    for (ResultSet result : results) {
      result.close();
    }
  }

  private static void push(PriorityQueue<Head> heads, ResultSet rows) throws SQLException {
    if (rows.next()) {
      heads.add(new Head(rows.getLong(1), rows.getLong(2), rows));
    }
  }

  /// The first row that is left of one workflow's, and the others.
  private record Head(long at, long execution, ResultSet rest) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(execution, other.execution);
    }
  }
}
