package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Transition;
import dev.yieldstar.execution.Transition.Event;
import dev.yieldstar.execution.Transitions;
import dev.yieldstar.testkit.Walk.Seen;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TransitionsTest {
  /// Walks: several times what is needed, so that a change of the code does not fail by bad luck.
  private static final int AT_MOST = 5_000;

  private static final Set<Seen> DECLARED =
      Transitions.all().stream().map(Seen::of).collect(Collectors.toSet());

  /// What no command does to the execution that it names.
  private static final Set<Event> BY_THE_WAY =
      EnumSet.of(Event.STARTED, Event.FORKED, Event.CLAIM, Event.AWAITED_END, Event.REGISTERED);

  @Test
  @DisplayName("G4 every declared transition occurs, and no other")
  void everyDeclaredTransitionOccursAndNoOther() {
    var random = new Random(1);
    var seen = new HashSet<Seen>();
    for (int i = 0; i < AT_MOST && !seen.containsAll(DECLARED); i++) {
      seen.addAll(walk(random, 1));
    }

    assertThat(without(seen, DECLARED)).as("occurred, but not declared").isEmpty();
    assertThat(without(DECLARED, seen)).as("declared, but never occurred").isEmpty();
  }

  @Test
  @DisplayName("G4 wherever chance leads, no undeclared transition occurs")
  void whereverChanceLeadsNoUndeclaredTransitionOccurs() {
    long seed = Seed.next();
    try {
      assertThat(without(walk(new Random(seed), 100), DECLARED)).isEmpty();
    } catch (AssertionError failed) {
      throw new AssertionError("-Dseed=" + seed + ": " + failed.getMessage(), failed);
    }
  }

  private static Set<Seen> walk(Random random, int walks) {
    var seen = new HashSet<Seen>();
    for (int i = 0; i < walks; i++) {
      seen.addAll(new Walk(new Random(random.nextLong())).steps(150));
    }
    return seen;
  }

  private static List<Seen> without(Set<Seen> all, Set<Seen> some) {
    return all.stream().filter(each -> !some.contains(each)).toList();
  }

  @Test
  void everyRowIsThereOnce() {
    assertThat(Transitions.all()).doesNotHaveDuplicates();
    assertThat(DECLARED).hasSameSizeAs(Transitions.all());
  }

  @Test
  void everyCommandHasAnAnswerInEveryStatus() {
    var statuses = new ArrayList<@Nullable Status>(List.of(Status.values()));
    statuses.add(null);
    for (Status status : statuses) {
      for (Event event : EnumSet.complementOf(EnumSet.copyOf(BY_THE_WAY))) {
        assertThat(Transitions.all())
            .as("%s in status %s", event, status)
            .anyMatch(row -> row.from() == status && row.event() == event);
      }
    }
  }

  @Test
  @DisplayName("G4 nothing leads out of a terminal status, or back to what was never delivered")
  void nothingLeadsOutOfATerminalStatus() {
    for (Transition row : Transitions.all()) {
      if (row.from() != null && row.from().isTerminal()) {
        assertThat(row.to()).as(row.toString()).isEqualTo(row.from());
      }
      if (row.from() != null && row.to() == Status.ADMITTED) {
        assertThat(row.from()).as(row.toString()).isEqualTo(Status.ADMITTED);
      }
    }
  }
}
