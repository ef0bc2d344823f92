package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Several commands in one batch: in order, and those of one delivery as a chain.
abstract class ChainsContract extends Bench {
  private static final Reply LOST = new Reply.Lost();

  ChainsContract(Opener opener) {
    super(opener);
  }

  @Test
  void anEmptyBatchHasNoReplies() {
    assertThat(batch()).isEmpty();
  }

  @Test
  void commandsOfABatchApplyInOrder() {
    List<Reply> replies =
        batch(
            wake("a"),
            admit(admission("a")),
            wake("a"),
            new Command.Pause("a"),
            new Command.Resume("a"),
            cancel("a"),
            wake("a"));

    assertThat(replies.get(0)).isEqualTo(new Reply.NotFound("a"));
    assertThat(replies.get(1)).isInstanceOf(Reply.Admitted.class);
    assertThat(replies.get(2)).isEqualTo(new Reply.Done());
    assertThat(replies.get(3)).isEqualTo(new Reply.Done());
    assertThat(replies.get(4)).isEqualTo(new Reply.Done());
    assertThat(replies.get(5)).isEqualTo(new Reply.Finished(Status.CANCELLED));
    assertThat(replies.get(6)).isEqualTo(new Reply.Finished(Status.CANCELLED));
  }

  @Test
  void aWholeDeliveryFitsInOneBatch() {
    Lease lease = leased("a");

    List<Reply> replies =
        batch(
            record(lease, "one", "1"),
            start(lease, "two", child("child")),
            renew(lease),
            record(lease, "three", "3"),
            complete(lease, "done"),
            renew(lease));

    assertThat(replies.get(0)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(1)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(2)).isInstanceOf(Reply.Renewed.class);
    assertThat(replies.get(3)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(4)).isInstanceOf(Reply.Acknowledged.class);
    assertThat(replies.get(5)).isEqualTo(LOST);
    assertThat(journal("a")).hasSize(3);
  }

  @Test
  @DisplayName(
      "G3 after a record that was answered with another value the rest of the chain is lost")
  void afterAnotherValueTheRestOfTheChainIsLost() {
    for (int i = 0; i < 6; i++) {
      String id = "a" + i;
      Lease lease = leased(id);
      apply(record(lease, "s", "first"));
      Command later =
          switch (i) {
            case 0 -> complete(lease, "computed from another value");
            case 1 -> fail(lease, "computed from another value");
            case 2 -> suspend(lease, null, 0);
            case 3 -> continueAsNew(lease, null);
            case 4 -> record(lease, "next", "1");
            default -> start(lease, "start", child("never"));
          };
      List<Object> before = dump(id);

      List<Reply> replies = batch(record(lease, "s", "other"), later);

      assertThat(as(Reply.Recorded.class, replies.getFirst()).asSent()).isFalse();
      assertThat(replies.getLast()).as(later.toString()).isEqualTo(LOST);
      assertThat(dump(id)).as(later.toString()).isEqualTo(before);
    }
    assertThat(find("never")).isNull();
  }

