package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SqliteDurabilityTest {
  private static final int COPIES = 12;

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("yieldstar.db");
  }

  /// A copy of the files is what a machine that crashed at that moment would find.
  @Test
  @DisplayName("G1 G10 a copy of the files while they are written has all that was acknowledged")
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "copies with cp")
  void aCopyOfTheFilesWhileTheyAreWrittenHasAllThatWasAcknowledged() throws Exception {
    long seed = Long.parseLong(seed());
    var random = new Random(seed);
    var acknowledged = new AtomicInteger();
    var stop = new AtomicBoolean();
    try (Backend backend = Sqlite.file(file)) {
      List<Lease> leases = Sample.leased(backend, "execution-", 10);
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(() -> write(backend, leases, acknowledged, stop));
      try {
        for (int copy = 0; copy < COPIES; copy++) {
          int wanted = acknowledged.get() + random.nextInt(150);
          while (acknowledged.get() < wanted && !writer.isDone()) {
            Thread.onSpinWait();
          }
          Path crashed = folder.resolve("crashed-" + copy + ".db");
          int atLeast = copyOf(crashed, acknowledged);
          try (Backend recovered = Sqlite.file(crashed)) {
            for (Lease lease : leases) {
              assertThat(steps(recovered, lease))
                  .as("-Dseed=%d", seed)
                  .isGreaterThanOrEqualTo(atLeast);
            }
          }
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  private static String seed() {
    String seed = System.getProperty("seed", "");
    return seed.isEmpty() ? String.valueOf(new Random().nextLong()) : seed;
  }

  private static void write(
      Backend backend, List<Lease> leases, AtomicInteger acknowledged, AtomicBoolean stop) {
    while (!stop.get()) {
      String key = String.valueOf(acknowledged.get());
      backend.commit(leases.stream().<Command>map(lease -> Sample.step(lease, key)).toList());
      acknowledged.incrementAndGet();
    }
  }

  /// Copies the database and then its log. Where the log was copied into the database meanwhile it
  /// is no picture of one moment, and is taken again.
  private int copyOf(Path copy, AtomicInteger acknowledged)
      throws IOException, InterruptedException {
    while (true) {
      FileTime before = Files.getLastModifiedTime(file);
      int atLeast = acknowledged.get();
      // By another process: closing a file drops the locks that this process has on it.
      cp(file, copy);
      cp(Path.of(file + "-wal"), Path.of(copy + "-wal"));
      if (Files.getLastModifiedTime(file).equals(before)) {
        return atLeast;
      }
    }
  }

  private static void cp(Path from, Path to) throws IOException, InterruptedException {
    Process cp = new ProcessBuilder("cp", from.toString(), to.toString()).inheritIO().start();
    assertThat(cp.waitFor()).isZero();
  }

  private static int steps(Backend backend, Lease lease) {
    var incarnation = new Incarnation(lease.execution(), 1);
    List<JournalPage> pages = SqliteAgainstMemoryTest.pages(backend, List.of(incarnation), 100_000);
    return pages.getFirst().rows().size();
  }

  @Test
  void theLogStaysShortHoweverMuchIsWritten() throws IOException {
    try (Backend backend = Sqlite.file(file)) {
      List<Lease> leases = Sample.leased(backend, "execution-", 500);
      long longest = 0;
      for (int round = 0; round < 150; round++) {
        String key = String.valueOf(round);
        backend.commit(leases.stream().<Command>map(lease -> Sample.step(lease, key)).toList());
        longest = Math.max(longest, Files.size(Path.of(file + "-wal")));
      }
      assertThat(Files.size(file)).as("what was written").isGreaterThan(20L << 20);
      assertThat(longest).isLessThan(80L << 20);
    }
    assertThat(Path.of(file + "-wal")).doesNotExist();
  }
}
