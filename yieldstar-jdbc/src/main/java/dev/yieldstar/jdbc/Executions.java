package dev.yieldstar.jdbc;

import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.Terminal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads whole executions.
final class Executions {
  private static final String COLUMNS =
      ExecutionRow.columnsOf("execution") + ", " + RunRow.columnsOf("run");
  private static final String ALL =
      "select "
          + COLUMNS
          + " from yieldstar_execution execution"
          + " left join yieldstar_run run on run.execution = execution.execution";
  private static final String BY_KEY = ALL + " where execution.execution = ?"; // both keys
  private static final String BY_ID = ALL + " where execution.id = ?"; // yieldstar_execution_id
  private static final String LEASED_UNDER =
      "select "
          + COLUMNS
          + " from yieldstar_run run"
          + " cross join yieldstar_execution execution on execution.execution = run.execution"
          + " where run.lease_id = ? order by run.execution";

  private static final String END = // index yieldstar_execution_id
      "select "
          + ExecutionRow.END
          + " from yieldstar_execution where id = ? and outcome is not null";
  private static final String STANDING = // the table's key
      "select cancel_reason, paused, wakes from yieldstar_run"
          + " where execution = ? and incarnation = ? and token = ? and lease_id = ?";

  private Executions() {}

  static @Nullable ExecutionState byKey(Session session, long execution) throws SQLException {
    PreparedStatement query = session.statement(BY_KEY);
    new Parameters(query).number(execution);
    return first(query);
  }

  static @Nullable ExecutionState byId(Session session, String id) throws SQLException {
    PreparedStatement query = session.statement(BY_ID);
    new Parameters(query).name(id);
    return first(query);
  }

  /// Those that are leased under this lease id. Looks at every live execution: it is asked only
  /// where the reply of a claim got lost.
  static List<ExecutionState> leasedUnder(Session session, long leaseId) throws SQLException {
    PreparedStatement query = session.statement(LEASED_UNDER);
    new Parameters(query).number(leaseId);
    var states = new ArrayList<ExecutionState>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        states.add(ExecutionRow.read(new Columns(row)));
      }
    }
    return states;
  }

  /// The ends of those that have ended, by id.
  static Map<String, Terminal> ends(Session session, Collection<String> ids) throws SQLException {
    var ends = new HashMap<String, Terminal>();
    PreparedStatement query = session.statement(END);
    for (String id : ids) {
      new Parameters(query).name(id);
      try (ResultSet row = query.executeQuery()) {
        Terminal end = row.next() ? ExecutionRow.readEnd(new Columns(row)) : null;
        if (end != null) {
          ends.put(id, end);
        }
      }
    }
    return ends;
  }

  /// What has been asked of those whose lease is current, by internal id.
  static Map<Long, Standing> standing(Session session, Collection<Lease> leases)
      throws SQLException {
    var standing = new HashMap<Long, Standing>();
    PreparedStatement query = session.statement(STANDING);
    for (Lease lease : leases) {
      new Parameters(query)
          .number(lease.execution())
          .number(lease.incarnation())
          .number(lease.token())
          .number(lease.id());
      try (ResultSet row = query.executeQuery()) {
        if (row.next()) {
          var columns = new Columns(row);
          standing.put(
              lease.execution(),
              new Standing(columns.textOrNull(), columns.truth(), columns.number()));
        }
      }
    }
    return standing;
  }

  private static @Nullable ExecutionState first(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      return row.next() ? ExecutionRow.read(new Columns(row)) : null;
    }
  }

  /// The numbers of the first column.
  static List<Long> keys(PreparedStatement query) throws SQLException {
    var keys = new ArrayList<Long>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        keys.add(row.getLong(1));
      }
    }
    return keys;
  }
}
