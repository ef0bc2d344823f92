package dev.yieldstar.execution;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Transition.Answer;
import dev.yieldstar.execution.Transition.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The state machine as a table.
///
/// It does not drive the code, which decides by more than the status; it says what the code may do.
/// A test drives the code through every row and fails at any step that is not in the table; the
/// diagram in the documentation is drawn from it.
public final class Transitions {
  private static final Set<Event> ACKNOWLEDGEMENTS =
      EnumSet.of(Event.COMPLETE, Event.FAIL, Event.SUSPEND, Event.CONTINUE_AS_NEW);
  private static final Set<Event> RELEASES =
      EnumSet.of(Event.HAND_OVER, Event.RELEASE_BACKEND, Event.RELEASE_FAILED, Event.BLOCK);
  private static final Set<Event> RECORDS = EnumSet.of(Event.RECORD, Event.START);
  private static final Set<Event> OPERATIONS =
      EnumSet.of(Event.WAKE, Event.CANCEL, Event.PAUSE, Event.RESUME);
  private static final Set<Event> ADMISSIONS = EnumSet.of(Event.ADMIT, Event.ADMIT_LEASED);
  private static final Set<Event> FORKS = EnumSet.of(Event.FORK, Event.RETRY);

  private static final List<Transition> ALL = new Transitions().rows();

  private final List<Transition> rows = new ArrayList<>();

  private Transitions() {}

  /// Every row, each once.
  public static List<Transition> all() {
    return ALL;
  }

  private List<Transition> rows() {
    beginnings();
    for (Status status : Status.values()) {
      admissionsOfWhatExists(status);
      if (status.isTerminal()) {
        ended(status);
      } else {
        live(status);
      }
    }
    admitted();
    running();
    suspended();
    return List.copyOf(rows);
  }

  private void beginnings() {
    go(null, Event.ADMIT, "", Status.ADMITTED);
    go(null, Event.ADMIT_LEASED, "due now", Status.RUNNING);
    go(null, Event.ADMIT_LEASED, "due later", Status.ADMITTED);
    go(null, Event.STARTED, "", Status.ADMITTED);
    go(null, Event.FORKED, "", Status.ADMITTED);
    stay(null, Answer.REFUSED, ADMISSIONS);
    stay(null, Answer.NOT_FOUND, OPERATIONS);
    stay(null, Answer.NOT_FOUND, FORKS);
    lost(null);
  }

  private void admissionsOfWhatExists(Status status) {
    stay(status, Answer.EXISTING, ADMISSIONS);
    stay(status, Answer.REPEATED, ADMISSIONS);
    stay(status, Answer.REFUSED, ADMISSIONS);
    stay(status, Answer.DONE, EnumSet.of(Event.FORK));
    stay(status, Answer.REFUSED, FORKS);
    lost(status);
  }

  private void live(Status status) {
    stay(status, Answer.DONE, EnumSet.of(Event.WAKE, Event.PAUSE, Event.RESUME, Event.REGISTERED));
    stay(status, Answer.ACCEPTED, EnumSet.of(Event.CANCEL, Event.PAUSE));
    go(status, Event.CLAIM, "", Status.RUNNING);
  }

  private void admitted() {
    go(Status.ADMITTED, Event.CANCEL, "nothing to compensate", Status.CANCELLED);
  }

  private void running() {
    Status from = Status.RUNNING;
    String cancelled = "a cancellation was accepted";
    stay(from, Answer.DONE, EnumSet.of(Event.RENEW, Event.RECORD, Event.START, Event.AWAITED_END));
    stay(from, Answer.OTHER_VALUE, RECORDS);
    stay(from, Answer.REPEATED, RECORDS);
    stay(from, Answer.REPEATED, ACKNOWLEDGEMENTS);
    stay(from, Answer.REFUSED, EnumSet.of(Event.START));
    stay(from, Answer.CANCELLED_BEFORE, RECORDS);
    stay(from, Answer.CANCELLED_BEFORE, EnumSet.of(Event.CONTINUE_AS_NEW));
    go(from, Event.COMPLETE, "", Status.COMPLETED);
    go(from, Event.FAIL, "", Status.FAILED);
    go(from, Event.COMPLETE, cancelled, Status.CANCELLED);
    go(from, Event.FAIL, cancelled, Status.CANCELLED);
    go(from, Event.SUSPEND, "", Status.SUSPENDED);
    go(from, Event.CONTINUE_AS_NEW, "", Status.SUSPENDED);
    RELEASES.forEach(release -> go(from, release, "", Status.SUSPENDED));
  }

  private void suspended() {
    Status from = Status.SUSPENDED;
    stay(from, Answer.DONE, EnumSet.of(Event.AWAITED_END));
    stay(from, Answer.REPEATED, RECORDS);
    stay(from, Answer.REPEATED, ACKNOWLEDGEMENTS);
    go(from, Event.CANCEL, "nothing to compensate", Status.CANCELLED);
  }

  private void ended(Status status) {
    stay(status, Answer.FINISHED, OPERATIONS);
    stay(status, Answer.REPEATED, RECORDS);
    stay(status, Answer.REPEATED, ACKNOWLEDGEMENTS);
    stay(status, Answer.DONE, EnumSet.of(Event.RETRY));
  }

  /// A lease that is not current changes nothing, whatever the status.
  private void lost(@Nullable Status status) {
    for (Set<Event> events : Arrays.asList(RECORDS, ACKNOWLEDGEMENTS, RELEASES)) {
      stay(status, Answer.LOST, events);
    }
    stay(status, Answer.LOST, EnumSet.of(Event.RENEW));
  }

  private void go(@Nullable Status from, Event event, String when, Status to) {
    rows.add(new Transition(from, event, Answer.DONE, when, to));
  }

  private void stay(@Nullable Status status, Answer answer, Set<Event> events) {
    events.forEach(event -> rows.add(new Transition(status, event, answer, "", status)));
  }
}
