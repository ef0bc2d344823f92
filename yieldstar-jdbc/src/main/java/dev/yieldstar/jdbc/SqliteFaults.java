package dev.yieldstar.jdbc;

import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.BackendException.Fault;
import java.sql.SQLException;

/// What SQLite's result codes say about what is at fault.
final class SqliteFaults {
  static final int BUSY = 5;
  static final int LOCKED = 6;
  static final int READ_ONLY = 8;
  static final int CANNOT_OPEN = 14;
  static final int NOT_A_DATABASE = 26;

  private static final int TOO_BIG = 18;
  private static final int CONSTRAINT = 19;
  private static final int MISMATCH = 20;

  private SqliteFaults() {}

  /// The primary result code: what extended codes say more is only for people.
  static int code(SQLException failure) {
    return failure.getErrorCode() & 0xff;
  }

  static boolean isBusy(SQLException failure) {
    int code = code(failure);
    return code == BUSY || code == LOCKED;
  }

  private static boolean isData(SQLException failure) {
    int code = code(failure);
    return code == TOO_BIG || code == CONSTRAINT || code == MISMATCH;
  }

  static BackendException of(SQLException failure, String file) {
    if (isData(failure)) {
      return new BackendException(
          Fault.DATA,
          "SQLite refuses a value for %s: %s".formatted(file, failure.getMessage()),
          failure);
    }
    return new BackendException(
        Fault.UNAVAILABLE,
        "SQLite could not use %s: %s".formatted(file, failure.getMessage()),
        failure);
  }

  static BackendException replaced(String file) {
    return new BackendException(
        Fault.UNAVAILABLE,
        "%s was moved, replaced or deleted while it was in use: what is written now would be lost. Put it back, with the files beside it."
            .formatted(file),
        null);
  }

  static BackendException closed(String file) {
    return new BackendException(
        Fault.CLOSED, "The backend of %s has been closed.".formatted(file), null);
  }
}
