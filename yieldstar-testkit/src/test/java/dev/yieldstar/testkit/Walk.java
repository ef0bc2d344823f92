package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Transition;
import dev.yieldstar.execution.Transition.Answer;
import dev.yieldstar.execution.Transition.Event;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimRequest;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A walk of a few executions through the state machine, a random command at a time, that notes
/// each transition that it sees.
final class Walk {
  /// A transition as it is seen: without the words that say when.
  record Seen(@Nullable Status from, Event event, Answer answer, @Nullable Status to) {
    static Seen of(Transition row) {
      return new Seen(row.from(), row.event(), row.answer(), row.to());
    }
  }

  /// Answers that change nothing at all.
  private static final Set<Answer> IDLE =
      Set.of(
          Answer.REPEATED,
          Answer.EXISTING,
          Answer.OTHER_VALUE,
          Answer.CANCELLED_BEFORE,
          Answer.LOST,
          Answer.FINISHED,
          Answer.NOT_FOUND,
          Answer.REFUSED);

  private final Set<Seen> seen = new HashSet<>();
  private final Random random;
  private final RandomCommands commands;
  private Instant now = Instant.EPOCH;
  private final MemoryBackend backend = new MemoryBackend(() -> now);

  Walk(Random random) {
    this.random = random;
    this.commands = new RandomCommands(random);
  }

