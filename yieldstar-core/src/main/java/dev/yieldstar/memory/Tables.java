package dev.yieldstar.memory;

import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.Workspace;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The rows of a [MemoryBackend], with the index of what is due. Guarded by the backend's lock.
final class Tables implements Workspace {
  private static final Comparator<Step> BY_KEY =
      Comparator.comparing(
              (Step step) -> step.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned)
          .thenComparingInt(Step::attempt);

  private final Map<Long, ExecutionState> executions = new HashMap<>();
  private final Map<String, Long> keys = new HashMap<>();
  private final Map<Incarnation, TreeMap<Step, StepRecord>> journals = new HashMap<>();
  private final Map<Long, TreeSet<Long>> waiters = new HashMap<>();
  private final Map<Long, List<Long>> awaited = new HashMap<>();
  private final Map<String, TreeSet<DueRow>> due = new HashMap<>();

  private record Step(String key, int attempt) {}

  private record DueRow(Instant at, long execution) implements Comparable<DueRow> {
    @Override
    public int compareTo(DueRow other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(execution, other.execution);
    }
  }

  @Override
  public @Nullable ExecutionState byId(String id) {
    Long key = keys.get(id);
    return key == null ? null : executions.get(key);
  }

  @Override
  public @Nullable ExecutionState byKey(long execution) {
    return executions.get(execution);
  }

  @Override
  public void put(ExecutionState state) {
    ExecutionState before = executions.put(state.key(), state);
    keys.put(state.id(), state.key());
    DueRow was = dueRow(before);
    DueRow is = dueRow(state);
    TreeSet<DueRow> rows =
        due.computeIfAbsent(state.admission().workflow(), workflow -> new TreeSet<>());
    if (was != null && !was.equals(is)) {
      rows.remove(was);
    }
    if (is != null && !is.equals(was)) {
      rows.add(is);
    }
  }

  /// The row of the due index: there for what a claim may find, now or later.
  private static @Nullable DueRow dueRow(@Nullable ExecutionState state) {
    Run run = state == null ? null : state.run();
    if (state == null || run == null || run.paused() || run.at() == null) {
      return null;
    }
    return new DueRow(run.at(), state.key());
  }

  @Override
  public @Nullable StepRecord step(long execution, int incarnation, String key, int attempt) {
    return steps(new Incarnation(execution, incarnation)).get(new Step(key, attempt));
  }

  @Override
  public List<StepRecord> journal(long execution, int incarnation) {
    return List.copyOf(steps(new Incarnation(execution, incarnation)).values());
  }

  @Override
  public void append(long execution, int incarnation, StepRecord record) {
    journals
        .computeIfAbsent(new Incarnation(execution, incarnation), of -> new TreeMap<>(BY_KEY))
        .put(new Step(record.key(), record.attempt()), record);
  }

  private TreeMap<Step, StepRecord> steps(Incarnation of) {
    return journals.getOrDefault(of, new TreeMap<>(BY_KEY));
  }

  @Override
  public List<Long> waitersOn(long execution) {
    return List.copyOf(waiters.getOrDefault(execution, new TreeSet<>()));
  }

  @Override
  public void await(long waiter, List<Long> others) {
    for (long other : awaited.getOrDefault(waiter, List.of())) {
      waiters.getOrDefault(other, new TreeSet<>()).remove(waiter);
    }
    awaited.put(waiter, List.copyOf(others));
    for (long other : others) {
      waiters.computeIfAbsent(other, key -> new TreeSet<>()).add(waiter);
    }
  }

  @Override
  public List<Long> blockedUnderAnother(String workflow, String version) {
    return executions.values().stream()
        .filter(state -> state.admission().workflow().equals(workflow))
        .filter(state -> blockedUnderAnother(state.run(), version))
        .map(ExecutionState::key)
        .sorted()
        .toList();
  }

  private static boolean blockedUnderAnother(@Nullable Run run, String version) {
    return run != null
        && run.attention() != null
        && run.attention().version() != null
        && !run.attention().version().equals(version);
  }

  /// What is due of these workflows, earliest first, read as it is asked for.
  Iterator<ExecutionState> due(Set<String> workflows, Instant now) {
    var heads = new PriorityQueue<Head>();
    for (String workflow : workflows) {
      Head.push(heads, rows(workflow).headSet(new DueRow(now, Long.MAX_VALUE), true).iterator());
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !heads.isEmpty();
      }

      @Override
      public ExecutionState next() {
        Head head = heads.remove();
        Head.push(heads, head.rest());
        return Objects.requireNonNull(executions.get(head.first().execution()));
      }
    };
  }

  /// The first row that is left of one workflow's, and the others.
  private record Head(DueRow first, Iterator<DueRow> rest) implements Comparable<Head> {
    static void push(PriorityQueue<Head> heads, Iterator<DueRow> rows) {
      if (rows.hasNext()) {
        heads.add(new Head(rows.next(), rows));
      }
    }

    @Override
    public int compareTo(Head other) {
      return first.compareTo(other.first);
    }
  }

  /// When the first of these workflows is due after `now`.
  @Nullable Instant nextDue(Set<String> workflows, Instant now) {
    return workflows.stream()
        .map(workflow -> rows(workflow).higher(new DueRow(now, Long.MAX_VALUE)))
        .filter(row -> row != null)
        .map(DueRow::at)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private TreeSet<DueRow> rows(String workflow) {
    return due.getOrDefault(workflow, new TreeSet<>());
  }

  List<ExecutionState> leasedUnder(long leaseId) {
    return executions.values().stream()
        .filter(state -> state.run() != null && state.run().leaseId() == leaseId)
        .sorted(Comparator.comparingLong(ExecutionState::key))
        .toList();
  }

  JournalPage page(JournalQuery query) {
    var rows = new ArrayList<JournalPage.Row>();
    for (Incarnation of : query.incarnations().stream().sorted().distinct().toList()) {
      for (StepRecord record : steps(of).values()) {
        var row = new JournalPage.Row(of, record);
        if (query.after() != null && !isAfter(row, query.after())) {
          continue;
        }
        if (rows.size() == query.limit()) {
          return new JournalPage(rows, true);
        }
        rows.add(row);
      }
    }
    return new JournalPage(rows, false);
  }

  private static boolean isAfter(JournalPage.Row row, JournalPage.Row last) {
    int byIncarnation = row.of().compareTo(last.of());
    return byIncarnation > 0 || (byIncarnation == 0 && BY_KEY.compare(step(row), step(last)) > 0);
  }

  private static Step step(JournalPage.Row row) {
    return new Step(row.step().key(), row.step().attempt());
  }
}
