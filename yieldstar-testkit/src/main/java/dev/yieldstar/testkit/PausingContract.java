package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pause and resume. Paused is a mark beside the status: nothing but a resumption or a cancellation
/// takes it off.
abstract class PausingContract extends Bench {
  private static final Reply DONE = new Reply.Done();

  PausingContract(Opener opener) {
    super(opener);
  }

  private Reply pause(String id) {
    return apply(new Command.Pause(id));
  }

  private Reply resume(String id) {
    return apply(new Command.Resume(id));
  }

  @Test
  void aPausedOneIsDueForNobodyUntilItIsResumed() {
    admitted("a");

    assertThat(pause("a")).isEqualTo(DONE);
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofDays(1));
    assertThat(claimedIds()).isEmpty();
    assertThat(state("a").status()).isEqualTo(Status.ADMITTED);

    assertThat(resume("a")).isEqualTo(DONE);
    assertThat(claimedIds()).containsExactly("a");
    assertThat(run("a").paused()).isFalse();
  }

  @Test
  void aPauseOfALeasedOneTakesEffectWhenItsDeliveryEnds() {
    Lease lease = leased("a");
    pause("a");

    assertThat(apply(record(lease, "s", "1"))).isInstanceOf(Reply.Recorded.class);
    assertThat(apply(renew(lease))).isInstanceOf(Reply.Renewed.class);
    apply(suspend(lease, Due.NOW, 0));

    assertThat(run("a").paused()).isTrue();
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  void neitherAReleaseNorAWakeNorAnAcknowledgementTakesThePauseOff() {
    for (int i = 0; i < 5; i++) {
      String id = "a" + i;
      Lease lease = leased(id);
      pause(id);
      apply(
          switch (i) {
            case 0 -> handOver(lease);
            case 1 -> releaseFailed(lease);
            case 2 -> suspend(lease, Due.NOW, 0);
            case 3 -> continueAsNew(lease, null);
            default -> renew(lease);
          });
      apply(wake(id));
      apply(new Command.Registered(WORKFLOW, "v9"));
      assertThat(run(id).paused()).isTrue();
    }
    passes(Duration.ofDays(1));
    assertThat(claimedIds()).isEmpty();
  }

  @Test
  void aPausedDeliveryMayStillComplete() {
    Lease lease = leased("a");
    pause("a");

    apply(complete(lease, "done"));

    assertThat(state("a").status()).isEqualTo(Status.COMPLETED);
    assertThat(pause("a")).isEqualTo(new Reply.Finished(Status.COMPLETED));
    assertThat(resume("a")).isEqualTo(new Reply.Finished(Status.COMPLETED));
  }

  @Test
  void aResumptionIsAWakeAndMakesDueNow() {
    apply(suspend(leased("a"), after(Duration.ofDays(1)), 0));
    passes(Duration.ofSeconds(1));

    resume("a");

    assertThat(run("a").wakes()).isEqualTo(1);
    assertThat(run("a").at()).isEqualTo(now());
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aResumptionOfALeasedOneIsAWakeOfItsDelivery() {
    Lease lease = leased("a");
    pause("a");
    resume("a");
    assertThat(claimedIds()).isEmpty();

    apply(suspend(lease, null, 0));

    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aRepeatedPauseChangesNothing() {
    admitted("a");
    pause("a");
    List<Object> before = dump("a");

    assertThat(pause("a")).isEqualTo(DONE);

    assertThat(dump("a")).isEqualTo(before);
  }

  @Test
  void whatNobodyHasIsNotFound() {
    assertThat(pause("nobody")).isEqualTo(new Reply.NotFound("nobody"));
    assertThat(resume("nobody")).isEqualTo(new Reply.NotFound("nobody"));
  }

  @Test
  void aPauseKeepsTheTimer() {
    apply(suspend(leased("a"), after(Duration.ofHours(1)), 0));

    pause("a");

    assertThat(run("a").at()).isEqualTo(now().plus(Duration.ofHours(1)));
  }

  @Test
  void aCrashedAndPausedOneIsTakenOverAfterItsResumption() {
    leased("a");
    pause("a");
    leasePasses();
    assertThat(claimedIds()).isEmpty();

    resume("a");

    assertThat(claimed("a").lease().token()).isEqualTo(2);
  }

  @Test
  void pausesAndResumptionsAreOperatorsRevisions() {
    admitted("a");
    long revision = run("a").revision();
    pause("a");
    assertThat(run("a").revision()).isEqualTo(revision + 1);
    resume("a");
    assertThat(run("a").revision()).isEqualTo(revision + 2);
    apply(wake("a"));
    assertThat(run("a").revision()).as("a wake is none").isEqualTo(revision + 2);
  }
}
