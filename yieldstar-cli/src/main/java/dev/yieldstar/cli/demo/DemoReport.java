package dev.yieldstar.cli.demo;

import dev.yieldstar.StepView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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

  private static Set<String> keys(List<StepView> journal) {
    var keys = new HashSet<String>();
    journal.forEach(step -> keys.add(step.key()));
    return keys;
  }

  private static Set<String> keysOfFinished(List<StepView> journal) {
    var keys = new HashSet<String>();
    for (StepView step : journal) {
      if (step.state() != StepView.State.RETRYING) {
        keys.add(step.key());
      }
    }
    return keys;
  }

  /// Prints what one process did: what it replayed first, then bodies and records in the order of
  /// time.
  void print(Timeline timeline, int process, Instant startedAt) {
    if (process > 1) {
      before.stream()
          .filter(step -> step.state() != StepView.State.RETRYING)
          .forEach(
              step ->
                  timeline.note(
                      startedAt,
                      "replayed  %-9s from its record, its body does not run"
                          .formatted(step.key())));
    }
    List<Runnable> lines = new ArrayList<>();
    List<Instant> times = new ArrayList<>();
    for (Ledger.Line line : ledger) {
      if (line.process() == process && !line.what().equals("began")) {
        times.add(line.at());
        lines.add(() -> print(timeline, line));
      }
    }
    for (StepView step : after) {
      boolean recordedHere = (process == 1) == before.contains(step);
      if (recordedHere && step.state() == StepView.State.WAITING) {
        times.add(step.recordedAt());
        lines.add(
            () ->
                timeline.plain(
                    step.recordedAt(),
                    "waits     %-9s recorded, until %s"
                        .formatted(step.key(), step.due().orElseThrow())));
      }
    }
    java.util.stream.IntStream.range(0, lines.size())
        .boxed()
        .sorted(Comparator.comparing(times::get))
        .forEach(i -> lines.get(i).run());
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