  @Test
  @DisplayName("G3 after a lost command every later one of the chain is lost")
  void afterALostCommandTheRestIsLost() {
    Lease over = leased("a");
    leasePasses();
    claimed("a");
    List<Object> before = dump("a");

    List<Reply> replies =
        batch(record(over, "s", "1"), record(over, "t", "2"), complete(over, "done"));

    assertThat(replies).containsOnly(LOST);
    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void aBrokenChainStaysBrokenToTheEndOfItsBatch() {
    Lease lease = leased("a");
    apply(record(lease, "s", "first"));

    List<Reply> replies =
        batch(
            record(lease, "s", "other"),
            record(lease, "t", "1"),
            record(lease, "s", "first"),
            suspend(lease, Due.NOW, 0));

    assertThat(replies.subList(1, 4)).containsOnly(LOST);
    assertThat(run("a").leased()).isTrue();
  }

  @Test
  void theChainsOfOthersAreUntouched() {
    Lease broken = leased("broken");
    Lease fine = leased("fine");
    apply(record(broken, "s", "first"));

    List<Reply> replies =
        batch(
            record(fine, "s", "1"),
            record(broken, "s", "other"),
            record(fine, "t", "2"),
            complete(broken, "done"),
            complete(fine, "done"));

    assertThat(replies.get(3)).isEqualTo(LOST);
    assertThat(replies.get(4)).isInstanceOf(Reply.Acknowledged.class);
    assertThat(state("fine").status()).isEqualTo(Status.COMPLETED);
    assertThat(journal("fine")).hasSize(2);
    assertThat(state("broken").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void renewalsAndReleasesAreNotPartOfTheChain() {
    Lease lease = leased("a");
    apply(record(lease, "s", "first"));

    List<Reply> replies =
        batch(
            record(lease, "s", "other"),
            renew(lease),
            complete(lease, "done"),
            releaseFailed(lease));

    assertThat(replies.get(1)).isInstanceOf(Reply.Renewed.class);
    assertThat(replies.get(2)).isEqualTo(LOST);
    assertThat(replies.get(3)).isEqualTo(new Reply.Released());
    assertThat(run("a").unacknowledged()).isEqualTo(1);
  }

  @Test
  void aLostRenewalOrReleaseBreaksNoChain() {
    Lease over = leased("over");
    apply(handOver(over));
    Lease lease = leased("a");

    List<Reply> replies =
        batch(renew(over), handOver(over), record(lease, "s", "1"), complete(lease, "done"));

    assertThat(replies.subList(0, 2)).containsOnly(LOST);
    assertThat(replies.get(2)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(3)).isInstanceOf(Reply.Acknowledged.class);
  }

  @Test
  void whatIsRefusedForACancellationIsRefusedAlone() {
    Lease lease = leased("a");

    List<Reply> replies =
        batch(
            new Command.Cancel("a", "why"),
            record(lease, "ordinary", "1"),
            shielded(record(lease, "shielded", "2")),
            start(lease, "start", child("never")),
            fail(lease, "cancelled"));

    assertThat(replies.get(1)).isEqualTo(new Reply.CancelledBefore("why"));
    assertThat(replies.get(2)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(3)).isEqualTo(new Reply.CancelledBefore("why"));
    assertThat(replies.get(4)).isInstanceOf(Reply.Acknowledged.class);
    assertThat(journal("a")).hasSize(1);
    assertThat(find("never")).isNull();
  }

  @Test
  void refusedCommandsDoNotTouchTheirNeighbours() {
    admitted("taken");
    Lease a = leased("a");
    Lease over = leased("over");
    apply(handOver(over));

    List<Reply> replies =
        batch(
            record(a, "s", "1"),
            admit(admission("taken", "shipment", null)),
            record(over, "s", "1"),
            wake("nobody"),
            new Command.Retry("a", newId(), "again"),
            new Command.Fork("a", newId(), "fork", "no such step"),
            complete(a, "done"));

    assertThat(replies.get(0)).isInstanceOf(Reply.Recorded.class);
    assertThat(replies.get(1)).isInstanceOf(Reply.Refused.class);
    assertThat(replies.get(2)).isEqualTo(LOST);
    assertThat(replies.get(3)).isEqualTo(new Reply.NotFound("nobody"));
    assertThat(replies.get(4)).isInstanceOf(Reply.Refused.class);
    assertThat(replies.get(5)).isInstanceOf(Reply.Refused.class);
    assertThat(replies.get(6)).isInstanceOf(Reply.Acknowledged.class);
    assertThat(state("a").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void twoAcknowledgementsInOneBatchAreTheFirst() {
    Lease lease = leased("a");

    List<Reply> replies = batch(complete(lease, "first"), complete(lease, "second"));

    assertThat(replies.getFirst()).isInstanceOf(Reply.Acknowledged.class);
    assertThat(replies.getLast()).isEqualTo(replies.getFirst());
  }

  @Test
  void whatFollowsAnAcknowledgementInItsChainIsLost() {
    Lease lease = leased("a");

    List<Reply> replies =
        batch(
            suspend(lease, Due.NOW, 0),
            record(lease, "s", "1"),
            start(lease, "t", child("never")),
            handOver(lease));

    assertThat(replies.subList(1, 4)).containsOnly(LOST);
    assertThat(journal("a")).isEmpty();
    assertThat(find("never")).isNull();
    assertThat(state("a").status()).isEqualTo(Status.SUSPENDED);
  }

  @Test
  @DisplayName("G10 a batch whose commit was uncertain is answered as the first time")
  void aBatchThatIsSentAgainIsAnsweredAsTheFirstTime() {
    Lease suspending = leased("suspending");
    Lease completing = leased("completing");
    Lease continuing = leased("continuing");
    Command[] commands = {
      record(suspending, "s", "1"),
      record(suspending, "sleep", 1, new StepEntry.Wait(Due.NOW)),
      suspend(suspending, null, 0),
      record(completing, "s", "1"),
      start(completing, "t", child("child")),
      start(completing, "t", child("child", "other", null)),
      complete(completing, "done"),
      record(continuing, "s", "1"),
      continueAsNew(continuing, "{}"),
      admitLeased(admission("born"), newId()),
    };
    List<Reply> first = batch(commands);
    List<Object> before = dump("suspending", "completing", "continuing", "child", "born");

    assertThat(batch(commands)).isEqualTo(first);
    assertThat(dump("suspending", "completing", "continuing", "child", "born")).isEqualTo(before);
  }

  @Test
  @DisplayName("G10 a batch with a broken chain that is sent again is answered as the first time")
  void aBatchWithABrokenChainIsAnsweredAsTheFirstTime() {
    Lease lease = leased("a");
    Command[] commands = {
      record(lease, "s", "1"), record(lease, "s", "2"), complete(lease, "done"), renew(lease)
    };
    List<Reply> first = batch(commands);

    assertThat(batch(commands)).isEqualTo(first);
    assertThat(journal("a").getFirst().result()).isEqualTo(new StepResult.Value(payload("1")));
    assertThat(state("a").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  @DisplayName(
      "S31 under a lease that is over a repeat tells of what was recorded, and of nothing else")
  void underAnAcknowledgedLeaseOnlyWhatWasRecordedIsRecognised() {
    Lease lease = leased("a");
    Reply first = apply(record(lease, "s", "1"));
    Reply child = apply(start(lease, "c", child("child")));
    apply(suspend(lease, null, 0));

    assertThat(apply(record(lease, "s", "1"))).isEqualTo(first);
    assertThat(apply(start(lease, "c", child("child")))).isEqualTo(child);
    assertLost(record(lease, "s", "2"), "a");
    assertLost(record(lease, "t", "1"), "a");
    assertLost(start(lease, "c", child("x", "other", null)), "a");
    assertLost(start(lease, "d", child("x")), "a");
    passes(Duration.ofSeconds(1));
    apply(wake("a"));
    apply(suspend(claimed("a").lease(), null, 1));
    assertLost(record(lease, "s", "1"), "a");
  }
}
