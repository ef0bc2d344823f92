package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.YieldstarException;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteOpeningTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("yieldstar.db");
  }

  @Nested
  class WhatIsNoPlaceForIt {
    @Test
    void aDirectoryIsRefused() {
      assertRefused("SQLITE_IS_A_DIRECTORY", () -> Sqlite.file(folder))
          .hasMessageContaining(folder.toString());
    }

    @Test
    void aFileInAFolderThatIsNotThereIsRefused() {
      Path lost = folder.resolve("no").resolve("such.db");
      assertRefused("SQLITE_FOLDER_MISSING", () -> Sqlite.file(lost))
          .hasMessageContaining(lost.toString());
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndLeftAlone() throws IOException {
      String text = "Dear diary, ".repeat(1_000);
      Files.writeString(file, text);
      assertRefused("SQLITE_NOT_A_DATABASE", () -> Sqlite.file(file))
          .hasMessageContaining(file.toString());
      assertThat(file).hasContent(text);
    }

    @Test
    void aDatabaseOfSomethingElseIsRefusedAndLeftAlone() throws SQLException {
      Plain.run(file, "create table customers (id integer primary key)");
      assertRefused("SQLITE_FOREIGN_DATABASE", () -> Sqlite.file(file))
          .hasMessageContaining("besideOtherTables");
      assertThat(Plain.ask(file, "pragma journal_mode")).containsExactly("delete");
      assertThat(Plain.ask(file, "select name from sqlite_schema")).containsExactly("customers");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderThatCannotBeWrittenToIsRefused() {
      assertRefused("SQLITE_NOT_WRITABLE", () -> Sqlite.file(Path.of("/proc/yieldstar.db")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "CIFS", "smb3", "fuse.sshfs", "9p"})
    void aNetworkFileSystemIsRefused(String type) {
      assertRefused("SQLITE_NETWORK_FILE_SYSTEM", () -> sqliteFile().refuseNetwork(type))
          .hasMessageContaining(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "apfs", "NTFS", "overlay", "tmpfs", "zfs"})
    void aLocalFileSystemIsAccepted(String type) {
      sqliteFile().refuseNetwork(type);
    }

    @Test
    void anOldSqliteIsRefused() {
      assertRefused("SQLITE_TOO_OLD", () -> sqliteFile().refuseOldVersion("3.51.2"))
          .hasMessageContaining("3.51.3");
      sqliteFile().refuseOldVersion("3.51.3");
      sqliteFile().refuseOldVersion("3.54.1");
      sqliteFile().refuseOldVersion("4.0");
    }

    @Test
    void aFileThatIsLockedIsToldFromOneThatIsReadOnly() {
      assertThat(sqliteFile().openFailed(new SQLException("", "", 5)).code())
          .isEqualTo("SQLITE_BUSY");
      assertThat(sqliteFile().openFailed(new SQLException("", "", 8)).code())
          .isEqualTo("SQLITE_NOT_WRITABLE");
      assertThat(sqliteFile().openFailed(new SQLException("", "", 10)).code())
          .isEqualTo("SQLITE_UNAVAILABLE");
    }

    private SqliteFile sqliteFile() {
      return new SqliteFile(file, Sqlite.Options.standard().settings());
    }
  }

  @Nested
  class TheSchema {
    @Test
    void isCreatedOnceAndFoundAgain() throws SQLException {
      Sqlite.file(file).close();
      List<String> first = Plain.ask(file, "select sql from sqlite_schema order by name");
      Sqlite.file(file, Sqlite.Options.standard().migrate(Migrate.VALIDATE)).close();
      assertThat(Plain.ask(file, "select sql from sqlite_schema order by name")).isEqualTo(first);
      assertThat(Plain.ask(file, "select version from yieldstar_schema_version"))
          .containsExactly("1");
    }

    @Test
    void isTheSameWhenTheScriptWasRunByHand() throws SQLException {
      for (String statement : Migration.statements(Sqlite.migrationScript())) {
        Plain.run(file, statement);
      }
      List<String> byHand = Plain.ask(file, "select sql from sqlite_schema order by name");
      Sqlite.file(file, Sqlite.Options.standard().migrate(Migrate.VALIDATE)).close();

      file = folder.resolve("other.db");
      Sqlite.file(file).close();
      assertThat(Plain.ask(file, "select sql from sqlite_schema order by name")).isEqualTo(byHand);
    }

    @Test
    void standsBesideTheTablesOfAnApplicationWhereThatIsMeant() throws SQLException {
      Plain.run(file, "create table run (id integer primary key)");
      Sqlite.file(file, Sqlite.Options.standard().besideOtherTables(true)).close();
      Sqlite.file(file).close();
      assertThat(Plain.ask(file, "select name from sqlite_schema where type = 'table'"))
          .contains("run", "yieldstar_run");
    }

    @Test
    void isNotCreatedByAProcessThatOnlyValidates() throws SQLException {
      for (Migrate migrate : List.of(Migrate.VALIDATE, Migrate.NONE)) {
        assertRefused(
            "SCHEMA_OUTDATED", () -> Sqlite.file(file, Sqlite.Options.standard().migrate(migrate)));
      }
      assertThat(Plain.ask(file, "select name from sqlite_schema")).isEmpty();
    }

    @Test
    void isRefusedWhenItIsTooNew() throws SQLException {
      Sqlite.file(file).close();
      recordLaterMigration("99.1.0");
      for (Migrate migrate : Migrate.values()) {
        assertRefused(
                "SCHEMA_TOO_NEW",
                () -> Sqlite.file(file, Sqlite.Options.standard().migrate(migrate)))
            .hasMessageContaining("99.1.0")
            .hasMessageContaining(LibraryVersion.current().text())
            .hasMessageContaining(file.toString());
      }
    }

    @Test
    void isUsedWhenALaterVersionHasOnlyAddedToIt() throws SQLException {
      Sqlite.file(file).close();
      recordLaterMigration("0.1.0");
      Sqlite.file(file).close();
      Sqlite.file(file, Sqlite.Options.standard().migrate(Migrate.VALIDATE)).close();
    }

    @Test
    void isRefusedWhenItWasMadeByAnotherText() throws SQLException {
      Sqlite.file(file).close();
      Plain.run(file, "update yieldstar_schema_version set checksum = 'another'");
      assertRefused("SCHEMA_CHANGED", () -> Sqlite.file(file));
      Sqlite.file(file, Sqlite.Options.standard().migrate(Migrate.NONE)).close();
    }

    @Test
    void isAsItWasAfterAMigrationThatFailed() throws SQLException {
      Sqlite.file(file).close();
      List<String> before = Plain.ask(file, "select sql from sqlite_schema order by name");
      var library = LibraryVersion.current();
      var broken =
          new Migration(
              2, "broken", library, "create table half (x);\ncreate nonsense;\n", "checksum");
      var known = new ArrayList<>(SqliteSchema.migrations());
      known.add(broken);
      var sqliteFile = new SqliteFile(file, Sqlite.Options.standard().settings());
      var schema = new SqliteSchema(sqliteFile, SqliteSchema.of(known, library));
      assertThatThrownBy(() -> new SqliteOpening(sqliteFile, schema).run())
          .isInstanceOf(YieldstarException.class);
      assertThat(Plain.ask(file, "select sql from sqlite_schema order by name")).isEqualTo(before);
    }

    @RepeatedTest(10)
    void isCreatedOnceByManyWhoOpenAtTheSameTime() throws Exception {
      try (var threads = Executors.newFixedThreadPool(8)) {
        List<Future<Backend>> opened = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          opened.add(threads.submit(() -> Sqlite.file(file)));
        }
        for (Future<Backend> backend : opened) {
          backend.get().close();
        }
      }
      assertThat(Plain.ask(file, "select count(*) from yieldstar_schema_version"))
          .containsExactly("1");
    }

    private void recordLaterMigration(String lowestLibrary) throws SQLException {
      Plain.run(
          file,
          "insert into yieldstar_schema_version values (99, 'later', 'x', '%s', 0)"
              .formatted(lowestLibrary));
    }
  }

  @Nested
  class WhatIsClosed {
    @Test
    void answersThatItIsClosedHoweverOftenItWasClosed() {
      Backend backend = Sqlite.file(file);
      backend.close();
      backend.close();
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> backend.commit(List.of()),
              () -> backend.find("x"),
              () -> backend.claimed(1),
              backend::changedElsewhere)) {
        assertThatThrownBy(call)
            .isInstanceOfSatisfying(
                BackendException.class,
                e -> assertThat(e.fault()).isEqualTo(BackendException.Fault.CLOSED));
      }
    }

    @Test
    void leavesOneFileBehind() {
      Sqlite.file(file).close();
      assertThat(folder).isDirectoryContaining(path -> path.equals(file));
      assertThat(folder.toFile().list()).hasSize(1);
    }
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertRefused(
      String code, ThrowingCallable open) {
    return assertThatThrownBy(open)
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
