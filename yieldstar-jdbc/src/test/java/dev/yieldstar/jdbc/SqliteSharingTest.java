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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
}
