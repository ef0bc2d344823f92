package dev.yieldstar.jdbc;

/// What opening a backend does about the tables that it needs.
public enum Migrate {
  /// Creates what is missing. Safe where several processes open at once. The default.
  APPLY,
  /// Changes nothing, and refuses tables that are missing, older than this library needs, or not
  /// made by the script of this library.
  VALIDATE,
  /// Changes nothing, and refuses tables only where there are none, or where they are too new.
  NONE
}
