package dev.yieldstar.jdbc;

import dev.yieldstar.YieldstarException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The tables that this library needs in one kind of database, and what it thinks of those it
/// finds. Pure: who asks reads `schema_version` and runs what is missing.
final class Schema {
  private final String versionTable;
  private final List<Migration> migrations;
  private final LibraryVersion library;

  /// A migration that a database has.
  record Applied(int version, String checksum, LibraryVersion lowestLibrary) {}

  Schema(String versionTable, List<Migration> migrations, LibraryVersion library) {
    this.versionTable = versionTable;
    this.migrations = List.copyOf(migrations);
    this.library = library;
  }

  /// The statement that makes the table of what was applied; it is there before all others.
  String versionTable() {
    return versionTable;
  }

  /// What is to be applied, in order.
  ///
  /// @param where the database, for people
  /// @throws YieldstarException if the library must not use what is there
  List<Migration> missing(List<Applied> applied, Migrate migrate, String where) {
    refuseTooNew(applied, where);
    Map<Integer, Applied> found =
        applied.stream().collect(Collectors.toMap(Applied::version, Function.identity()));
    List<Migration> missing =
        migrations.stream().filter(known -> !found.containsKey(known.version())).toList();
    return switch (migrate) {
      case APPLY -> {
        refuseChanged(found, where);
        yield missing;
      }
      case VALIDATE -> {
        refuseChanged(found, where);
        refuseMissing(missing, where);
        yield List.of();
      }
      case NONE -> {
        refuseMissing(applied.isEmpty() ? missing : List.of(), where);
        yield List.of();
      }
    };
  }

  private void refuseTooNew(List<Applied> applied, String where) {
    LibraryVersion lowest =
        applied.stream().map(Applied::lowestLibrary).max(Comparator.naturalOrder()).orElse(library);
    if (lowest.compareTo(library) > 0) {
      throw new YieldstarException(
          "SCHEMA_TOO_NEW",
          "The tables in %s need version %s of Yieldstar or a later one, and this is %s: update the library of this process."
              .formatted(where, lowest, library));
    }
  }

  private void refuseChanged(Map<Integer, Applied> found, String where) {
    for (Migration known : migrations) {
      Applied applied = found.get(known.version());
      if (applied != null && !applied.checksum().equals(known.checksum())) {
        throw new YieldstarException(
            "SCHEMA_CHANGED",
            "Migration %d (%s) of %s was applied with another text than this library has: the tables may not be what it expects. Use the script of this library's version."
                .formatted(known.version(), known.name(), where));
      }
    }
  }

  private void refuseMissing(List<Migration> missing, String where) {
    if (missing.isEmpty()) {
      return;
    }
    throw new YieldstarException(
        "SCHEMA_OUTDATED",
        "%s lacks migration %d (%s) of the tables, and this process was told not to apply it: run the migration script first, or open with Migrate.APPLY."
            .formatted(where, missing.getFirst().version(), missing.getFirst().name()));
  }

  /// All of it as one script, for users who run it with a tool of their own.
  ///
  /// @param record the statement that records that a migration was applied
  String script(Function<Migration, String> record) {
    var script = new StringBuilder(versionTable.strip()).append('\n');
    for (Migration migration : migrations) {
      script.append('\n').append(migration.sql().strip()).append('\n');
      script.append('\n').append(record.apply(migration)).append(";\n");
    }
    return script.toString();
  }
}
