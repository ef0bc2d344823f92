package dev.yieldstar.jdbc;

import dev.yieldstar.YieldstarException;
import dev.yieldstar.spi.Backend;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/// The SQLite backend: everything in one file on a local disk.
/// - Durable when it says so: each commit is on the disk before it is answered
///   (`synchronous=FULL`).
/// - Several processes on one machine may share the file. Network file systems are refused.
/// - Beside the file lie its write-ahead log (`-wal`) and the index of that (`-shm`): they belong
///   to it, and are gone after the last process has closed it.
///
/// The driver, `org.xerial:sqlite-jdbc`, is the application's to bring.
public final class Sqlite {
  private Sqlite() {}

  /// The backend in this file, which is created where it isn't there.
  ///
  /// @throws YieldstarException with a code that begins with `SQLITE_` where the file can't be
  ///   used, or with `SCHEMA_` where its tables can't
  public static Backend file(Path file) {
    return file(file, Options.standard());
  }

  /// The backend in this file, opened this way.
  ///
  /// @throws YieldstarException as [#file(Path)]
  public static Backend file(Path file, Options options) {
    return SqliteBackend.open(new SqliteFile(file, options.settings()));
  }

  /// The SQL that makes all tables, for those who run it with a tool of their own and open with
  /// [Migrate#VALIDATE]. It is for a database without any of them.
  public static String migrationScript() {
    return SqliteSchema.script();
  }

  /// How a file is opened.
  ///
  /// @param clock the backend's time; the system's
  /// @param migrate what is done about missing tables; they are created
  /// @param besideOtherTables whether the tables may be created in a database that holds those of
  ///   an application; without it such a file is taken for a mistake
  /// @param busyTimeout how long a write waits for other processes; 5 s
  public record Options(
      InstantSource clock, Migrate migrate, boolean besideOtherTables, Duration busyTimeout) {
    public Options {
      if (busyTimeout.isNegative()) {
        throw new IllegalArgumentException("busyTimeout must not be negative, was " + busyTimeout);
      }
    }

    public static Options standard() {
      return new Options(InstantSource.system(), Migrate.APPLY, false, Duration.ofSeconds(5));
    }

    SqliteFile.Settings settings() {
      return new SqliteFile.Settings(clock, migrate, besideOtherTables, busyTimeout);
    }

    public Options clock(InstantSource source) {
      return new Options(source, migrate, besideOtherTables, busyTimeout);
    }

    public Options migrate(Migrate what) {
      return new Options(clock, what, besideOtherTables, busyTimeout);
    }

    public Options besideOtherTables(boolean allowed) {
      return new Options(clock, migrate, allowed, busyTimeout);
    }

    public Options busyTimeout(Duration timeout) {
      return new Options(clock, migrate, besideOtherTables, timeout);
    }
  }
}
