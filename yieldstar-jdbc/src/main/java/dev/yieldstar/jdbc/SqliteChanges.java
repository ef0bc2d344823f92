package dev.yieldstar.jdbc;

import dev.yieldstar.execution.ExecutionState;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changed executions, sorted by what has to be written of each, and written one statement a kind.
final class SqliteChanges {
  static final String APPEND =
      "insert into yieldstar_step (execution, incarnation, "
          + StepRow.COLUMNS
          + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String ADMIT =
      "insert into yieldstar_execution ("
          + ExecutionRow.ADMITTED
          + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String CONTINUE =
      "update yieldstar_execution set incarnation = ?, current_params = ? where execution = ?";
  private static final String END =
      "update yieldstar_execution set " + ExecutionRow.ENDED + " where execution = ?";
  private static final String BEGIN_RUN =
      "insert into yieldstar_run (execution, workflow, "
          + RunRow.COLUMNS
          + ") values (?, ?"
          + ", ?".repeat(RunRow.COUNT)
          + ")";
  private static final String CHANGE_RUN =
      "update yieldstar_run set " + RunRow.DUE + ", " + RunRow.REST + " where execution = ?";
  private static final String CHANGE_REST =
      "update yieldstar_run set " + RunRow.REST + " where execution = ?";
  private static final String END_RUN = "delete from yieldstar_run where execution = ?";

  private final Session session;
  private final List<ExecutionState> admitted = new ArrayList<>();
  private final List<ExecutionState> continued = new ArrayList<>();
  private final List<ExecutionState> ended = new ArrayList<>();
  private final List<ExecutionState> runsBegun = new ArrayList<>();
  private final List<ExecutionState> runsChanged = new ArrayList<>();
  private final List<ExecutionState> restChanged = new ArrayList<>();
  private final List<ExecutionState> runsEnded = new ArrayList<>();

  SqliteChanges(Session session) {
    this.session = session;
  }

  void add(@Nullable ExecutionState before, ExecutionState after) {
    if (before == null) {
      admitted.add(after);
      (after.run() == null ? ended : runsBegun).add(after);
      return;
    }
    if (before.incarnation() != after.incarnation()) {
      continued.add(after);
    }
    if (after.run() == null) {
      ended.add(after);
      runsEnded.add(after);
    } else if (RunRow.sameDue(before.live(), after.run())) {
      restChanged.add(after);
    } else {
      runsChanged.add(after);
    }
  }

  void write() throws SQLException {
    batch(ADMIT, admitted, ExecutionRow::bindAdmitted);
    batch(
        CONTINUE,
        continued,
        (row, state) ->
            row.number(state.incarnation())
                .payload(ExecutionRow.currentParams(state))
                .number(state.key()));
    batch(END, ended, (row, state) -> ExecutionRow.bindEnd(row, state.ended()).number(state.key()));
    batch(
        BEGIN_RUN,
        runsBegun,
        (row, state) -> {
          row.number(state.key()).name(state.admission().workflow());
          RunRow.bindRest(RunRow.bindDue(row, state.live()), state);
        });
    batch(
        CHANGE_RUN,
        runsChanged,
        (row, state) ->
            RunRow.bindRest(RunRow.bindDue(row, state.live()), state).number(state.key()));
    batch(
        CHANGE_REST, restChanged, (row, state) -> RunRow.bindRest(row, state).number(state.key()));
    batch(END_RUN, runsEnded, (row, state) -> row.number(state.key()));
  }

  private interface Binding {
    void bind(Parameters row, ExecutionState state) throws SQLException;
  }

  private void batch(String sql, List<ExecutionState> states, Binding binding) throws SQLException {
    if (states.isEmpty()) {
      return;
    }
    PreparedStatement statement = session.statement(sql);
    for (ExecutionState state : states) {
      binding.bind(new Parameters(statement), state);
      statement.addBatch();
    }
    statement.executeBatch();
  }
}
