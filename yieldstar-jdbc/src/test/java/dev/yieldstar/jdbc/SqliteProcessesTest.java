package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several processes on one file.
class SqliteProcessesTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("yieldstar.db");
  }

  @ParameterizedTest(name = "batches of {0}")
  @ValueSource(ints = {1, 100})
  void twoProcessesThatWriteAsFastAsTheyCanEachGetAThird(int batch) throws IOException {
    try (var one = SqliteProcess.start(file, "write", batch, 2_000);
        var two = SqliteProcess.start(file, "write", batch, 2_000)) {
      one.awaitReady();
      two.awaitReady();
      one.go();
      two.go();
      int first = one.rest().size();
      int second = two.rest().size();
      System.out.printf("batches of %d: %d and %d commits%n", batch, first, second);
      assertThat(Math.min(first, second)).isGreaterThan((first + second) / 3);
    }
  }

  @Test
  @DisplayName("LEA-06 two processes never claim the same execution")
  void twoProcessesNeverClaimTheSameExecution() throws IOException {
    List<Command> admissions =
        IntStream.range(0, 1_000)
            .<Command>mapToObj(i -> Sample.admit("execution-" + i, "order"))
            .toList();
    try (Backend backend = Sqlite.file(file);
        var one = SqliteProcess.start(file, "claim", 10, 60_000);
        var two = SqliteProcess.start(file, "claim", 10, 60_000)) {
      backend.commit(admissions);
      one.awaitReady();
      two.awaitReady();
      one.go();
      two.go();
      List<String> claimed = new ArrayList<>(one.rest());
      List<String> others = two.rest();
      assertThat(claimed).isNotEmpty();
      assertThat(others).isNotEmpty();
      claimed.addAll(others);
      assertThat(claimed).hasSize(1_000).doesNotHaveDuplicates();
      assertThat(backend.changedElsewhere()).isTrue();
    }
  }

  @Test
  @DisplayName("G1 G10 what a process was told is committed outlives its killing")
  void whatAProcessWasToldIsCommittedOutlivesItsKilling() throws IOException {
    var random = new Random();
    for (int kill = 0; kill < 3; kill++) {
      int acknowledged = 0;
      String pid;
      try (var process = SqliteProcess.start(file, "write", 20, 60_000)) {
        process.awaitReady();
        process.go();
        int last = 50 + random.nextInt(300);
        while (acknowledged < last) {
          acknowledged = Integer.parseInt(String.valueOf(process.line()));
        }
        pid = process.pid() + "-";
        process.kill();
        acknowledged += process.rest().size();
      }
      try (Backend backend = Sqlite.file(file)) {
        for (int i = 0; i < 20; i++) {
          assertThat(steps(backend, pid + i)).isBetween(acknowledged, acknowledged + 1);
        }
      }
    }
  }

  private static int steps(Backend backend, String id) {
    ExecutionState state = backend.find(id).orElseThrow();
    var incarnation = new Incarnation(state.key(), 1);
    JournalPage page =
        SqliteAgainstMemoryTest.pages(backend, List.of(incarnation), 10_000).getFirst();
    return page.rows().size();
  }
}
