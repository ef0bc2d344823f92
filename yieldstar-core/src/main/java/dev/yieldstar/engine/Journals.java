package dev.yieldstar.engine;

import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// The journals of executions that were claimed together: read after the claim, never with it, so
/// that they hold all that was recorded under earlier leases. Immutable.
final class Journals {
  private static final int PAGE = 1_000;
  private static final Comparator<StepRecord> IN_ORDER =
      Comparator.comparingInt(StepRecord::position).thenComparingInt(StepRecord::attempt);

  private final Map<Incarnation, List<StepRecord>> records;
  private final Map<Incarnation, RuntimeException> failures;

  private Journals(
      Map<Incarnation, List<StepRecord>> records, Map<Incarnation, RuntimeException> failures) {
    this.records = records;
    this.failures = failures;
  }

  static Journals empty() {
    return new Journals(Map.of(), Map.of());
  }

  /// Reads those of the claims that may have any, a page at a time. What can't be read fails for
  /// the deliveries that ask for it, and for no others.
  static Journals of(Backend backend, List<Claim> claims) {
    List<Incarnation> wanted =
        claims.stream()
            .filter(claim -> claim.state() != null && claim.state().mayHaveHistory())
            .map(claim -> incarnation(claim.lease()))
            .toList();
    if (wanted.isEmpty()) {
      return empty();
    }
    try {
      return new Journals(read(backend, wanted), Map.of());
    } catch (RuntimeException e) {
      boolean hopeless = wanted.size() == 1 || isOutage(e);
      return hopeless ? failed(wanted, e) : oneByOne(backend, wanted);
    }
  }

  private static boolean isOutage(RuntimeException failure) {
    return failure instanceof BackendException backend
        && backend.fault() != BackendException.Fault.DATA;
  }

  private static Journals failed(List<Incarnation> wanted, RuntimeException failure) {
    var failures = new HashMap<Incarnation, RuntimeException>();
    wanted.forEach(of -> failures.put(of, failure));
    return new Journals(Map.of(), failures);
  }

  private static Journals oneByOne(Backend backend, List<Incarnation> wanted) {
    var records = new HashMap<Incarnation, List<StepRecord>>();
    var failures = new HashMap<Incarnation, RuntimeException>();
    for (Incarnation of : wanted) {
      try {
        records.put(of, of(backend, of));
      } catch (RuntimeException e) {
        failures.put(of, e);
      }
    }
    return new Journals(records, failures);
  }

  /// The journal of one incarnation, in order.
  static List<StepRecord> of(Backend backend, Incarnation incarnation) {
    return read(backend, List.of(incarnation)).getOrDefault(incarnation, List.of());
  }

  private static Map<Incarnation, List<StepRecord>> read(
      Backend backend, List<Incarnation> wanted) {
    var records = new HashMap<Incarnation, List<StepRecord>>();
    JournalPage.Row last = null;
    JournalPage page;
    do {
      page = backend.journal(new JournalQuery(wanted, last, PAGE));
      for (JournalPage.Row row : page.rows()) {
        records.computeIfAbsent(row.of(), of -> new ArrayList<>()).add(row.step());
        last = row;
      }
    } while (page.more());
    records.values().forEach(steps -> steps.sort(IN_ORDER));
    return records;
  }

  /// What was recorded in the lease's incarnation, in order.
  List<StepRecord> of(Lease lease) {
    RuntimeException failure = failures.get(incarnation(lease));
    if (failure != null) {
      throw failure;
    }
    return Objects.requireNonNullElseGet(
        records.get(incarnation(lease)), (Supplier<List<StepRecord>>) List::of);
  }

  private static Incarnation incarnation(Lease lease) {
    return new Incarnation(lease.execution(), lease.incarnation());
  }
}
