/// Backends over `java.sql`: the application brings the driver of its database.
///
/// [Sqlite] is where to start: everything in one file, for one process or several on one machine.
/// What is about tables and rows whatever the database is apart from what is SQLite's own, whose
/// classes begin with `Sqlite`.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.jdbc;
