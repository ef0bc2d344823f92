package dev.yieldstar.testkit;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Backends that are wrong in what they keep and in what they tell.
final class WrongValues {
  private WrongValues() {}

  /// The last record of a step wins.
  static final class LastRecordWins extends PlainBackend {
    LastRecordWins(InstantSource clock) {
      super(clock);
    }

    @Override
    public @Nullable StepRecord step(long execution, int incarnation, String key, int attempt) {
      return null;
    }

    @Override
    public void append(long execution, int incarnation, StepRecord record) {
      steps(new Incarnation(execution, incarnation))
          .removeIf(s -> s.key().equals(record.key()) && s.attempt() == record.attempt());
      super.append(execution, incarnation, record);
    }
  }

  /// All incarnations have one journal.
  static final class OneJournal extends PlainBackend {
    OneJournal(InstantSource clock) {
      super(clock);
    }

    @Override
    List<StepRecord> steps(Incarnation of) {
      return super.steps(new Incarnation(of.execution(), 1));
    }
  }

  /// The attempt is no part of a step's identity.
  static final class OneAttempt extends PlainBackend {
    OneAttempt(InstantSource clock) {
      super(clock);
    }

    @Override
    public @Nullable StepRecord step(long execution, int incarnation, String key, int attempt) {
      return steps(new Incarnation(execution, incarnation)).stream()
          .filter(step -> step.key().equals(key))
          .findFirst()
          .orElse(null);
    }
  }

  /// Keys that differ in nothing but case are one.
  static final class FoldsCase extends PlainBackend {
    FoldsCase(InstantSource clock) {
      super(clock);
    }

    @Override
    public @Nullable StepRecord step(long execution, int incarnation, String key, int attempt) {
      return steps(new Incarnation(execution, incarnation)).stream()
          .filter(step -> step.key().equalsIgnoreCase(key) && step.attempt() == attempt)
          .findFirst()
          .orElse(null);
    }
  }

  /// Ids that differ in nothing but space at their end are one.
  static final class TrimsIds extends PlainBackend {
    TrimsIds(InstantSource clock) {
      super(clock);
    }

    @Override
    public @Nullable ExecutionState byId(String id) {
      return executions.values().stream()
          .filter(state -> state.id().stripTrailing().equals(id.stripTrailing()))
          .findFirst()
          .orElse(null);
    }
  }

  /// Values end at their first NUL.
  static final class TextPayloads extends PlainBackend {
    TextPayloads(InstantSource clock) {
      super(clock);
    }

    @Override
    public void append(long execution, int incarnation, StepRecord record) {
      super.append(
          execution,
          incarnation,
          record.result() instanceof StepResult.Value(var value)
              ? Changed.with(record, "result", new StepResult.Value(cut(value)))
              : record);
    }

    private static Payload cut(Payload payload) {
      byte[] body = payload.body();
      int end = 0;
      while (end < body.length && body[end] != 0) {
        end++;
      }
      return Payload.of(payload.format(), Arrays.copyOf(body, end));
    }
  }

  /// Attributes come back sorted.
  static final class SortsAttributes extends PlainBackend {
    SortsAttributes(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      var sorted = new TreeMap<>(state.admission().attributes());
      super.put(
          Changed.with(state, "admission", Changed.with(state.admission(), "attributes", sorted)));
    }
  }

  /// Due times are kept in whole seconds.
  static final class WholeSeconds extends PlainBackend {
    WholeSeconds(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      Instant at = state.run() == null ? null : state.run().at();
      boolean near = at != null && at.isBefore(Instant.parse("9999-01-01T00:00:00Z"));
      super.put(
          near && at != null
              ? Changed.run(state, "at", at.truncatedTo(ChronoUnit.SECONDS))
              : state);
    }
  }

  /// Times beyond the year 9999 become that year.
  static final class FourDigitYears extends PlainBackend {
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    FourDigitYears(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      Instant at = state.run() == null ? null : state.run().at();
      super.put(at != null && at.isAfter(LAST) ? Changed.run(state, "at", LAST) : state);
    }
  }

  /// Pages are counted from the beginning, so that rows added between shift them.
  static final class PagesByOffset extends PlainBackend {
    private final Map<List<Incarnation>, Integer> told = new HashMap<>();

    PagesByOffset(InstantSource clock) {
      super(clock);
    }

    @Override
    public JournalPage journal(JournalQuery query) {
      int offset = query.after() == null ? 0 : told.getOrDefault(query.incarnations(), 0);
      List<JournalPage.Row> all =
          super.journal(JournalQuery.firstPage(query.incarnations(), 100_000)).rows();
      int end = Math.min(all.size(), offset + query.limit());
      told.put(query.incarnations(), end);
      return new JournalPage(all.subList(Math.min(offset, end), end), end < all.size());
    }
  }

  /// Rows are ordered by a language's rules, not by bytes.
  static final class CollatedRows extends PlainBackend {
    CollatedRows(InstantSource clock) {
      super(clock);
    }

    @Override
    Comparator<JournalPage.Row> rowOrder() {
      return Comparator.comparing(JournalPage.Row::of)
          .thenComparing(row -> row.step().key().toLowerCase(Locale.ROOT))
          .thenComparing(super.rowOrder());
    }
  }

  /// The last page is cut off.
  static final class NeverMore extends PlainBackend {
    NeverMore(InstantSource clock) {
      super(clock);
    }

    @Override
    public JournalPage journal(JournalQuery query) {
      return new JournalPage(super.journal(query).rows(), false);
    }
  }

  /// A hand-over counts as a failed delivery.
  static final class CountsHandOvers extends PlainBackend {
    CountsHandOvers(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      boolean handedOver =
          state.run() != null
              && !state.live().leased()
              && state.live().last() == LastDelivery.HANDED_OVER;
      super.put(handedOver ? Changed.run(state, "unacknowledged", 1) : state);
    }
  }

  /// Another definition version helps nobody.
  static final class IgnoresVersions extends PlainBackend {
    IgnoresVersions(InstantSource clock) {
      super(clock);
    }

    @Override
    public List<Long> blockedUnderAnother(String workflow, String version) {
      return List.of();
    }
  }

  /// What is asked of an execution is told under any lease.
  static final class StandingForAnybody extends PlainBackend {
    StandingForAnybody(InstantSource clock) {
      super(clock);
    }

    @Override
    public Map<Long, Standing> standing(Collection<Lease> leases) {
      var current = new ArrayList<Lease>();
      for (Lease lease : leases) {
        ExecutionState state = executions.get(lease.execution());
        if (state != null && state.run() != null && state.live().leased()) {
          current.add(claimOf(state).lease());
        }
      }
      return super.standing(current);
    }
  }

  /// A closed backend goes on answering.
  static final class NeverCloses extends PlainBackend {
    NeverCloses(InstantSource clock) {
      super(clock);
    }

    @Override
    public void close() {}
  }
}