  Set<Seen> steps(int count) {
    int rarity = 3 + random.nextInt(20);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(5) == 0) {
        now = now.plus(Duration.ofSeconds(random.nextInt(60)));
      }
      if (random.nextInt(rarity) == 0) {
        claim();
      } else {
        apply(commands.next());
      }
    }
    return seen;
  }

  private Map<String, ExecutionState> states() {
    var states = new TreeMap<String, ExecutionState>();
    for (String id : RandomCommands.IDS) {
      backend.find(id).ifPresent(state -> states.put(id, state));
    }
    return states;
  }

  private void claim() {
    Map<String, ExecutionState> before = states();
    var request =
        new ClaimRequest(
            Set.of("w"), 2, commands.newId(), Duration.ofSeconds(30), Set.of(), true, true);
    for (Claim claim : backend.claim(request).claims()) {
      commands.know(claim.lease());
      ExecutionState after = claim.execution().orElseThrow();
      ExecutionState claimed = Objects.requireNonNull(before.get(after.id()));
      assertThat(claimed.live().paused()).isFalse();
      assertThat(claimed.live().at()).isNotNull().isBeforeOrEqualTo(now);
      assertThat(claim.lease().token()).isEqualTo(claimed.live().token() + 1);
      see(claimed, Event.CLAIM, Answer.DONE, after);
    }
  }

  private void apply(Command command) {
    Map<String, ExecutionState> before = states();
    Set<JournalPage.Row> journal = journals(before);
    Reply reply = backend.commit(List.of(command)).getFirst();
    Map<String, ExecutionState> after = states();
    if (reply instanceof Reply.Admitted(var e, var i, var c, var lease, var t) && lease != null) {
      commands.know(lease);
    }
    @Nullable String subject = subject(command, before);
    ExecutionState was = subject == null ? null : before.get(subject);
    Answer answer = answer(command, reply, was, journal);
    if (command instanceof Command.Registered) {
      before.forEach((id, state) -> seeRegistered(state, after.get(id)));
      return;
    }
    see(was, Event.of(command), answer, subject == null ? null : after.get(subject));
    if (IDLE.contains(answer)) {
      assertThat(after).as("%s, answered by %s", command, reply).isEqualTo(before);
      assertThat(journals(after)).as("%s, answered by %s", command, reply).isEqualTo(journal);
    }
    for (String id : after.keySet()) {
      if (!id.equals(subject) && !Objects.equals(before.get(id), after.get(id))) {
        see(before.get(id), byTheWay(command), Answer.DONE, after.get(id));
      }
      check(before.get(id), Objects.requireNonNull(after.get(id)));
    }
  }

  private void seeRegistered(ExecutionState before, @Nullable ExecutionState after) {
    if (before.run() == null) {
      assertThat(after).isEqualTo(before);
    } else {
      see(before, Event.REGISTERED, Answer.DONE, after);
    }
  }

  /// What a command is to an execution that it doesn't name, and yet changes.
  private static Event byTheWay(Command command) {
    return switch (command) {
      case Command.StartChild ignored -> Event.STARTED;
      case Command.Fork ignored -> Event.FORKED;
      case Command.Retry ignored -> Event.FORKED;
      case Command.Acknowledge ignored -> Event.AWAITED_END;
      case Command.Cancel ignored -> Event.AWAITED_END;
      default -> throw new AssertionError(command + " changes an execution that it doesn't name");
    };
  }

  /// What holds of every state that follows another.
  private static void check(@Nullable ExecutionState before, ExecutionState after) {
    if (before == null) {
      return;
    }
    assertThat(after.key()).isEqualTo(before.key());
    assertThat(after.admission()).isEqualTo(before.admission());
    assertThat(after.incarnation()).isBetween(before.incarnation(), before.incarnation() + 1);
    if (before.terminal() != null) {
      assertThat(after).isEqualTo(before);
      return;
    }
    if (after.run() != null) {
      assertThat(after.run().token()).isEqualTo(before.live().token());
      assertThat(after.run().wakes()).isGreaterThanOrEqualTo(before.live().wakes());
      assertThat(after.run().leased() && after.run().at() == null).isFalse();
    }
  }

  private static @Nullable String subject(Command command, Map<String, ExecutionState> before) {
    return switch (command) {
      case Command.Admit admit -> admit.admission().id();
      case Command.Fenced fenced ->
          before.values().stream()
              .filter(state -> state.key() == fenced.lease().execution())
              .map(ExecutionState::id)
              .findFirst()
              .orElse(null);
      case Command.Wake wake -> wake.executionId();
      case Command.Cancel cancel -> cancel.executionId();
      case Command.Pause pause -> pause.executionId();
      case Command.Resume resume -> resume.executionId();
      case Command.Fork fork -> fork.sourceId();
      case Command.Retry retry -> retry.sourceId();
      case Command.Registered ignored -> null;
    };
  }

  private static Answer answer(
      Command command, Reply reply, @Nullable ExecutionState before, Set<JournalPage.Row> journal) {
    return switch (reply) {
      case Reply.Admitted admitted when command instanceof Command.Admit && before != null ->
          admitted.created() ? Answer.REPEATED : Answer.EXISTING;
      case Reply.Admitted ignored -> Answer.DONE;
      case Reply.Recorded(var record, var asSent) when asSent ->
          journal.contains(new JournalPage.Row(incarnation(command), record))
              ? Answer.REPEATED
              : Answer.DONE;
      case Reply.Recorded ignored -> Answer.OTHER_VALUE;
      case Reply.Acknowledged ignored ->
          before != null && before.standing(((Command.Fenced) command).lease()).isPresent()
              ? Answer.DONE
              : Answer.REPEATED;
      case Reply.Renewed ignored -> Answer.DONE;
      case Reply.Released ignored -> Answer.DONE;
      case Reply.Done ignored -> Answer.DONE;
      case Reply.CancelAccepted ignored -> Answer.ACCEPTED;
      case Reply.CancelledBefore ignored -> Answer.CANCELLED_BEFORE;
      case Reply.Lost ignored -> Answer.LOST;
      case Reply.Finished ignored ->
          before != null && before.terminal() != null ? Answer.FINISHED : Answer.DONE;
      case Reply.NotFound ignored -> Answer.NOT_FOUND;
      case Reply.Refused ignored -> Answer.REFUSED;
    };
  }

  private static Incarnation incarnation(Command command) {
    Lease lease = ((Command.Fenced) command).lease();
    return new Incarnation(lease.execution(), lease.incarnation());
  }

  private Set<JournalPage.Row> journals(Map<String, ExecutionState> states) {
    List<Incarnation> incarnations =
        states.values().stream()
            .flatMap(
                state ->
                    IntStream.rangeClosed(1, state.incarnation())
                        .mapToObj(incarnation -> new Incarnation(state.key(), incarnation)))
            .toList();
    return new HashSet<>(backend.journal(JournalQuery.firstPage(incarnations, 10_000)).rows());
  }

  private void see(
      @Nullable ExecutionState before, Event event, Answer answer, @Nullable ExecutionState after) {
    seen.add(
        new Seen(
            before == null ? null : before.status(),
            event,
            answer,
            after == null ? null : after.status()));
  }
}
