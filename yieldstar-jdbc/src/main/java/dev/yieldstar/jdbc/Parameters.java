package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The parameters of a statement, bound one after the other.
final class Parameters {
  private final PreparedStatement statement;
  private int last;

  Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  Parameters number(long value) throws SQLException {
    statement.setLong(++last, value);
    return this;
  }

  Parameters number(int value) throws SQLException {
    statement.setInt(++last, value);
    return this;
  }

  Parameters nothing() throws SQLException {
    statement.setNull(++last, Types.NULL);
    return this;
  }

  /// An id, a key, a code: text that is known to be storable as it is.
  Parameters name(@Nullable String value) throws SQLException {
    statement.setString(++last, value);
    return this;
  }

  /// Text from anywhere, kept exactly.
  Parameters text(@Nullable String value) throws SQLException {
    return name(Texts.stored(value));
  }

  Parameters payload(@Nullable Payload value) throws SQLException {
    statement.setBytes(++last, value == null ? null : value.stored());
    return this;
  }

  /// An instant, as the milliseconds since the epoch.
  Parameters time(@Nullable Instant value) throws SQLException {
    return value == null ? nothing() : number(value.toEpochMilli());
  }
}
