package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;

/// That a backend answers as [MemoryBackend] does, whatever it is asked: both are sent the same
/// random batches, and must tell the same afterwards.
abstract class ReferenceAnswersContract extends Bench {
  private final Backend reference = new MemoryBackend(clock);
  private final List<Lease> leases = new ArrayList<>();

  ReferenceAnswersContract(Opener opener) {
    super(opener);
  }

  @RepeatedTest(5)
  @DisplayName("G3 G4 whatever is asked, it is answered as by the reference")
  void whateverIsAskedIsAnsweredAsByTheReference() {
    long seed = Seed.next();
    try {
      walk(new Random(seed));
    } catch (AssertionError failed) {
      throw new AssertionError("-Dseed=" + seed + ": " + failed.getMessage(), failed);
    }
  }

  private void walk(Random random) {
    var commands = new RandomCommands(random);
    for (int i = 0; i < 80; i++) {
      passes(Duration.ofMillis(random.nextInt(30_000)));
      if (random.nextInt(4) == 0) {
        claimFromBoth(commands, random);
      } else {
        commitToBoth(commands, random);
      }
      assertSame("find", this::states);
      assertSame("journal", this::journals);
      assertSame("ends", each -> each.ends(RandomCommands.IDS));
      assertSame("standing", each -> each.standing(leases));
    }
  }

  private void commitToBoth(RandomCommands commands, Random random) {
    List<Command> batch =
        IntStream.rangeClosed(0, random.nextInt(8)).mapToObj(i -> commands.next()).toList();
    List<Reply> expected = reference.commit(batch);
    assertThat(backend.commit(batch)).as("replies to %s", batch).isEqualTo(expected);
    for (Reply reply : expected) {
      if (reply instanceof Reply.Admitted admitted && admitted.lease() != null) {
        know(commands, admitted.lease());
      }
    }
  }

  private void claimFromBoth(RandomCommands commands, Random random) {
    var request =
        new ClaimRequest(
            Set.of("w"),
            100,
            commands.newId(),
            Duration.ofSeconds(30),
            Set.of(),
            random.nextInt(4) > 0,
            mayClaimASuspect());
    ClaimReply expected = reference.claim(request);
    ClaimReply actual = backend.claim(request);
    assertThat(actual.now()).isEqualTo(expected.now());
    assertThat(sorted(actual.claims())).isEqualTo(sorted(expected.claims()));
    assertThat(sorted(backend.claimed(request.leaseId())))
        .isEqualTo(sorted(reference.claimed(request.leaseId())));
    expected.claims().forEach(claim -> know(commands, claim.lease()));
  }

  private void know(RandomCommands commands, Lease lease) {
    commands.know(lease);
    leases.add(lease);
  }

  /// What is due at the same time may be claimed in any order.
  private static List<Claim> sorted(List<Claim> claims) {
    return claims.stream()
        .sorted(Comparator.comparingLong(claim -> claim.lease().execution()))
        .toList();
  }

  /// Of two suspects that are due at the same time either may be the one.
  private boolean mayClaimASuspect() {
    var times = new HashSet<Instant>();
    for (ExecutionState state : states(reference)) {
      if (state.run() != null && state.live().suspect() && !times.add(state.live().at())) {
        return false;
      }
    }
    return true;
  }

  private List<ExecutionState> states(Backend each) {
    return RandomCommands.IDS.stream().flatMap(id -> each.find(id).stream()).toList();
  }

  private List<JournalPage.Row> journals(Backend each) {
    List<Incarnation> incarnations =
        states(reference).stream()
            .flatMap(
                state ->
                    IntStream.rangeClosed(1, state.incarnation())
                        .mapToObj(incarnation -> new Incarnation(state.key(), incarnation)))
            .toList();
    return each.journal(JournalQuery.firstPage(incarnations, 10_000)).rows();
  }

  private void assertSame(String what, Question question) {
    assertThat(question.ask(backend)).as(what).isEqualTo(question.ask(reference));
  }

  private interface Question {
    Object ask(Backend backend);
  }
}
