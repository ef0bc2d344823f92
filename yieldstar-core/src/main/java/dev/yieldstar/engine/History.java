package dev.yieldstar.engine;

import dev.yieldstar.execution.StepRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is recorded of the incarnation that a delivery replays, as far as the delivery knows. Used
/// by the workflow's thread only.
final class History {
  private final Map<String, StepRecord> last = new HashMap<>();
  private final Map<String, StepRecord> first = new HashMap<>();
  private final Set<String> unmet;
  private int nextPosition = 1;

  History(List<StepRecord> journal) {
    journal.forEach(this::add);
    this.unmet = new HashSet<>(last.keySet());
  }

  void add(StepRecord record) {
    first.putIfAbsent(record.key(), record);
    last.put(record.key(), record);
    nextPosition = Math.max(nextPosition, record.position() + 1);
  }

  /// The last recorded attempt of a step; from now on it counts as met.
  @Nullable StepRecord meet(String key) {
    unmet.remove(key);
    return last.get(key);
  }

  /// The first recorded attempt of a step.
  @Nullable StepRecord first(String key) {
    return first.get(key);
  }

  int takePosition() {
    return nextPosition++;
  }

  /// Whether something recorded has not been met again yet.
  boolean isReplaying() {
    return !unmet.isEmpty();
  }
}
