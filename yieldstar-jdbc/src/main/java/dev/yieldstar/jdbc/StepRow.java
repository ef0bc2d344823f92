package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A recorded step as a row.
final class StepRow {
  /// What is bound, in this order, after execution and incarnation; and what is read.
  static final String COLUMNS =
      "key, attempt, position, kind, type, result, until, subject, detail, started_at, recorded_at,"
          + " value";

  // The numbers that databases keep for the kinds of results; never given to another.
  private static final int VALUE = 1;
  private static final int ERROR = 2;
  private static final int RETRY = 3;
  private static final int WAIT = 4;
  private static final int STARTED = 5;
  private static final int REFUSED = 6;

  private StepRow() {}

  static void bind(Parameters row, StepRecord step) throws SQLException {
    row.name(step.key())
        .number(step.attempt())
        .number(step.position())
        .number(step.kind().code())
        .text(step.type());
    switch (step.result()) {
      case StepResult.Value(var value) -> result(row, step, VALUE, null, null, null, value);
      case StepResult.Error(var error) -> result(row, step, ERROR, null, null, null, error);
      case StepResult.Retry(var error, var due) -> result(row, step, RETRY, due, null, null, error);
      case StepResult.Wait(var until) -> result(row, step, WAIT, until, null, null, null);
      case StepResult.Started(var id, var request) ->
          result(row, step, STARTED, null, id, request, null);
      case StepResult.Refused(var code, var message) ->
          result(row, step, REFUSED, null, code, message, null);
    }
  }

  private static void result(
      Parameters row,
      StepRecord step,
      int kind,
      @Nullable Instant until,
      @Nullable String subject,
      @Nullable String detail,
      @Nullable Payload value)
      throws SQLException {
    row.number(kind)
        .time(until)
        .text(subject)
        .text(detail)
        .time(step.startedAt())
        .time(step.recordedAt())
        .payload(value);
  }

  static StepRecord read(Columns row) throws SQLException {
    String key = row.name();
    int attempt = row.smallNumber();
    int position = row.smallNumber();
    StepKind kind = StepKind.ofCode(row.smallNumber());
    String type = row.text();
    int result = row.smallNumber();
    Instant until = row.timeOrNull();
    String subject = row.textOrNull();
    String detail = row.textOrNull();
    Instant startedAt = row.time();
    Instant recordedAt = row.time();
    Payload value = row.payloadOrNull();
    return new StepRecord(
        key,
        attempt,
        position,
        kind,
        type,
        result(result, until, subject, detail, value),
        startedAt,
        recordedAt);
  }

  private static StepResult result(
      int kind,
      @Nullable Instant until,
      @Nullable String subject,
      @Nullable String detail,
      @Nullable Payload value) {
    return switch (kind) {
      case VALUE -> new StepResult.Value(Objects.requireNonNull(value));
      case ERROR -> new StepResult.Error(Objects.requireNonNull(value));
      case RETRY -> new StepResult.Retry(value, Objects.requireNonNull(until));
      case WAIT -> new StepResult.Wait(Objects.requireNonNull(until));
      case STARTED ->
          new StepResult.Started(Objects.requireNonNull(subject), Objects.requireNonNull(detail));
      case REFUSED ->
          new StepResult.Refused(Objects.requireNonNull(subject), Objects.requireNonNull(detail));
      default ->
          throw new IllegalArgumentException(
              "no result of a step has the number "
                  + kind
                  + "; it was recorded by a newer version of the library");
    };
  }
}
