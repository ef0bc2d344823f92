package dev.yieldstar.jdbc;

import dev.yieldstar.YieldstarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/*
 * Nothing here, or anywhere in this process, may open the database file but SQLite: POSIX drops all
 * locks of a process on a file when it closes any descriptor of it, those that SQLite holds included.
 */
/// A database file: what is checked before it is used, and how connections to it are made.
final class SqliteFile {
  private static final Set<String> NETWORK =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb",
          "smb2",
          "smb3",
          "smbfs",
          "afpfs",
          "webdav",
          "davfs",
          "davfs2",
          "ncpfs",
          "afs",
          "ceph",
          "glusterfs",
          "lustre",
          "gpfs",
          "9p",
          "vboxsf",
          "vmhgfs");
  private static final String LOWEST_VERSION = "3.51.3";

  private final Path path;
  private final Settings options;

  /// How it is opened.
  record Settings(
      InstantSource clock, Migrate migrate, boolean besideOtherTables, Duration busyTimeout) {}

  SqliteFile(Path path, Settings options) {
    this.path = real(path.toAbsolutePath());
    this.options = options;
  }

  private static Path real(Path path) {
    try {
      return Files.exists(path) ? path.toRealPath() : path;
    } catch (IOException e) {
      return path;
    }
  }

  Settings options() {
    return options;
  }

  InstantSource clock() {
    return options.clock();
  }

  /// Refuses what can be seen to be no place for a database without opening it.
  void check() {
    Path folder = path.getParent();
    if (Files.isDirectory(path)) {
      throw refused("IS_A_DIRECTORY", "it is a directory. Give the path of a file", null);
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw refused(
          "FOLDER_MISSING",
          "its folder %s does not exist. Create it first".formatted(folder),
          null);
    }
    refuseNetwork(storeType(folder));
    if (Files.exists(path) && !Files.isWritable(path)) {
      throw refused(
          "NOT_WRITABLE", "this process may not write to it. Change its owner or mode", null);
    }
    if (!Files.isWritable(folder)) {
      throw refused(
          "NOT_WRITABLE",
          "this process may not write to its folder, where the write-ahead log lies beside it. Change the folder's owner or mode",
          null);
    }
  }

  private static String storeType(Path folder) {
    try {
      return Files.getFileStore(folder).type();
    } catch (IOException e) {
      return "unknown";
    }
  }

  void refuseNetwork(String type) {
    String plain = type.toLowerCase(Locale.ROOT);
    boolean remoteInUserSpace = plain.startsWith("fuse.") && !plain.equals("fuse.fuse-overlayfs");
    if (NETWORK.contains(plain) || remoteInUserSpace || path.toString().startsWith("\\\\")) {
      throw refused(
          "NETWORK_FILE_SYSTEM",
          "it lies on a network file system (%s), where neither SQLite's locks nor its shared memory work. Use a local disk, or PostgreSQL"
              .formatted(type),
          null);
    }
  }

  /// What tells this file from another one of the same path; null where the file system can't say,
  /// or there is none.
  @Nullable Object identity() {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /// A connection that may create the file, as good as new: nothing is set on it.
  Session create() throws SQLException {
    return connect(SQLiteOpenMode.CREATE);
  }

  /// The connection that writes.
  ///
  /// It never waits inside SQLite, whose pauses between tries grow to 100 ms: the writer has its
  /// own.
  Session writer() throws SQLException {
    return prepared(
        "pragma synchronous = full",
        // Only macOS knows the difference: there a flush leaves data in the disk's own memory.
        "pragma fullfsync = 1",
        "pragma wal_autocheckpoint = 0",
        "pragma journal_size_limit = " + SqliteLog.KEPT_BYTES,
        "pragma cache_size = -64000",
        "pragma temp_store = memory",
        // The first look recovers the log where a process has crashed, or waits for who does.
        "pragma data_version",
        "pragma busy_timeout = 0");
  }

  /// A connection that only reads.
  Session reader() throws SQLException {
    return prepared(
        "pragma query_only = 1",
        "pragma wal_autocheckpoint = 0",
        "pragma cache_size = -8000",
        "pragma temp_store = memory");
  }

  private Session prepared(String... settings) throws SQLException {
    Session session = connect(null);
    try {
      for (String setting : settings) {
        session.runOnce(setting);
      }
      return session;
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  private Session connect(@Nullable SQLiteOpenMode create) throws SQLException {
    var config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    if (create != null) {
      config.setOpenMode(create);
    }
    config.setGetGeneratedKeys(false);
    config.setBusyTimeout((int) Math.min(options.busyTimeout().toMillis(), Integer.MAX_VALUE));
    var connection = config.createConnection("jdbc:sqlite:" + address());
    // Transactions are begun and ended by statements of our own. With the driver's autocommit it
    // would try to begin one after each; with its manual mode it would begin the next one, and hold
    // its lock, at each commit.
    ((SQLiteConnection) connection).getConnectionConfig().setAutoCommit(false);
    return new Session(connection);
  }

  /// The driver takes what follows a question mark for settings.
  private String address() {
    String plain = path.toString();
    return plain.contains("?") ? path.toUri().toString() : plain;
  }

  void refuseOldVersion(String version) {
    if (new LibraryVersion(version).compareTo(new LibraryVersion(LOWEST_VERSION)) < 0) {
      throw refused(
          "TOO_OLD",
          "the driver brings SQLite %s, and %s is the first without a bug that can corrupt files which several connections write to. Update org.xerial:sqlite-jdbc"
              .formatted(version, LOWEST_VERSION),
          null);
    }
  }

  /// What it means that the file could not be opened.
  YieldstarException openFailed(SQLException failure) {
    return switch (SqliteFaults.code(failure)) {
      case SqliteFaults.NOT_A_DATABASE ->
          refused(
              "NOT_A_DATABASE",
              "it is no SQLite database, or is encrypted. Give the path of another file",
              failure);
      case SqliteFaults.READ_ONLY, SqliteFaults.CANNOT_OPEN ->
          refused(
              "NOT_WRITABLE",
              "SQLite can't write to it. Check the owner and mode of the file and its folder",
              failure);
      case SqliteFaults.BUSY, SqliteFaults.LOCKED ->
          refused(
              "BUSY",
              "another process has kept it locked. End that process's transaction, or set a longer busyTimeout",
              failure);
      default -> refused("UNAVAILABLE", failure.getMessage(), failure);
    };
  }

  YieldstarException refused(String code, @Nullable String why, @Nullable Throwable cause) {
    return new YieldstarException(
        "SQLITE_" + code, "%s can't be used: %s.".formatted(path, why), cause);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
