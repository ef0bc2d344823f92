package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What every group of the contract works on: a fresh backend, the clock that it runs by, and short
/// words for what is done to it.
abstract class Bench {
  private final Opener opener;
  final ManualClock clock = new ManualClock(Commands.START);
  Backend backend;

  Bench(Opener opener) {
    this.opener = opener;
  }

  @BeforeEach
  final void openBackend() {
    backend = opener.open(clock);
  }

  @AfterEach
  final void closeBackend() {
    backend.close();
  }

  /// Commits this command alone.
  final Reply apply(Command command) {
    return batch(command).getFirst();
  }

  /// Commits these commands in one batch.
  final List<Reply> batch(Command... commands) {
    List<Reply> replies = backend.commit(List.of(commands));
    assertThat(replies).as("one reply for each command").hasSameSizeAs(commands);
    return replies;
  }

  final Reply.Admitted admitted(String id) {
    return admitted(Commands.admission(id));
  }

  final Reply.Admitted admitted(Admission admission) {
    return as(Reply.Admitted.class, apply(Commands.admit(admission)));
  }

  /// Admits an execution and claims it.
  final Lease leased(String id) {
    admitted(id);
    return claimed(id).lease();
  }

  /// Claims all that is due, of which this must be one.
  final Claim claimed(String id) {
    return claim().claims().stream()
        .filter(claim -> claim.execution().orElseThrow().id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError(id + " was not claimed; it is " + find(id)));
  }

  final ClaimReply claim() {
    return claim(asking -> asking);
  }

  final ClaimReply claim(UnaryOperator<Asking> changed) {
    return backend.claim(changed.apply(Asking.forAll()).request());
  }

  /// The ids of all that is due, in the order in which they are claimed.
  final List<String> claimedIds() {
    return ids(claim());
  }

  final List<String> claimedIds(UnaryOperator<Asking> changed) {
    return ids(claim(changed));
  }

  static List<String> ids(ClaimReply reply) {
    return reply.claims().stream().map(claim -> claim.execution().orElseThrow().id()).toList();
  }

  final @Nullable ExecutionState find(String id) {
    return backend.find(id).orElse(null);
  }

  final ExecutionState state(String id) {
    return backend.find(id).orElseThrow(() -> new AssertionError("there is no execution " + id));
  }

  final Run run(String id) {
    return state(id).live();
  }

  /// What its current incarnation has recorded, by key and attempt.
  final List<StepRecord> journal(String id) {
    ExecutionState state = state(id);
    return journal(state.key(), state.incarnation());
  }

  final List<StepRecord> journal(long execution, int incarnation) {
    return rows(1000, new Incarnation(execution, incarnation)).stream()
        .map(JournalPage.Row::step)
        .toList();
  }

  /// All rows of these incarnations, read in pages of this size.
  final List<JournalPage.Row> rows(int pageSize, Incarnation... incarnations) {
    var rows = new ArrayList<JournalPage.Row>();
    JournalQuery query = JournalQuery.firstPage(List.of(incarnations), pageSize);
    JournalPage page;
    do {
      page = backend.journal(rows.isEmpty() ? query : query.after(rows.getLast()));
      assertThat(page.rows()).as("a page").hasSizeLessThanOrEqualTo(pageSize);
      assertThat(page.more() && page.rows().isEmpty()).as("an empty page with more").isFalse();
      rows.addAll(page.rows());
    } while (page.more());
    return rows;
  }

  static StepResult result(Reply reply) {
    return as(Reply.Recorded.class, reply).record().result();
  }

  /// The lease that an admission tells of.
  static Lease bornWith(Reply admitted) {
    Lease lease = as(Reply.Admitted.class, admitted).lease();
    if (lease == null) {
      throw new AssertionError("not born leased: " + admitted);
    }
    return lease;
  }

  static <T> T as(Class<T> type, Object value) {
    assertThat(value).isInstanceOf(type);
    return type.cast(value);
  }

  final void passes(Duration time) {
    clock.advance(time);
  }

  /// Lets the lease that began now, and the first redelivery delay after it, pass.
  final void leasePasses() {
    passes(Commands.LEASE.plus(Duration.ofMinutes(1)));
  }

  final Instant now() {
    return clock.instant();
  }

  /// All that a backend tells of these executions, to be compared with what it tells later.
  final List<Object> dump(String... ids) {
    var dump = new ArrayList<>();
    for (String id : ids) {
      ExecutionState state = state(id);
      dump.add(state);
      for (int incarnation = 1; incarnation <= state.incarnation(); incarnation++) {
        dump.add(journal(state.key(), incarnation));
      }
    }
    return dump;
  }

  /// Commits a command that must be answered as lost and change nothing of these executions.
  final void assertLost(Command command, String... ids) {
    List<Object> before = dump(ids);
    assertThat(apply(command)).as(command.toString()).isEqualTo(new Reply.Lost());
    assertThat(dump(ids)).as("after " + command).isEqualTo(before);
  }
}
