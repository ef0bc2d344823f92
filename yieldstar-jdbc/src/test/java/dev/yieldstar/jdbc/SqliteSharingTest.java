package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two backends on one file, as two processes would have them.
class SqliteSharingTest {
  private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

  @TempDir Path folder;
  private final ManualClock clock = new ManualClock(START);
  private Path file;
  private Backend one;
  private Backend two;

  @BeforeEach
  void open() {
    file = folder.resolve("yieldstar.db");
    one = Sqlite.file(file, Sqlite.Options.standard().clock(clock));
    two = Sqlite.file(file, Sqlite.Options.standard().clock(clock));
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  @Test
  void eachSeesAtOnceWhatTheOtherHasCommitted() {
    Lease lease = Sample.leased(one, "execution-", 1).getFirst();
    assertThat(two.find("execution-0").orElseThrow().live().leaseId()).isEqualTo(lease.id());
    two.commit(List.of(new Command.Cancel("execution-0", "enough")));
    assertThat(one.commit(List.of(Sample.step(lease, "a"))).getFirst())
        .isEqualTo(new Reply.CancelledBefore("enough"));
    one.commit(List.of(Sample.completed(lease)));
    assertThat(two.commit(List.of(new Command.Wake("execution-0"))).getFirst())
        .isInstanceOf(Reply.Finished.class);
  }

  @Test
  void eachIsToldOnceThatTheOtherHasCommitted() {
    one.commit(List.of(Sample.admit("a", "order")));
    assertThat(one.changedElsewhere()).as("by itself").isFalse();
    two.commit(List.of(Sample.admit("b", "order")));
    // Within its own transaction it looks whenever it has one.
    one.commit(List.of(Sample.admit("c", "order")));
    assertThat(one.changedElsewhere()).isTrue();
    assertThat(one.changedElsewhere()).isFalse();
  }

  @Test
  void aLookThatFindsNothingDueWritesNothing() {
    two.commit(List.of());
    one.commit(List.of(Sample.admit("later", "order", new Due.After(Duration.ofMinutes(1)))));
    two.commit(List.of());
    assertThat(two.changedElsewhere()).isTrue();
    for (int i = 0; i < 3; i++) {
      ClaimReply reply = one.claim(Sample.claim(5, "order"));
      assertThat(reply).isEqualTo(new ClaimReply(List.of(), START, START.plusSeconds(60)));
    }
    two.commit(List.of());
    assertThat(two.changedElsewhere()).isFalse();
  }

  @Test
  void aLookSeesWhatBecameDueByTheClockByItsOwnProcessAndByAnother() {
    one.commit(List.of(Sample.admit("later", "order", new Due.After(Duration.ofMinutes(1)))));
    assertThat(one.claim(Sample.claim(5, "order")).claims()).isEmpty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(one.claim(Sample.claim(5, "order")).claims()).hasSize(1);
    one.commit(List.of(Sample.admit("own", "order")));
    assertThat(one.claim(Sample.claim(5, "order")).claims()).hasSize(1);
    two.commit(List.of(Sample.admit("other's", "order"), Sample.admit("b", "another")));
    assertThat(one.claim(Sample.claim(5, "order")).claims()).hasSize(1);
    assertThat(one.claim(Sample.claim(5, "order", "another")).claims()).hasSize(1);
    assertThat(one.claim(Sample.claim(5)).claims()).isEmpty();
  }

  @Test
  @DisplayName("SQL-04 no locked database reaches those who claim, record and read side by side")
  void noLockedDatabaseReachesThoseWhoClaimRecordAndReadSideBySide() throws Exception {
    var work = new ArrayList<Callable<Void>>();
    for (Backend backend : List.of(one, two)) {
      for (int i = 0; i < 3; i++) {
        String prefix = backend.hashCode() + "-" + i + "-";
        work.add(() -> record(backend, prefix));
        work.add(() -> claim(backend));
        work.add(() -> read(backend, prefix));
      }
    }
    try (var threads = Executors.newFixedThreadPool(work.size())) {
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    }
  }

  private static @Nullable Void record(Backend backend, String prefix) {
    List<Lease> leases = Sample.leased(backend, prefix, 5);
    for (int round = 0; round < 40; round++) {
      String key = String.valueOf(round);
      backend.commit(leases.stream().<Command>map(lease -> Sample.step(lease, key)).toList());
    }
    backend.commit(leases.stream().<Command>map(Sample::completed).toList());
    return null;
  }

  private static @Nullable Void claim(Backend backend) {
    for (int round = 0; round < 40; round++) {
      backend.commit(List.of(Sample.admit("due-" + Sample.leaseId(), "due")));
      backend.claim(Sample.claim(5, "due"));
      backend.changedElsewhere();
    }
    return null;
  }

  private static @Nullable Void read(Backend backend, String prefix) {
    for (int round = 0; round < 100; round++) {
      backend.find(prefix + "0");
      backend.ends(List.of(prefix + "1", prefix + "2"));
      backend.claimed(1);
    }
    return null;
  }
}
