package dev.yieldstar.cli.demo;

import dev.yieldstar.StepView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What journal and ledger prove together.
///
/// @param before the journal as the killed process left it
/// @param after the journal at the end
record DemoReport(List<StepView> before, List<StepView> after, List<Ledger.Line> ledger) {

  /// One attempt of a step.
  private record AttemptOf(String step, int attempt) {}

  /// How many steps were recorded in all.
  long steps() {
    return keys(after).size();
  }

  /// Steps that were finished before the kill, and whose body the second process did not run again.
  long replayed() {
    Set<String> replayed = new HashSet<>(keysOfFinished(before));
    ledger.stream()
        .filter(line -> line.process() > 1)
        .forEach(line -> replayed.remove(line.step()));
    return replayed.size();
  }

  /// Recorded attempts whose body began more than once.
  long repeated() {
    Map<AttemptOf, Integer> begun = new HashMap<>();
    for (Ledger.Line line : ledger) {
      if (line.what().equals("began")) {
        begun.merge(new AttemptOf(line.step(), line.attempt()), 1, Integer::sum);
      }
    }
    return after.stream()
        .map(step -> new AttemptOf(step.key(), step.attempt()))
        .mapToInt(attempt -> Math.max(0, begun.getOrDefault(attempt, 0) - 1))
        .sum();
  }

  /// Whether the kill came between the charge and what follows it.
  boolean wasCutInTheMiddle() {
    Set<String> finished = keysOfFinished(before);
    return finished.contains("charge") && !finished.contains("reserve");
  }

  private static Set<String> keys(List<StepView> journal) {
    var keys = new HashSet<String>();
    journal.forEach(step -> keys.add(step.key()));
    return keys;
  }

  private static Set<String> keysOfFinished(List<StepView> journal) {
    var keys = new LinkedHashSet<String>();
    for (StepView step : journal) {
      if (step.state() != StepView.State.RETRYING) {
        keys.add(step.key());
      }
    }
    return keys;
  }

  /// Something that happened, and how it is shown.
  private record Event(Instant at, Runnable shown) {}

  /// Prints what the first process did.
  void printFirst(Timeline timeline) {
    print(events(timeline, 1, before));
  }

  /// Prints what the second process replayed, and what it did.
  void printSecond(Timeline timeline) {
    List<StepView> recorded = new ArrayList<>(after);
    recorded.removeAll(before);
    List<Event> events = events(timeline, 2, recorded);
    events.stream()
        .map(Event::at)
        .min(Comparator.naturalOrder())
        .ifPresent(delivered -> printReplayed(timeline, delivered));
    print(events);
  }

  private void printReplayed(Timeline timeline, Instant delivered) {
    for (String key : keysOfFinished(before)) {
      timeline.note(delivered, "replayed  %-9s answered from its record".formatted(key));
    }
  }

  private static void print(List<Event> events) {
    events.stream().sorted(Comparator.comparing(Event::at)).forEach(event -> event.shown().run());
  }

  private List<Event> events(Timeline timeline, int process, List<StepView> recorded) {
    var events = new ArrayList<Event>();
    for (Ledger.Line line : ledger) {
      if (line.process() == process && !line.what().equals("began")) {
        events.add(new Event(line.at(), () -> print(timeline, line)));
      }
    }
    for (StepView step : recorded) {
      if (step.state() == StepView.State.WAITING) {
        events.add(new Event(step.recordedAt(), () -> printWait(timeline, step)));
      }
    }
    return events;
  }

  private static void printWait(Timeline timeline, StepView step) {
    Duration wait = Duration.between(step.recordedAt(), step.due().orElse(step.recordedAt()));
    timeline.plain(
        step.recordedAt(),
        "waits     %-9s %.1f s, recorded".formatted(step.key(), wait.toMillis() / 1000.0));
  }

  private static void print(Timeline timeline, Ledger.Line line) {
    String text = "%-9s attempt %d".formatted(line.step(), line.attempt());
    if (line.what().equals("failed")) {
      timeline.warning(line.at(), "failed    " + text + ", tried again");
    } else {
      timeline.good(line.at(), "ran       " + text);
    }
  }
}
