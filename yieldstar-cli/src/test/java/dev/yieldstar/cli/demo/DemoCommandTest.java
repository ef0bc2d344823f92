package dev.yieldstar.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.StepView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {
  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");

  @Test
  void anOrderSurvivesTheKillOfItsProcess(@TempDir Path folder) {
    var out = new StringWriter();
    int exitCode =
        new CommandLine(new DemoCommand())
            .setOut(new PrintWriter(out))
            .execute("--plain", "--folder", folder.toString());

    assertThat(out.toString().lines().toList().getLast())
        .isEqualTo("demo: completed, 4 steps, 2 replayed, 0 repeated, 1 crash survived");
    assertThat(exitCode).isZero();
    assertThat(out.toString()).doesNotContain("\u001b").contains("SIGKILL", "replayed  charge");
    List<Ledger.Line> ledger = DemoWorker.ledger(folder).lines();
    assertThat(ledger)
        .filteredOn(line -> line.what().equals("ended"))
        .extracting(line -> line.process() + " " + line.step())
        .containsExactly("1 charge", "2 reserve", "2 ship");
  }

  @Test
  void aBodyThatRanAgainAfterItsRecordIsCounted() {
    var recorded = List.of(step("charge", 1), step("ship", 1));
    var ledger = List.of(line(1, "charge"), line(2, "charge"), line(2, "ship"));

    var report = new DemoReport(recorded.subList(0, 1), recorded, ledger);

    assertThat(report.repeated()).isEqualTo(1);
    assertThat(report.replayed()).isZero();
    assertThat(report.steps()).isEqualTo(2);
  }

  private static Ledger.Line line(int process, String step) {
    return new Ledger.Line(NOW, process, step, 1, "began");
  }

  private static StepView step(String key, int attempt) {
    return new StepView(
        key,
        attempt,
        "run",
        StepView.State.SUCCEEDED,
        "",
        NOW,
        NOW.plus(Duration.ofMillis(1)),
        Optional.empty(),
        Optional.of("1"),
        Optional.empty());
  }
}
