package dev.yieldstar.cli.demo;

import dev.yieldstar.Execution;
import dev.yieldstar.ExecutionView;
import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.jdbc.Sqlite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Runs an order in a process that it kills with SIGKILL in the middle, starts another one, and
/// proves from journal and ledger what happened. Exit code 0 only if all of it went as promised.
@Command(
    name = "demo",
    description =
        "Runs an order workflow, kills its process in the middle, and lets another go on.",
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(20);

  /// From the end of the charge into the wait that follows it, which is recorded by then.
  private static final Duration INTO_THE_WAIT = Duration.ofMillis(500);

  @Option(names = "--plain", description = "No colours.")
  boolean plain;

  @Option(
      names = "--folder",
      description = "Keeps database, ledger and logs in this folder, which must be empty.")
  Path folder;

  @Spec CommandSpec spec;

  /// Made by picocli, which sets the options.
  @SuppressWarnings("NullAway.Init")
  public DemoCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (folder != null && !isUsable(folder)) {
      throw new ParameterException(
          spec.commandLine(), "--folder needs a folder that is empty or not there yet: " + folder);
    }
    Path at = folder == null ? Files.createTempDirectory("yieldstar-demo") : folder;
    Files.createDirectories(at);
    var timeline = new Timeline(out, Instant.now(), !plain && Ansi.AUTO.enabled());
    try {
      return play(at, timeline, out);
    } finally {
      if (folder == null) {
        delete(at);
      }
    }
  }

  private static boolean isUsable(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private static int play(Path at, Timeline timeline, PrintWriter out)
      throws IOException, InterruptedException {
    out.println("An order: charge (the payment service fails twice), wait, reserve, ship.");
    out.flush();
    try (var client = Yieldstar.on(Sqlite.file(DemoWorker.database(at))).client()) {
      return play(at, client.execution(DemoWorker.EXECUTION), timeline, out);
    }
  }

  private static int play(Path at, Execution<?> order, Timeline timeline, PrintWriter out)
      throws IOException, InterruptedException {
    WorkerProcess first = WorkerProcess.start(at, 1);
    if (!awaitCharge(at, first)) {
      return failed(out, "the first process did not get as far as charging", first);
    }
    Thread.sleep(INTO_THE_WAIT);
    boolean killed = first.kill();
    Instant killedAt = Instant.now();
    List<StepView> before = order.journal();

    WorkerProcess second = WorkerProcess.start(at, 2);
    boolean ended = second.await(LIMIT);
    Instant endedAt = Instant.now();
    var report = new DemoReport(before, order.journal(), DemoWorker.ledger(at).lines());

    timeline.heading("First process");
    report.printFirst(timeline);
    timeline.bad(killedAt, "killed    SIGKILL, in the middle of the wait");
    timeline.heading("Second process, on the same database file");
    timeline.note(
        second.startedAt(), "started   takes over once the lease of the killed one has passed");
    report.printSecond(timeline);
    if (!ended) {
      return failed(out, "the second process did not complete the order", second);
    }
    return conclude(order.view(), report, killed, timeline, endedAt, out);
  }

  private static int conclude(
      ExecutionView view,
      DemoReport report,
      boolean killed,
      Timeline timeline,
      Instant endedAt,
      PrintWriter out) {
    timeline.good(endedAt, "result    " + view.result().orElse("none"));
    boolean completed = view.status() == Status.COMPLETED;
    boolean survived = completed && killed && report.wasCutInTheMiddle();
    out.println();
    out.printf(
        "demo: %s, %d steps, %d replayed, %d repeated, %d crash survived%n",
        completed ? "completed" : view.status().name().toLowerCase(java.util.Locale.ROOT),
        report.steps(),
        report.replayed(),
        report.repeated(),
        survived ? 1 : 0);
    out.flush();
    return survived && report.repeated() == 0 && report.replayed() > 0 ? 0 : 1;
  }

  /// Waits until the ledger says that the payment went through.
  private static boolean awaitCharge(Path at, WorkerProcess worker) throws InterruptedException {
    Instant deadline = Instant.now().plus(LIMIT);
    while (worker.isAlive() && Instant.now().isBefore(deadline)) {
      boolean charged =
          DemoWorker.ledger(at).lines().stream()
              .anyMatch(line -> line.step().equals("charge") && line.what().equals("ended"));
      if (charged) {
        return true;
      }
      Thread.sleep(LOOK);
    }
    return false;
  }

  private static int failed(PrintWriter out, String what, WorkerProcess worker) throws IOException {
    out.printf("demo: failed, %s. What it logged:%n%s%n", what, worker.logged());
    out.flush();
    return 1;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
