package dev.yieldstar.testkit;

import dev.yieldstar.spi.ClaimRequest;
import java.time.Duration;
import java.util.Set;

/// What a claim of the contract asks for, changed from the ordinary by its `with` methods.
record Asking(
    Set<String> workflows,
    int limit,
    long leaseId,
    Duration duration,
    Set<Long> delivering,
    boolean takeOver,
    boolean suspect) {

  /// All that is due of the workflows that the contract uses.
  static Asking forAll() {
    return new Asking(
        Set.of(Commands.WORKFLOW, "shipment"),
        100,
        Commands.newId(),
        Commands.LEASE,
        Set.of(),
        true,
        true);
  }

  Asking withWorkflows(String... names) {
    return new Asking(Set.of(names), limit, leaseId, duration, delivering, takeOver, suspect);
  }

  Asking withLimit(int most) {
    return new Asking(workflows, most, leaseId, duration, delivering, takeOver, suspect);
  }

  Asking withLeaseId(long id) {
    return new Asking(workflows, limit, id, duration, delivering, takeOver, suspect);
  }

  Asking withDuration(Duration lease) {
    return new Asking(workflows, limit, leaseId, lease, delivering, takeOver, suspect);
  }

  Asking withDelivering(Long... executions) {
    return new Asking(workflows, limit, leaseId, duration, Set.of(executions), takeOver, suspect);
  }

  Asking withoutTakeOver() {
    return new Asking(workflows, limit, leaseId, duration, delivering, false, suspect);
  }

  Asking withoutSuspects() {
    return new Asking(workflows, limit, leaseId, duration, delivering, takeOver, false);
  }

  ClaimRequest request() {
    return new ClaimRequest(workflows, limit, leaseId, duration, delivering, takeOver, suspect);
  }
}
