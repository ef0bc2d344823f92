package dev.yieldstar.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One numbered step by which a schema came to be: a file `NNNN-name.sql`, whose first line says
/// the lowest version of the library that may use a schema with it. Its statements end with a
/// semicolon at the end of a line. Once released its text never changes.
record Migration(
    int version, String name, LibraryVersion lowestLibrary, String sql, String checksum) {
  private static final Pattern FILE = Pattern.compile("(\\d{4})-([a-z-]+)\\.sql");
  private static final Pattern LOWEST =
      Pattern.compile("^-- Lowest library version: (\\S+)\n", Pattern.MULTILINE);

  static Migration of(String folder, String file) {
    Matcher name = FILE.matcher(file);
    String sql = Resources.text(folder + "/" + file);
    Matcher lowest = LOWEST.matcher(sql);
    if (!name.matches() || !lowest.find()) {
      throw new IllegalStateException(file + " is not named, or does not begin, as a migration");
    }
    return new Migration(
        Integer.parseInt(name.group(1)),
        name.group(2),
        new LibraryVersion(lowest.group(1)),
        sql,
        sha256(sql));
  }

  /// What is to be executed, statement by statement.
  static List<String> statements(String sql) {
    String uncommented = sql.replaceAll("(?m)^\\s*--.*\n", "");
    return Stream.of(uncommented.split(";\n"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
