package dev.yieldstar.jdbc;

import static dev.yieldstar.jdbc.UncheckedSqlException.unchecked;
import static dev.yieldstar.jdbc.UncheckedSqlException.uncheckedLookup;

import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.Workspace;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What one transaction of the writer reads and changes: it reads through, and keeps what was
/// changed until [#store] writes each row once, in its final state.
final class SqliteWorkspace implements Workspace {
  private static final String KEY_OF =
      "select execution from yieldstar_execution where id = ?"; // index yieldstar_execution_id
  private static final String EXISTS =
      "select 1 from yieldstar_execution where execution = ?"; // its key
  private static final String RUN =
      "select " + RunRow.COLUMNS + " from yieldstar_run where execution = ?"; // its key
  // Of most steps that are asked for nothing is recorded: so a look at one column of the index
  // first, since the driver reads the names of all columns for each query.
  private static final String STEP_NUMBER = // index yieldstar_step_key, and nothing else
      "select n from yieldstar_step"
          + " where execution = ? and incarnation = ? and key = ? and attempt = ?";
  private static final String STEP =
      "select " + StepRow.COLUMNS + " from yieldstar_step where n = ?"; // its key
  private static final String JOURNAL = // index yieldstar_step_key
      "select " + StepRow.COLUMNS + " from yieldstar_step where execution = ? and incarnation = ?";
  private static final String WAITERS = // the table's key
      "select waiter from yieldstar_waiter where execution = ? order by waiter";
  private static final String FORGET = // index yieldstar_waiter_waiter
      "delete from yieldstar_waiter where waiter = ?";
  private static final String AWAIT =
      "insert or ignore into yieldstar_waiter (execution, waiter) values (?, ?)";
  private static final String BLOCKED = // index yieldstar_run_blocked
      "select execution from yieldstar_run"
          + " where workflow = ? and attention_version is not null and attention_version <> ?";

  private final Session session;
  private final StateCache cache;
  private final Map<Long, Loaded> loaded = new HashMap<>();
  private final Map<String, Long> keys = new HashMap<>();
  private final Map<Long, ExecutionState> changed = new LinkedHashMap<>();
  private final Map<StepId, StepRecord> appended = new LinkedHashMap<>();

  /// What the database holds of an execution; nothing where it is new.
  private record Loaded(@Nullable ExecutionState state) {}

  private record StepId(long execution, int incarnation, String key, int attempt) {}

  SqliteWorkspace(Session session, StateCache cache) {
    this.session = session;
    this.cache = cache;
  }

  Session session() {
    return session;
  }

  @Override
  public @Nullable ExecutionState byId(String id) {
    Long known = keys.get(id);
    if (known != null) {
      return byKey(known);
    }
    Long found = uncheckedLookup(() -> keyOf(id));
    return found == null ? null : byKey(found);
  }

  private @Nullable Long keyOf(String id) throws SQLException {
    PreparedStatement query = session.statement(KEY_OF);
    new Parameters(query).name(id);
    try (ResultSet row = query.executeQuery()) {
      return row.next() ? row.getLong(1) : null;
    }
  }

  @Override
  public @Nullable ExecutionState byKey(long execution) {
    ExecutionState now = changed.get(execution);
    if (now != null) {
      return now;
    }
    Loaded before = loaded.get(execution);
    if (before != null) {
      return before.state();
    }
    ExecutionState state = uncheckedLookup(() -> load(execution));
    loaded.put(execution, new Loaded(state));
    if (state != null) {
      keys.put(state.id(), execution);
    }
    return state;
  }

  private @Nullable ExecutionState load(long execution) throws SQLException {
    ExecutionState exact = cache.exact(execution);
    if (exact != null) {
      return exact;
    }
    ExecutionState former = cache.former(execution);
    ExecutionState renewed = former == null ? null : renewed(former);
    if (renewed != null) {
      return renewed;
    }
    return exists(execution) ? Executions.byKey(session, execution) : null;
  }

  private boolean exists(long execution) throws SQLException {
    PreparedStatement query = session.statement(EXISTS);
    new Parameters(query).number(execution);
    try (ResultSet row = query.executeQuery()) {
      return row.next();
    }
  }

  /// The state whose run may have changed since, if all else of it is still as it was.
  private @Nullable ExecutionState renewed(ExecutionState former) throws SQLException {
    PreparedStatement query = session.statement(RUN);
    new Parameters(query).number(former.key());
    try (ResultSet row = query.executeQuery()) {
      if (!row.next()) {
        return null;
      }
      RunRow.Read read = RunRow.read(new Columns(row));
      return read.incarnation() == former.incarnation()
          ? new ExecutionState(
              former.admission(), former.incarnation(), former.params(), read.run(), null)
          : null;
    }
  }

