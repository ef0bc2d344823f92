package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.ParentLink;
import dev.yieldstar.execution.Terminal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an execution was admitted with, and how it ended, as a row.
final class ExecutionRow {
  /// What is written at its admission.
  static final String ADMITTED =
      "execution, id, workflow, version, fingerprint, attributes, parent_id, parent_step,"
          + " forked_from, admitted_at, incarnation, current_params, params, context";

  /// What is written at its end, as an update sets it.
  static final String ENDED =
      "outcome = ?, finished_at = ?, end_token = ?, end_lease = ?, reason = ?, result = ?";

  /// What [#readEnd] reads.
  static final String END = ENDED.replace(" = ?", "");

  // The numbers that databases keep for outcomes; never given to another.
  private static final int COMPLETED = 1;
  private static final int FAILED = 2;
  private static final int CANCELLED = 3;

  private ExecutionRow() {}

  static String columnsOf(String table) {
    return table + "." + (END + ", " + ADMITTED).replace(", ", ", " + table + ".");
  }

  static void bindAdmitted(Parameters row, ExecutionState state) throws SQLException {
    Admission admission = state.admission();
    ParentLink parent = admission.parent();
    row.number(admission.execution())
        .name(admission.id())
        .name(admission.workflow())
        .text(admission.version())
        .text(admission.fingerprint())
        .text(Attributes.stored(admission.attributes()))
        .name(parent == null ? null : parent.executionId())
        .name(parent == null ? null : parent.stepKey())
        .name(admission.forkedFrom())
        .time(admission.admittedAt())
        .number(state.incarnation())
        .payload(currentParams(state))
        .payload(admission.params())
        .payload(admission.context());
  }

  /// The params of an incarnation after the first; those of the first are its admission's.
  static @Nullable Payload currentParams(ExecutionState state) {
    return state.incarnation() == 1 ? null : state.params();
  }

  static Parameters bindEnd(Parameters row, Terminal end) throws SQLException {
    switch (end.outcome()) {
      case Outcome.Completed(var result) -> bindEnd(row, end, COMPLETED, null, result);
      case Outcome.Failed(var error) -> bindEnd(row, end, FAILED, null, error);
      case Outcome.Cancelled(var reason) -> bindEnd(row, end, CANCELLED, reason, null);
    }
    return row;
  }

  private static void bindEnd(
      Parameters row, Terminal end, int outcome, @Nullable String reason, @Nullable Payload result)
      throws SQLException {
    row.number(outcome)
        .time(end.finishedAt())
        .number(end.token())
        .number(end.leaseId())
        .text(reason)
        .payload(result);
  }

  /// The columns of [#END]; null where it has not ended.
  static @Nullable Terminal readEnd(Columns row) throws SQLException {
    int outcome = row.smallNumber();
    Instant finishedAt = row.time();
    long token = row.number();
    long lease = row.number();
    String reason = row.textOrNull();
    Payload result = row.payloadOrNull();
    return outcome == 0
        ? null
        : new Terminal(outcome(outcome, reason, result), finishedAt, token, lease);
  }

  private static Outcome outcome(int outcome, @Nullable String reason, @Nullable Payload result) {
    return switch (outcome) {
      case COMPLETED -> new Outcome.Completed(Objects.requireNonNull(result));
      case FAILED -> new Outcome.Failed(Objects.requireNonNull(result));
      case CANCELLED -> new Outcome.Cancelled(Objects.requireNonNull(reason));
      default ->
          throw new IllegalArgumentException(
              "no outcome has the number "
                  + outcome
                  + "; it was recorded by a newer version of the library");
    };
  }

  /// A row of [#columnsOf], followed by those of [RunRow#columnsOf] from an outer join.
  static ExecutionState read(Columns row) throws SQLException {
    Terminal end = readEnd(row);
    long execution = row.number();
    String id = row.name();
    String workflow = row.name();
    String version = row.textOrNull();
    String fingerprint = row.text();
    String attributes = row.textOrNull();
    String parentId = row.nameOrNull();
    String parentStep = row.nameOrNull();
    String forkedFrom = row.nameOrNull();
    Instant admittedAt = row.time();
    int incarnation = row.smallNumber();
    Payload currentParams = row.payloadOrNull();
    Payload params = row.payloadOrNull();
    Payload context = row.payloadOrNull();
    var admission =
        new Admission(
            execution,
            id,
            workflow,
            version,
            params,
            fingerprint,
            context,
            Attributes.read(attributes),
            parentId == null || parentStep == null ? null : new ParentLink(parentId, parentStep),
            forkedFrom,
            admittedAt);
    return new ExecutionState(
        admission,
        incarnation,
        incarnation == 1 ? params : currentParams,
        end == null ? RunRow.read(row).run() : null,
        end);
  }
}
