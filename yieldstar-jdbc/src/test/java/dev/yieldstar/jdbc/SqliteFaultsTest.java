package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.BackendException.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SqliteFaultsTest {
  private static final String REFUSE =
      """
      create trigger refuse before insert on yieldstar_step when new.key = 'poison'
      begin select raise(abort, 'poison'); end
      """;

  @TempDir Path folder;
  private Path file;
  private Backend backend;

  @BeforeEach
  void open() {
    file = folder.resolve("yieldstar.db");
    backend = Sqlite.file(file, Sqlite.Options.standard().busyTimeout(Duration.ofMillis(100)));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void aValueThatTheDatabaseRefusesIsDataAndNothingOfItsBatchIsCommitted() throws SQLException {
    Lease lease = Sample.leased(backend, "execution-", 1).getFirst();
    Plain.run(file, REFUSE);
    assertFault(
        Fault.DATA,
        () ->
            backend.commit(
                List.of(
                    Sample.step(lease, "first"),
                    Sample.step(lease, "poison"),
                    new Command.Pause("execution-0"),
                    new Command.Cancel("execution-0", "no more"))));

    assertThat(Plain.ask(file, "select count(*) from yieldstar_step")).containsExactly("0");
    assertThat(backend.find("execution-0").orElseThrow().live().cancelled()).isFalse();
    assertThat(backend.commit(List.of(Sample.step(lease, "first"))).getFirst())
        .isInstanceOf(Reply.Recorded.class);
  }

  @Test
  void aLockThatAnotherProcessKeepsIsUnavailableAndGoesBy() throws SQLException {
    Lease lease = Sample.leased(backend, "execution-", 1).getFirst();
    try (Connection other = Plain.connect(file)) {
      Plain.run(other, "begin immediate");
      assertFault(Fault.UNAVAILABLE, () -> backend.commit(List.of(Sample.step(lease, "a"))));
      assertThat(backend.find("execution-0")).as("reads don't wait").isPresent();
      Plain.run(other, "rollback");
    }
    assertThat(backend.commit(List.of(Sample.step(lease, "a"))).getFirst())
        .isInstanceOf(Reply.Recorded.class);
  }

  @Test
  void anInterruptedThreadWaitsForTheLockAllTheSameAndStaysInterrupted() throws SQLException {
    Lease lease = Sample.leased(backend, "execution-", 1).getFirst();
    try (Connection other = Plain.connect(file)) {
      Plain.run(other, "begin immediate");
      Thread.currentThread().interrupt();
      assertFault(Fault.UNAVAILABLE, () -> backend.commit(List.of(Sample.step(lease, "a"))));
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aMissingTableIsUnavailableUntilItIsBack() throws SQLException {
    Lease lease = Sample.leased(backend, "execution-", 1).getFirst();
    Plain.run(file, "alter table yieldstar_step rename to elsewhere");
    assertFault(Fault.UNAVAILABLE, () -> backend.commit(List.of(Sample.step(lease, "a"))));
    Plain.run(file, "alter table elsewhere rename to yieldstar_step");
    assertThat(backend.commit(List.of(Sample.step(lease, "a"))).getFirst())
        .isInstanceOf(Reply.Recorded.class);
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "an open file can't be deleted there")
  void aFileThatIsDeletedWhileItIsInUseIsNoticed() throws IOException {
    Lease lease = Sample.leased(backend, "execution-", 1).getFirst();
    Files.delete(file);
    // It is looked at every 50 ms.
    assertFault(
        Fault.UNAVAILABLE,
        () -> {
          for (int i = 0; i < 100_000; i++) {
            backend.commit(List.of(Sample.step(lease, "a")));
          }
        });
    assertFault(Fault.UNAVAILABLE, () -> backend.commit(List.of(Sample.step(lease, "b"))));
    assertThat(file).as("no empty one takes its place").doesNotExist();
  }

  private static void assertFault(Fault fault, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(BackendException.class, e -> assertThat(e.fault()).isEqualTo(fault))
        .hasMessageContaining("yieldstar.db");
  }
}
