package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The columns of a result's row, read one after the other.
final class Columns {
  private final ResultSet row;
  private int last;

  Columns(ResultSet row) {
    this.row = row;
  }

  long number() throws SQLException {
    return row.getLong(++last);
  }

  int smallNumber() throws SQLException {
    return row.getInt(++last);
  }

  boolean truth() throws SQLException {
    return number() != 0;
  }

  String name() throws SQLException {
    return Objects.requireNonNull(row.getString(++last));
  }

  @Nullable String nameOrNull() throws SQLException {
    return row.getString(++last);
  }

  String text() throws SQLException {
    return Objects.requireNonNull(textOrNull());
  }

  @Nullable String textOrNull() throws SQLException {
    return Texts.read(row.getString(++last));
  }

  Payload payload() throws SQLException {
    return Objects.requireNonNull(payloadOrNull());
  }

  @Nullable Payload payloadOrNull() throws SQLException {
    byte[] stored = row.getBytes(++last);
    return stored == null ? null : Payload.ofStored(stored);
  }

  Instant time() throws SQLException {
    return Instant.ofEpochMilli(number());
  }

  @Nullable Instant timeOrNull() throws SQLException {
    long millis = row.getLong(++last);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  Columns skip(int columns) {
    last += columns;
    return this;
  }
}
