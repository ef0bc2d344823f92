package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import dev.yieldstar.spi.Claim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// That the end of an execution wakes whoever awaits it: registered in the acknowledgement, with a
/// look at the awaited in the same transaction.
abstract class AwaitingContract extends Bench {
  AwaitingContract(Opener opener) {
    super(opener);
  }

  /// Admits an execution and leaves it waiting for these.
  private void waiting(String id, String... awaited) {
    apply(suspendAwaiting(leased(id), 0, awaited));
  }

  @Test
  @DisplayName("Y11 one that awaits another is asleep until that ends")
  void oneThatAwaitsAnotherIsAsleepUntilThatEnds() {
    Lease awaited = leased("awaited");
    waiting("waiter", "awaited");
    assertThat(claimedIds()).isEmpty();
    assertThat(run("waiter").at()).isNull();
    assertThat(run("waiter").waits()).isEqualTo(1);

    apply(wake("awaited"));
    apply(record(awaited, "s", "1"));
    assertThat(claimedIds()).isEmpty();
    apply(complete(awaited, "done"));

    assertThat(run("waiter").wakes()).isEqualTo(1);
    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  @DisplayName("Y11 a failure wakes as well")
  void aFailureWakes() {
    Lease awaited = leased("awaited");
    waiting("waiter", "awaited");

    apply(fail(awaited, "error"));

    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  @DisplayName("G5 the cancellation of what is awaited wakes as well")
  void aCancellationWakes() {
    apply(suspend(leased("idle"), null, 0));
    Lease busy = leased("busy");
    waiting("waiter 1", "idle");
    waiting("waiter 2", "busy");

    apply(cancel("idle"));
    assertThat(claimedIds()).containsExactly("waiter 1");
    apply(cancel("busy"));
    assertThat(claimedIds()).isEmpty();
    apply(complete(busy, "done"));
    assertThat(claimedIds()).containsExactly("waiter 2");
  }

  @Test
  @DisplayName("G5 one that had ended before is no reason to sleep")
  void oneThatHadEndedBeforeIsNoReasonToSleep() {
    apply(complete(leased("awaited"), "done"));

    waiting("waiter", "awaited");

    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  @DisplayName("G5 an end in the same batch wakes in either order")
  void anEndInTheSameBatchWakesInEitherOrder() {
    Lease one = leased("one");
    Lease two = leased("two");
    Lease waiterOfOne = leased("waiter of one");
    Lease waiterOfTwo = leased("waiter of two");

    batch(
        complete(one, "done"),
        suspendAwaiting(waiterOfOne, 0, "one"),
        suspendAwaiting(waiterOfTwo, 0, "two"),
        complete(two, "done"));

    assertThat(claimedIds()).containsExactlyInAnyOrder("waiter of one", "waiter of two");
  }

  @Test
  @DisplayName("Y11 a child that was started in the same batch is awaited")
  void aChildOfTheSameBatchIsAwaited() {
    Lease caller = leased("caller");

    batch(start(caller, "s", child("child")), suspendAwaiting(caller, 0, "child"));

    assertThat(run("caller").waits()).isEqualTo(1);
    Lease child = claimed("child").lease();
    assertThat(run("caller").leased()).isFalse();
    apply(complete(child, "done"));
    assertThat(claimedIds()).containsExactly("caller");
  }

  @Test
  @DisplayName("G5 awaiting an id that nobody has is no reason to sleep")
  void awaitingAnUnknownIdIsNoReasonToSleep() {
    waiting("waiter", "nobody");

    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  @DisplayName("G5 an end while the awaited was released and not delivered wakes")
  void anEndAfterRedeliveriesWakes() {
    waiting("waiter", "awaited by id before it exists");
    Lease awaited = leased("awaited");
    Claim claim = claimedAgain("waiter");
    apply(suspendAwaiting(claim.lease(), 0, "awaited"));
    apply(handOver(awaited));
    Lease next = claimed("awaited").lease();
    apply(continueAsNew(next, null));
    assertThat(run("waiter").wakes()).as("continuing is no end").isZero();

    apply(complete(claimed("awaited").lease(), "done"));

    assertThat(claimedIds()).containsExactly("waiter");
  }

  /// The claim that `leased("awaited")` took along.
  private Claim claimedAgain(String id) {
    return backend.claimed(run(id).leaseId()).stream()
        .filter(claim -> claim.execution().orElseThrow().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void severalWaitersAreAllWoken() {
    Lease awaited = leased("awaited");
    for (int i = 0; i < 5; i++) {
      waiting("waiter " + i, "awaited");
    }

    apply(complete(awaited, "done"));

    assertThat(claimedIds()).hasSize(5);
  }

  @Test
  void oneThatAwaitsSeveralIsWokenByEach() {
    Lease one = leased("one");
    Lease two = leased("two");
    waiting("waiter", "one", "two");
    assertThat(run("waiter").waits()).isEqualTo(2);

    batch(complete(one, "done"), complete(two, "done"));

    assertThat(run("waiter").wakes()).isEqualTo(2);
    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  void anEndDuringAWaitersDeliveryIsAWakeOfThatDelivery() {
    Lease awaited = leased("awaited");
    waiting("waiter", "awaited");
    apply(wake("waiter"));
    Claim claim = claimed("waiter");
    long seen = claim.execution().orElseThrow().live().wakes();

    apply(complete(awaited, "done"));
    apply(suspend(claim.lease(), null, seen));

    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  void aLaterSuspensionReplacesWhatIsAwaited() {
    Lease one = leased("one");
    Lease two = leased("two");
    waiting("waiter", "one");
    apply(wake("waiter"));
    apply(suspendAwaiting(claimed("waiter").lease(), 1, "two"));

    apply(complete(one, "done"));
    assertThat(claimedIds()).isEmpty();
    apply(complete(two, "done"));
    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  void aSuspensionThatAwaitsNobodyDropsWhatWasAwaited() {
    Lease one = leased("one");
    waiting("waiter", "one");
    apply(wake("waiter"));
    apply(suspend(claimed("waiter").lease(), null, 1));

    apply(complete(one, "done"));

    assertThat(run("waiter").waits()).isZero();
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  void continueAsNewDropsWhatWasAwaited() {
    Lease one = leased("one");
    waiting("waiter", "one");
    apply(wake("waiter"));
    apply(continueAsNew(claimed("waiter").lease(), null));
    long wakes = run("waiter").wakes();

    apply(complete(one, "done"));

    assertThat(run("waiter").wakes()).isEqualTo(wakes);
  }

  @Test
  void oneThatHasEndedIsNotWoken() {
    Lease one = leased("one");
    waiting("completed", "one");
    waiting("cancelled", "one");
    apply(wake("completed"));
    apply(complete(claimed("completed").lease(), "done"));
    apply(cancel("cancelled"));
    List<Object> before = dump("completed", "cancelled");

    apply(complete(one, "done"));

    assertThat(dump("completed", "cancelled")).isEqualTo(before);
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  void aPausedWaiterIsWokenOnlyInItsCount() {
    Lease one = leased("one");
    waiting("waiter", "one");
    apply(new Command.Pause("waiter"));

    apply(complete(one, "done"));

    assertThat(run("waiter").wakes()).isEqualTo(1);
    assertThat(claimedIds()).isEmpty();
    apply(new Command.Resume("waiter"));
    assertThat(claimedIds()).containsExactly("waiter");
  }

  @Test
  void whatWaitsForATimeAndAnEndIsWokenByTheFirstOfThem() {
    Lease one = leased("one");
    Lease waiter = leased("waiter");
    var acknowledgement =
        new Command.Acknowledgement.Suspended(
            after(Duration.ofSeconds(10)), 0, null, List.of("one"));
    apply(new Command.Acknowledge(waiter, acknowledgement));

    assertThat(run("waiter").at()).isEqualTo(now().plusSeconds(10));
    passes(Duration.ofSeconds(1));
    apply(complete(one, "done"));

    assertThat(run("waiter").at()).isEqualTo(now());
  }

  @Test
  @DisplayName("G5 chains of waiters end one after the other")
  void chainsOfWaitersEndOneAfterTheOther() {
    Lease last = leased("e0");
    for (int i = 1; i <= 4; i++) {
      waiting("e" + i, "e" + (i - 1));
    }
    apply(complete(last, "done"));
    for (int i = 1; i <= 4; i++) {
      List<Claim> claims = claim(Asking::withoutTakeOver).claims();
      assertThat(claims).hasSize(1);
      Run run = claims.getFirst().execution().orElseThrow().live();
      assertThat(run.wakes()).isEqualTo(1);
      Reply reply = apply(complete(claims.getFirst().lease(), "done"));
      assertThat(reply).isInstanceOf(Reply.Acknowledged.class);
    }
  }
}
