package dev.yieldstar.engine;

import dev.yieldstar.execution.StepRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is recorded of the incarnation that a delivery replays, as far as the delivery knows. Used
/// by the workflow's thread only, but for [#isReplaying].
final class History {
  private final Map<String, StepRecord> last = new HashMap<>();
  private final Map<String, StepRecord> first = new HashMap<>();
  private final Set<String> unmet;
  private int nextPosition = 1;
  private volatile boolean replaying;

  History(List<StepRecord> journal) {
    journal.forEach(this::keep);
    this.unmet = new HashSet<>(last.keySet());
    this.replaying = !unmet.isEmpty();
  }

  /// Takes in what has just been recorded.
  void add(StepRecord record) {
    keep(record);
    replaying = false;
  }

  private void keep(StepRecord record) {
    first.putIfAbsent(record.key(), record);
    last.put(record.key(), record);
    nextPosition = Math.max(nextPosition, record.position() + 1);
  }

  /// The last recorded attempt of a step; from now on it counts as met.
  @Nullable StepRecord meet(String key) {
    unmet.remove(key);
    if (unmet.isEmpty()) {
      replaying = false;
    }
    return last.get(key);
  }

  /// The first recorded attempt of a step.
  @Nullable StepRecord first(String key) {
    return first.get(key);
  }

  int takePosition() {
    return nextPosition++;
  }

  /// Whether the pass only repeats what is recorded: until it has met all of it, or has recorded
  /// something itself (steps that the code no longer has are never met). May be asked from any
  /// thread.
  boolean isReplaying() {
    return replaying;
  }
}
