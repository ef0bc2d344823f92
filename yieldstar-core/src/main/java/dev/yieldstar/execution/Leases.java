package dev.yieldstar.execution;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Leases: begun by a claim, prolonged by renewals, ended by a release, an acknowledgement or the
/// next claim. Passing its time does not end a lease.
public final class Leases {
  private Leases() {}

  /// The state after a claim by the lease id. The claim that takes over a passed lease counts it.
  ///
  /// @param state claimable at `now`
  public static ExecutionState claimed(
      ExecutionState state, long leaseId, Duration duration, Instant now) {
    Run run = state.live();
    boolean takeOver = run.leased();
    int unacknowledged = run.unacknowledged() + (takeOver ? 1 : 0);
    int passed = takeOver ? run.passed() + 1 : run.passed();
    Attention attention = overBudget(state, unacknowledged, run.attention());
    Instant due = endOf(now, duration, unacknowledged);
    LastDelivery last = takeOver ? LastDelivery.LEASE_PASSED : run.last();
    return state.with(run.leasedTo(leaseId, due, unacknowledged, passed, last, attention));
  }

  /// An execution as its admission with a grant has left it.
  public static ExecutionState born(Admission admission, Lease lease, Instant now) {
    var admitted =
        new ExecutionState(
            admission.admittedAt(now), 1, admission.params(), Run.admitted(now, 0), null);
    return claimed(admitted, lease.id(), Duration.ZERO, now);
  }

  static Reply renew(Workspace workspace, Command.Renew renew, Instant now) {
    ExecutionState state = current(workspace, renew.lease());
    if (state == null) {
      return new Reply.Lost();
    }
    Run run = state.live();
    workspace.put(state.with(run.at(endOf(now, renew.duration(), run.unacknowledged()))));
    return new Reply.Renewed(Times.plus(now, renew.duration()), Standing.of(run));
  }

  static Reply release(Workspace workspace, Command.Release release, Instant now) {
    ExecutionState state = current(workspace, release.lease());
    if (state == null) {
      return new Reply.Lost();
    }
    workspace.put(state.with(released(state, release.reason(), now)));
    return new Reply.Released();
  }

  private static Run released(ExecutionState state, Command.ReleaseReason reason, Instant now) {
    Run run = state.live();
    int failures = run.unacknowledged();
    return switch (reason) {
      case Command.ReleaseReason.HandedOver ignored ->
          run.released(now, failures, LastDelivery.HANDED_OVER, run.attention());
      case Command.ReleaseReason.Backend ignored ->
          run.released(
              Times.plus(now, Redelivery.delay(failures + 1)),
              failures,
              LastDelivery.BACKEND,
              run.attention());
      case Command.ReleaseReason.Failed ignored ->
          run.released(
              Times.plus(now, Redelivery.delay(failures + 1)),
              failures + 1,
              LastDelivery.FAILED,
              overBudget(state, failures + 1, run.attention()));
      case Command.ReleaseReason.Blocked(var why) ->
          run.released(
              Times.plus(now, Redelivery.WHEN_BLOCKED), failures, LastDelivery.BLOCKED, why);
    };
  }

  /// The state if the lease is current, null if not.
  static @Nullable ExecutionState current(Workspace workspace, Lease lease) {
    ExecutionState state = workspace.byKey(lease.execution());
    return state != null && state.isCurrent(lease) ? state : null;
  }

  /// When a leased execution is due if nobody renews: the end of the lease and the redelivery
  /// delay.
  private static Instant endOf(Instant now, Duration duration, int unacknowledged) {
    return Times.plus(Times.plus(now, duration), Redelivery.delay(unacknowledged + 1));
  }

  private static @Nullable Attention overBudget(
      ExecutionState state, int failures, @Nullable Attention before) {
    if (failures <= Redelivery.BUDGET) {
      return before;
    }
    return new Attention(
        Attention.REDELIVERY_BUDGET,
        "%d deliveries in a row ended without an outcome and recorded nothing. See the log of the processes that ran it; it is tried again every ten minutes, or when resumed."
            .formatted(failures),
        state.admission().version());
  }
}
