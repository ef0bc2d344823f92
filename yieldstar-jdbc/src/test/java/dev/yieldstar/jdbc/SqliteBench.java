package dev.yieldstar.jdbc;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.spi.Backend;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/// Measures how fast steps are recorded, against single rows committed by plain JDBC to the same
/// file system. Run by hand: `SqliteBench [folder] [seconds]`.
final class SqliteBench {
  private SqliteBench() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    Path parent =
        Path.of(arguments.length > 0 ? arguments[0] : System.getProperty("java.io.tmpdir"));
    double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 3;
    for (int turn = 0; turn < 2; turn++) {
      System.out.println(turn == 0 ? "warming up" : "measured");
      report("raw, one row a commit", raw(Files.createTempDirectory(parent, "bench"), seconds), 1);
      for (int batch : List.of(1, 50, 500)) {
        report(
            "records, batches of " + batch,
            records(Files.createTempDirectory(parent, "bench"), batch, seconds),
            batch);
      }
      report(
          "whole executions, batches of 500",
          executions(Files.createTempDirectory(parent, "bench"), 500, seconds),
          500);
    }
  }

  /// Time in all, and of this thread on a processor, of each commit.
  private record Times(long[] nanos, long cpuNanos) {}

  private static void report(String what, Times times, int rows) {
    long[] nanos = times.nanos();
    Arrays.sort(nanos);
    double total = Arrays.stream(nanos).sum() / 1e9;
    System.out.printf(
        "  %-34s %,10.0f rows/s; a commit: p50 %,7.3f ms, p99 %,7.3f ms; CPU %,5.1f us a row%n",
        what,
        nanos.length * (double) rows / total,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        times.cpuNanos() / 1e3 / rows / nanos.length);
  }

  private interface Round {
    /// What is not counted.
    default void prepare(int round) {}

    void run(int round) throws SQLException;
  }

  private static Times timed(double seconds, Round work) throws SQLException {
    var nanos = new long[1 << 20];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = 0;
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int round = 0;
    for (; System.nanoTime() < end; round++) {
      work.prepare(round);
      long cpuBefore = threads.getCurrentThreadCpuTime();
      long before = System.nanoTime();
      work.run(round);
      nanos[round] = System.nanoTime() - before;
      cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
    }
    return new Times(Arrays.copyOf(nanos, round), cpu);
  }

  /// The least that a durable row costs: one insert, one commit, nothing read.
  private static Times raw(Path folder, double seconds) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("raw.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = full");
      statement.execute("create table step (n integer primary key, key text, value blob)");
      try (PreparedStatement insert =
          connection.prepareStatement("insert into step (key, value) values (?, ?)")) {
        byte[] value = Sample.VALUE.stored();
        return timed(
            seconds,
            round -> {
              insert.setString(1, "step-" + round);
              insert.setBytes(2, value);
              insert.executeUpdate();
            });
      }
    }
  }

  /// Steps of as many executions as a batch has commands, one of each; others after ten steps.
  /// Their admission is not counted.
  private static Times records(Path folder, int batch, double seconds) throws SQLException {
    try (Backend backend = Sqlite.file(folder.resolve("records.db"))) {
      return timed(
          seconds,
          new Round() {
            private List<Lease> leases = List.of();

            @Override
            public void prepare(int round) {
              if (round % 10 == 0) {
                leases = Sample.leased(backend, round + "-", batch);
              }
            }

            @Override
            public void run(int round) {
              String key = "step-" + round % 10;
              backend.commit(
                  leases.stream().<Command>map(lease -> Sample.step(lease, key)).toList());
            }
          });
    }
  }

  /// Admitted born leased, three steps, completed: five rounds of a batch, of which the middle
  /// three are counted alike.
  private static Times executions(Path folder, int batch, double seconds) throws SQLException {
    try (Backend backend = Sqlite.file(folder.resolve("executions.db"))) {
      var leases =
          new Object() {
            List<Lease> current = List.of();
          };
      return timed(
          seconds,
          round -> {
            if (round % 5 == 0) {
              leases.current = Sample.leased(backend, "round-" + round + "-", batch);
              return;
            }
            backend.commit(
                leases.current.stream()
                    .map(
                        lease ->
                            round % 5 == 4
                                ? Sample.completed(lease)
                                : (Command) Sample.step(lease, "step-" + round % 5))
                    .toList());
          });
    }
  }
}
