package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Deliveries that end without an outcome: when they are repeated, and what counts.
abstract class RedeliveriesContract extends Bench {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  RedeliveriesContract(Opener opener) {
    super(opener);
  }

  @Test
  @DisplayName("S28 one that is handed over is due at once, and nothing is counted")
  void oneThatIsHandedOverIsDueAtOnce() {
    Lease lease = leased("a");
    passes(Duration.ofSeconds(3));

    assertThat(apply(handOver(lease))).isEqualTo(new Reply.Released());

    Run run = run("a");
    assertThat(state("a").status()).isEqualTo(Status.SUSPENDED);
    assertThat(run.at()).isEqualTo(now());
    assertThat(run.leased()).isFalse();
    assertThat(run.unacknowledged()).isZero();
    assertThat(claimed("a").execution().orElseThrow().live().last())
        .isEqualTo(LastDelivery.HANDED_OVER);
  }

  @Test
  @DisplayName("S28 one whose delivery failed is due after the redelivery delay, and that counts")
  void oneWhoseDeliveryFailedIsDueAfterTheRedeliveryDelay() {
    Lease lease = leased("a");

    apply(releaseFailed(lease));

    assertThat(run("a").at()).isEqualTo(now().plus(FIRST_REDELIVERY));
    assertThat(run("a").unacknowledged()).isEqualTo(1);
    assertThat(run("a").last()).isEqualTo(LastDelivery.FAILED);
    passes(FIRST_REDELIVERY.minusMillis(1));
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofMillis(1));
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  @DisplayName(
      "G8 one whose backend failed is due after the redelivery delay, and nothing is counted")
  void oneWhoseBackendFailedIsNotCounted() {
    admitted("a");
    for (int i = 0; i < 25; i++) {
      Lease lease = claimed("a").lease();
      apply(releaseBackend(lease));
      assertThat(run("a").at()).isEqualTo(now().plus(FIRST_REDELIVERY));
      assertThat(run("a").unacknowledged()).isZero();
      assertThat(run("a").last()).isEqualTo(LastDelivery.BACKEND);
      passes(FIRST_REDELIVERY);
    }
    assertThat(run("a").attention()).isNull();
  }

