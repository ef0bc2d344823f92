package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.JournalQuery;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// What can be asked of a backend, and that a closed one refuses.
abstract class ReadsContract extends Bench {
  ReadsContract(Opener opener) {
    super(opener);
  }

  @Test
  void endsAreThoseOfTheExecutionsThatHaveEnded() {
    apply(complete(leased("completed"), "1"));
    apply(fail(leased("failed"), "2"));
    admitted("cancelled");
    apply(cancel("cancelled"));
    leased("running");
    apply(complete(leased("unasked"), "1"));

    assertThat(backend.ends(List.of("completed", "failed", "cancelled", "running", "nobody")))
        .isEqualTo(
            Map.of(
                "completed", state("completed").ended(),
                "failed", state("failed").ended(),
                "cancelled", state("cancelled").ended()));
    assertThat(backend.ends(List.of())).isEmpty();
    assertThat(backend.ends(List.of("completed", "completed"))).hasSize(1);
  }

  @Test
  void standingTellsWhatIsAskedOfWhatIsHeld() {
    Lease plain = leased("plain");
    Lease paused = leased("paused");
    Lease cancelled = leased("cancelled");
    batch(wake("plain"), wake("plain"), new Command.Pause("paused"));
    apply(new Command.Cancel("cancelled", "why"));

    assertThat(backend.standing(List.of(plain, paused, cancelled)))
        .isEqualTo(
            Map.of(
                plain.execution(), new Standing(null, false, 2),
                paused.execution(), new Standing(null, true, 0),
                cancelled.execution(), new Standing("why", false, 1)));
    assertThat(backend.standing(List.of())).isEmpty();
  }

  @Test
  void standingLeavesOutLeasesThatAreOver() {
    Lease released = leased("released");
    Lease completed = leased("completed");
    Lease suspended = leased("suspended");
    Lease takenOver = leased("taken over");
    Lease held = leased("held");
    batch(handOver(released), complete(completed, "1"), suspend(suspended, null, 0));
    leasePasses();
    claim(asking -> asking.withDelivering(held.execution()));

    assertThat(backend.standing(List.of(released, completed, suspended, takenOver, held)))
        .containsOnlyKeys(held.execution());
  }

  @Test
  void readsChangeNothing() {
    Lease lease = leased("a");
    apply(record(lease, "s", "1"));
    List<Object> before = dump("a");

    backend.claimed(lease.id());
    backend.standing(List.of(lease));
    backend.ends(List.of("a"));

    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void theBackendsOwnTimeIsThatOfItsClockWhereItTellsIt() {
    backend.localTime().ifPresent(time -> assertThat(time).isEqualTo(now()));
    assertThat(backend.lanes()).isPositive();
  }

  @Test
  void aClosedBackendRefusesEverything() {
    Lease lease = leased("a");
    backend.close();
    backend.close();

    List<ThrowingCallable> calls =
        List.of(
            () -> apply(wake("a")),
            () -> backend.commit(List.of()),
            this::claim,
            () -> backend.claimed(1),
            () -> backend.find("a"),
            () -> backend.ends(List.of("a")),
            () -> backend.standing(List.of(lease)),
            () -> backend.journal(JournalQuery.firstPage(List.of(), 1)));
    for (ThrowingCallable call : calls) {
      assertThatExceptionOfType(BackendException.class)
          .isThrownBy(call)
          .returns(BackendException.Fault.CLOSED, BackendException::fault);
    }
  }
}
