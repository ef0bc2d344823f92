package dev.yieldstar.jdbc;

import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Run;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The live part of an execution as a row.
final class RunRow {
  /// What claims look at: an update that leaves these as they are touches no index.
  static final String DUE = "at = ?, paused = ?";

  /// The other columns that change while an execution is live, as an update sets them.
  static final String REST =
      "token = ?, lease_id = ?, acknowledged_token = ?, acknowledged_lease = ?, incarnation = ?,"
          + " wakes = ?, cancel_reason = ?, revision = ?, compensations = ?, unacknowledged = ?,"
          + " passed = ?, last_delivery = ?, attention_code = ?, attention_message = ?,"
          + " attention_version = ?, waiting_for = ?, waits = ?";

  /// All of them, as they are inserted and read: first those of [#DUE], then those of [#REST].
  static final String COLUMNS = (DUE + ", " + REST).replace(" = ?", "");

  static final int COUNT = COLUMNS.split(",").length;

  /// The columns with their table before each, for a join.
  static String columnsOf(String table) {
    return table + "." + COLUMNS.replace(", ", ", " + table + ".");
  }

  private RunRow() {}

  /// A run, and the incarnation that it is of.
  record Read(Run run, int incarnation) {}

  /// Whether what claims look at is as it was.
  static boolean sameDue(Run before, Run after) {
    return before.paused() == after.paused() && java.util.Objects.equals(before.at(), after.at());
  }

  static Parameters bindDue(Parameters row, Run run) throws SQLException {
    return row.time(run.at()).number(run.paused() ? 1 : 0);
  }

  static Parameters bindRest(Parameters row, ExecutionState state) throws SQLException {
    Run run = state.live();
    Attention attention = run.attention();
    return row.number(run.token())
        .number(run.leaseId())
        .number(run.acknowledgedToken())
        .number(run.acknowledgedLease())
        .number(state.incarnation())
        .number(run.wakes())
        .text(run.cancelReason())
        .number(run.revision())
        .number(run.compensations())
        .number(run.unacknowledged())
        .number(run.passed())
        .number(code(run.last()))
        .text(attention == null ? null : attention.code())
        .text(attention == null ? null : attention.message())
        .text(attention == null ? null : attention.version())
        .text(run.waitingFor())
        .number(run.waits());
  }

  static Read read(Columns row) throws SQLException {
    Instant at = row.timeOrNull();
    boolean paused = row.truth();
    long token = row.number();
    long leaseId = row.number();
    long acknowledgedToken = row.number();
    long acknowledgedLease = row.number();
    int incarnation = row.smallNumber();
    var run =
        new Run(
            at,
            token,
            leaseId,
            acknowledgedToken,
            acknowledgedLease,
            row.number(),
            paused,
            row.textOrNull(),
            row.number(),
            row.smallNumber(),
            row.smallNumber(),
            row.smallNumber(),
            last(row.smallNumber()),
            attention(row.textOrNull(), row.textOrNull(), row.textOrNull()),
            row.textOrNull(),
            row.smallNumber());
    return new Read(run, incarnation);
  }

  private static @Nullable Attention attention(
      @Nullable String code, @Nullable String message, @Nullable String version) {
    return code == null || message == null ? null : new Attention(code, message, version);
  }

  /// The numbers that databases keep; never given to another.
  private static int code(LastDelivery last) {
    return switch (last) {
      case NONE -> 0;
      case ACKNOWLEDGED -> 1;
      case HANDED_OVER -> 2;
      case BACKEND -> 3;
      case FAILED -> 4;
      case BLOCKED -> 5;
      case LEASE_PASSED -> 6;
    };
  }

  private static LastDelivery last(int code) {
    return switch (code) {
      case 0 -> LastDelivery.NONE;
      case 1 -> LastDelivery.ACKNOWLEDGED;
      case 2 -> LastDelivery.HANDED_OVER;
      case 3 -> LastDelivery.BACKEND;
      case 4 -> LastDelivery.FAILED;
      case 5 -> LastDelivery.BLOCKED;
      case 6 -> LastDelivery.LEASE_PASSED;
      default ->
          throw new IllegalArgumentException(
              "no delivery ends as number "
                  + code
                  + "; it was recorded by a newer version of the library");
    };
  }
}
