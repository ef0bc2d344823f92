/// The SQLite backend of Yieldstar for Java. The driver is the application's to bring.
module dev.yieldstar.jdbc {
  requires transitive dev.yieldstar.core;
  requires transitive java.sql;
  requires tools.jackson.databind;
  requires static org.xerial.sqlitejdbc;
  requires static transitive org.jspecify;

  exports dev.yieldstar.jdbc;
}