  @Override
  public void put(ExecutionState state) {
    loaded.putIfAbsent(state.key(), new Loaded(null));
    keys.put(state.id(), state.key());
    changed.put(state.key(), state);
  }

  @Override
  public @Nullable StepRecord step(long execution, int incarnation, String key, int attempt) {
    StepRecord now = appended.get(new StepId(execution, incarnation, key, attempt));
    if (now != null || isNew(execution)) {
      return now;
    }
    return uncheckedLookup(() -> storedStep(execution, incarnation, key, attempt));
  }

  private @Nullable StepRecord storedStep(long execution, int incarnation, String key, int attempt)
      throws SQLException {
    PreparedStatement number = session.statement(STEP_NUMBER);
    new Parameters(number).number(execution).number(incarnation).name(key).number(attempt);
    long n;
    try (ResultSet row = number.executeQuery()) {
      if (!row.next()) {
        return null;
      }
      n = row.getLong(1);
    }
    PreparedStatement step = session.statement(STEP);
    new Parameters(step).number(n);
    try (ResultSet row = step.executeQuery()) {
      row.next();
      return StepRow.read(new Columns(row));
    }
  }

  private boolean isNew(long execution) {
    Loaded before = loaded.get(execution);
    return before != null && before.state() == null && changed.containsKey(execution);
  }

  @Override
  public List<StepRecord> journal(long execution, int incarnation) {
    List<StepRecord> journal = unchecked(() -> stored(execution, incarnation));
    appended.forEach(
        (id, record) -> {
          if (id.execution() == execution && id.incarnation() == incarnation) {
            journal.add(record);
          }
        });
    return journal;
  }

  private List<StepRecord> stored(long execution, int incarnation) throws SQLException {
    var journal = new ArrayList<StepRecord>();
    PreparedStatement query = session.statement(JOURNAL);
    new Parameters(query).number(execution).number(incarnation);
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        journal.add(StepRow.read(new Columns(row)));
      }
    }
    return journal;
  }

  @Override
  public void append(long execution, int incarnation, StepRecord record) {
    appended.put(new StepId(execution, incarnation, record.key(), record.attempt()), record);
  }

  @Override
  public List<Long> waitersOn(long execution) {
    return unchecked(
        () -> {
          PreparedStatement query = session.statement(WAITERS);
          new Parameters(query).number(execution);
          return Executions.keys(query);
        });
  }

  /// Written at once: what is asked of waiters later in the batch is read back.
  @Override
  public void await(long waiter, List<Long> executions) {
    unchecked(
        () -> {
          PreparedStatement forget = session.statement(FORGET);
          new Parameters(forget).number(waiter);
          forget.executeUpdate();
          PreparedStatement await = session.statement(AWAIT);
          for (long execution : executions) {
            new Parameters(await).number(execution).number(waiter);
            await.executeUpdate();
          }
          return waiter;
        });
  }

  @Override
  public List<Long> blockedUnderAnother(String workflow, String version) {
    var blocked =
        new TreeSet<>(
            unchecked(
                () -> {
                  PreparedStatement query = session.statement(BLOCKED);
                  new Parameters(query).name(workflow).text(version);
                  return Executions.keys(query);
                }));
    for (ExecutionState state : changed.values()) {
      blocked.remove(state.key());
      if (state.admission().workflow().equals(workflow)
          && isBlockedUnderAnother(state.run(), version)) {
        blocked.add(state.key());
      }
    }
    return List.copyOf(blocked);
  }

  private static boolean isBlockedUnderAnother(@Nullable Run run, String version) {
    return run != null
        && run.attention() != null
        && run.attention().version() != null
        && !run.attention().version().equals(version);
  }

  /// Writes what was changed.
  void store() throws SQLException {
    var changes = new SqliteChanges(session);
    changed.forEach(
        (execution, state) -> {
          Loaded before = loaded.get(execution);
          changes.add(before == null ? null : before.state(), state);
        });
    changes.write();
    if (!appended.isEmpty()) {
      PreparedStatement insert = session.statement(SqliteChanges.APPEND);
      for (Map.Entry<StepId, StepRecord> step : appended.entrySet()) {
        Parameters row = new Parameters(insert);
        row.number(step.getKey().execution()).number(step.getKey().incarnation());
        StepRow.bind(row, step.getValue());
        insert.addBatch();
      }
      insert.executeBatch();
    }
    changed.forEach((execution, state) -> loaded.put(execution, new Loaded(state)));
    changed.clear();
    appended.clear();
  }

  /// After the commit: what was read and written is what others will find.
  void committed() {
    for (Loaded now : loaded.values()) {
      if (now.state() != null) {
        cache.keep(now.state());
      }
    }
  }
}
