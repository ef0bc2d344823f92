package dev.yieldstar.jdbc;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Claim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Another process on the same file. It opens the file, says `ready`, waits for a line, and then
/// says on each line what it was told is committed.
final class SqliteProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final PrintWriter input;

  private SqliteProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /// @param task `write` or `claim`
  /// @param amount how many executions to write to at once, or to claim at once
  /// @param millis for how long
  static SqliteProcess start(Path file, String task, int amount, long millis) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SqliteProcess.class.getName(),
            file.toString(),
            task,
            String.valueOf(amount),
            String.valueOf(millis));
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    return new SqliteProcess(builder.start());
  }

  long pid() {
    return process.pid();
  }

  void awaitReady() throws IOException {
    if (!"ready".equals(output.readLine())) {
      throw new IOException("the other process could not open the file");
    }
  }

  void go() {
    input.println("go");
  }

  /// The next line, null after the last one.
  @Nullable String line() throws IOException {
    return output.readLine();
  }

  /// What it still says until it has ended.
  List<String> rest() {
    return output.lines().toList();
  }

  /// Ends it at once, wherever it is: `kill -9`. What it has said can still be read.
  void kill() {
    process.toHandle().destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws IOException {
    int amount = Integer.parseInt(arguments[2]);
    try (Backend backend = Sqlite.file(Path.of(arguments[0]))) {
      System.out.println("ready");
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      long end = System.nanoTime() + Long.parseLong(arguments[3]) * 1_000_000;
      switch (arguments[1]) {
        case "write" -> write(backend, amount, end);
        case "claim" -> claim(backend, amount, end);
        default -> throw new IllegalArgumentException(arguments[1]);
      }
    }
  }

  /// A step of each of its executions in every commit; says how many it has.
  private static void write(Backend backend, int amount, long end) {
    List<Lease> leases = Sample.leased(backend, ProcessHandle.current().pid() + "-", amount);
    for (int round = 1; System.nanoTime() < end; round++) {
      String key = String.valueOf(round);
      backend.commit(leases.stream().<Command>map(lease -> Sample.step(lease, key)).toList());
      System.out.println(round);
    }
  }

  /// Claims and completes until nothing is due; says what it has completed.
  private static void claim(Backend backend, int amount, long end) {
    while (System.nanoTime() < end) {
      List<Claim> claims = backend.claim(Sample.claim(amount, "order")).claims();
      if (claims.isEmpty()) {
        return;
      }
      backend.commit(
          claims.stream().<Command>map(claim -> Sample.completed(claim.lease())).toList());
      claims.forEach(claim -> System.out.println(claim.execution().orElseThrow().id()));
    }
  }
}
