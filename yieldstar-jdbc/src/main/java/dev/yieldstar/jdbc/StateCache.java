package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.ExecutionState;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The states of live executions as they were last read or committed by the one connection that
/// writes, bounded in size, the least recently used going first.
///
/// A state is exact until somebody else commits; what never changes of it (the admission, the
/// params of an incarnation) stays usable after that too, so that only the narrow row is read
/// again. Guarded by the writer's lock.
final class StateCache {
  private static final long ENTRY = 1_000;

  private final Map<Long, Entry> entries = new LinkedHashMap<>(256, 0.75f, true);
  private final long capacity;
  private long size;
  private long epoch;

  private record Entry(ExecutionState state, long epoch, long size) {}

  /// @param capacity about how many bytes it may take
  StateCache(long capacity) {
    this.capacity = capacity;
  }

  /// The state, if nobody else can have changed it.
  @Nullable ExecutionState exact(long execution) {
    Entry entry = entries.get(execution);
    return entry != null && entry.epoch() == epoch ? entry.state() : null;
  }

  /// A state that it had once.
  @Nullable ExecutionState former(long execution) {
    Entry entry = entries.get(execution);
    return entry == null ? null : entry.state();
  }

  /// Somebody else has committed something.
  void othersCommitted() {
    epoch++;
  }

  void keep(ExecutionState state) {
    if (state.run() == null) {
      remove(state.key());
      return;
    }
    var entry = new Entry(state, epoch, sizeOf(state));
    Entry before = entries.put(state.key(), entry);
    size += entry.size() - (before == null ? 0 : before.size());
    Iterator<Entry> eldest = entries.values().iterator();
    while (size > capacity) {
      size -= eldest.next().size();
      eldest.remove();
    }
  }

  private void remove(long execution) {
    Entry gone = entries.remove(execution);
    if (gone != null) {
      size -= gone.size();
    }
  }

  void clear() {
    entries.clear();
    size = 0;
    epoch++;
  }

  private static long sizeOf(ExecutionState state) {
    return ENTRY
        + sizeOf(state.admission().params())
        + sizeOf(state.admission().context())
        + (state.params() == state.admission().params() ? 0 : sizeOf(state.params()));
  }

  private static long sizeOf(@Nullable Payload payload) {
    return payload == null ? 0 : payload.size();
  }
}
