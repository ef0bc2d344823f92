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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Measures how fast steps are recorded, against single rows committed by plain JDBC to the same
/// file system at the same time. Run by hand: `SqliteBench [folder] [seconds]`.
final class SqliteBench {
  private static final int STEPS = 10;

  private SqliteBench() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    Path parent =
        Path.of(arguments.length > 0 ? arguments[0] : System.getProperty("java.io.tmpdir"));
    double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 3;
    for (String turn : List.of("warming up", "measured")) {
      System.out.println(turn);
      try (var raw = new Raw(folder(parent));
          var one = new Records(folder(parent), 1);
          var fifty = new Records(folder(parent), 50);
          var many = new Records(folder(parent), 500);
          var whole = new Whole(folder(parent), 500)) {
        // A commit of each in turn, so that both see the same disk.
        List<Times> single = timed(2 * seconds, raw, one);
        report("raw, one row a commit", single.get(0), 1);
        report("records, batches of 1", single.get(1), 1);
        System.out.printf(
            "  a commit of one record against a raw one: p50 %.2f times as long%n",
            single.get(1).percentile(50) / single.get(0).percentile(50));
        report("records, batches of 50", timed(seconds, fifty).getFirst(), 50);
        report("records, batches of 500", timed(seconds, many).getFirst(), 500);
        report("whole executions, batches of 500", timed(seconds, whole).getFirst(), 500);
      }
    }
  }

  private static Path folder(Path parent) throws IOException {
    return Files.createTempDirectory(parent, "bench");
  }

  /// Something that commits once a round.
  private interface Work extends AutoCloseable {
    /// What is not counted.
    default void prepare(int round) {}

    void run(int round) throws SQLException;

    @Override
    void close() throws SQLException;
  }

  /// Time in all, and of this thread on a processor, of each commit; sorted.
  private record Times(List<Long> nanos, long cpuNanos) {
    double percentile(int percent) {
      return nanos.get(nanos.size() * percent / 100) / 1e6;
    }

    double seconds() {
      return nanos.stream().mapToLong(Long::longValue).sum() / 1e9;
    }
  }

  private static void report(String what, Times times, int rows) {
    long all = (long) times.nanos().size() * rows;
    System.out.printf(
        "  %-34s %,10.0f rows/s; a commit: p50 %,7.3f ms, p99 %,7.3f ms; CPU %,5.1f us a row%n",
        what,
        all / times.seconds(),
        times.percentile(50),
        times.percentile(99),
        times.cpuNanos() / 1e3 / all);
  }

  private static List<Times> timed(double seconds, Work... works) throws SQLException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    var nanos = new long[works.length][1 << 20];
    var cpu = new long[works.length];
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int round = 0;
    for (; System.nanoTime() < end; round++) {
      for (int i = 0; i < works.length; i++) {
        works[i].prepare(round);
        long cpuBefore = threads.getCurrentThreadCpuTime();
        long before = System.nanoTime();
        works[i].run(round);
        nanos[i][round] = System.nanoTime() - before;
        cpu[i] += threads.getCurrentThreadCpuTime() - cpuBefore;
      }
    }
    int rounds = round;
    return Stream.iterate(0, i -> i < works.length, i -> i + 1)
        .map(i -> new Times(Arrays.stream(nanos[i], 0, rounds).sorted().boxed().toList(), cpu[i]))
        .toList();
  }

  /// The least that a durable row costs: one insert, one commit, nothing read, no other index.
  private static final class Raw implements Work {
    private final Connection connection;
    private final PreparedStatement insert;

    Raw(Path folder) throws SQLException {
      connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("raw.db"));
      Plain.run(connection, "pragma journal_mode = wal");
      Plain.run(connection, "pragma synchronous = full");
      Plain.run(connection, "create table step (n integer primary key, key text, value blob)");
      insert = connection.prepareStatement("insert into step (key, value) values (?, ?)");
    }

    @Override
    public void run(int round) throws SQLException {
      insert.setString(1, "step-" + round);
      insert.setBytes(2, Sample.VALUE.stored());
      insert.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /// A step of each of as many executions as a batch has commands; others after ten steps, whose
  /// admission is not counted.
  private static final class Records implements Work {
    private final Backend backend;
    private final int batch;
    private List<Lease> leases = List.of();

    Records(Path folder, int batch) {
      this.backend = Sqlite.file(folder.resolve("records.db"));
      this.batch = batch;
    }

    @Override
    public void prepare(int round) {
      if (round % STEPS == 0) {
        leases = Sample.leased(backend, round + "-", batch);
      }
    }

    @Override
    public void run(int round) {
      String key = "step-" + round % STEPS;
      backend.commit(leases.stream().<Command>map(lease -> Sample.step(lease, key)).toList());
    }

    @Override
    public void close() {
      backend.close();
    }
  }

  /// Executions that are admitted born leased, record three steps and complete: five commits.
  private static final class Whole implements Work {
    private static final int COMMITS = 5;

    private final Backend backend;
    private final int batch;
    private List<Lease> leases = List.of();

    Whole(Path folder, int batch) {
      this.backend = Sqlite.file(folder.resolve("executions.db"));
      this.batch = batch;
    }

    @Override
    public void run(int round) {
      int commit = round % COMMITS;
      if (commit == 0) {
        leases = Sample.leased(backend, "round-" + round + "-", batch);
        return;
      }
      boolean last = commit == COMMITS - 1;
      backend.commit(
          leases.stream()
              .<Command>map(
                  lease -> last ? Sample.completed(lease) : Sample.step(lease, "step-" + commit))
              .toList());
    }

    @Override
    public void close() {
      backend.close();
    }
  }
}