  @Test
  @DisplayName("S28 the redelivery delay doubles from a second up to a minute")
  void theRedeliveryDelayDoublesUpToAMinute() {
    admitted("a");
    for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      Lease lease = claimed("a").lease();
      assertThat(run("a").at())
          .as("what a passed lease comes to")
          .isEqualTo(now().plus(LEASE).plusSeconds(seconds));
      apply(releaseFailed(lease));
      assertThat(run("a").at()).isEqualTo(now().plusSeconds(seconds));
      passes(Duration.ofSeconds(seconds));
    }
  }

  @Test
  @DisplayName(
      "G9 beyond twenty deliveries without an outcome it needs attention and waits ten minutes")
  void beyondTheBudgetItNeedsAttention() {
    admitted("a");
    for (int i = 1; i <= 20; i++) {
      apply(releaseFailed(claimed("a").lease()));
      assertThat(run("a").unacknowledged()).isEqualTo(i);
      assertThat(run("a").attention()).isNull();
      passes(Duration.ofMinutes(1));
    }

    apply(releaseFailed(claimed("a").lease()));

    assertThat(run("a").attention())
        .isNotNull()
        .returns(Attention.REDELIVERY_BUDGET, Attention::code);
    assertThat(run("a").at()).isEqualTo(now().plus(TEN_MINUTES));
    passes(TEN_MINUTES.minusMillis(1));
    assertThat(claimedIds()).isEmpty();
    passes(Duration.ofMillis(1));
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  @DisplayName("G9 leases that pass count as well")
  void leasesThatPassCountAsWell() {
    admitted("a");
    for (int i = 0; i <= 20; i++) {
      claimed("a");
      assertThat(run("a").unacknowledged()).isEqualTo(i);
      assertThat(run("a").attention()).isNull();
      passes(LEASE.plus(TEN_MINUTES));
    }

    claimed("a");

    assertThat(run("a").unacknowledged()).isEqualTo(21);
    assertThat(run("a").attention()).isNotNull();
    assertThat(run("a").at()).isEqualTo(now().plus(LEASE).plus(TEN_MINUTES));
  }

  @Test
  void aHandOverForgetsThatLeasesPassedButNotThatDeliveriesFailed() {
    apply(releaseFailed(leased("a")));
    passes(FIRST_REDELIVERY);
    claimed("a");
    leasePasses();
    Lease lease = claimed("a").lease();

    apply(handOver(lease));

    assertThat(run("a").passed()).isZero();
    assertThat(run("a").unacknowledged()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "Y06 one that is blocked needs attention at once and is tried again after ten minutes")
  void oneThatIsBlockedNeedsAttention() {
    Lease lease = leased("a");

    apply(block(lease, "v1"));

    assertThat(run("a").attention())
        .isEqualTo(new Attention("STEP_KIND_CHANGED", "recorded as RUN, asked for as SLEEP", "v1"));
    assertThat(run("a").last()).isEqualTo(LastDelivery.BLOCKED);
    assertThat(run("a").unacknowledged()).isZero();
    assertThat(run("a").at()).isEqualTo(now().plus(TEN_MINUTES));
    passes(TEN_MINUTES);
    assertThat(claimedIds()).containsExactly("a");
    assertThat(run("a").attention()).as("it stays until something is recorded").isNotNull();
  }

  @Test
  @DisplayName("Y06 a blocked one is due at once when it is resumed")
  void aBlockedOneIsDueWhenResumed() {
    apply(block(leased("a"), "v1"));

    apply(new Command.Resume("a"));

    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  @DisplayName("Y06 a blocked one is due when another definition version is registered")
  void aBlockedOneIsDueWhenAnotherVersionIsRegistered() {
    apply(block(leased("a"), "v1"));
    apply(block(leased("without version"), null));
    Instant later = now().plus(TEN_MINUTES);

    assertThat(apply(new Command.Registered(WORKFLOW, "v1"))).isEqualTo(new Reply.Done());
    assertThat(run("a").at()).as("the same version").isEqualTo(later);
    apply(new Command.Registered("shipment", "v2"));
    assertThat(run("a").at()).as("another workflow").isEqualTo(later);

    apply(new Command.Registered(WORKFLOW, "v2"));

    assertThat(run("a").at()).isEqualTo(now());
    assertThat(run("without version").at()).isEqualTo(later);
    assertThat(claimedIds()).containsExactly("a");
  }

  @Test
  void aRegistrationLeavesAloneWhatIsNotBlocked() {
    Lease lease = leased("leased");
    apply(suspend(leased("asleep"), after(Duration.ofDays(1)), 0));
    apply(complete(leased("ended"), "done"));
    apply(block(leased("blocked"), "v1"));
    passes(TEN_MINUTES);
    apply(renew(lease));
    Lease blockedAndLeased = claimed("blocked").lease();
    var before = dump("leased", "asleep", "ended", "blocked");

    apply(new Command.Registered(WORKFLOW, "v2"));

    assertThat(dump("leased", "asleep", "ended", "blocked")).isEqualTo(before);
    assertThat(apply(renew(blockedAndLeased))).isInstanceOf(Reply.Renewed.class);
  }

  @Test
  void aRegistrationTakesNoPauseOff() {
    apply(block(leased("a"), "v1"));
    apply(new Command.Pause("a"));

    apply(new Command.Registered(WORKFLOW, "v2"));

    assertThat(claimedIds()).isEmpty();
    assertThat(run("a").paused()).isTrue();
  }

  @Test
  @DisplayName("G9 one that keeps failing keeps nobody else from being claimed")
  void oneThatKeepsFailingKeepsNobodyElse() {
    admitted("bad");
    for (int i = 0; i < 30; i++) {
      String id = "good" + i;
      admitted(id);
      for (var claim : claim(asking -> asking.withLimit(2)).claims()) {
        boolean good = claim.execution().orElseThrow().id().equals(id);
        apply(good ? complete(claim.lease(), "done") : releaseFailed(claim.lease()));
      }
      assertThat(state(id).status()).isEqualTo(Status.COMPLETED);
      passes(Duration.ofSeconds(1));
    }
    assertThat(state("bad").status()).isEqualTo(Status.SUSPENDED);
  }
}
