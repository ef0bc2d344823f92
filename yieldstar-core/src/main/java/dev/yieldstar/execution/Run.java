package dev.yieldstar.execution;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What changes while an execution is live; gone when it ends.
///
/// @param at idle: when it is due; leased: when it is due if nothing renews or ends the lease;
///   null: only a wake makes it due
/// @param token of the last claim, 0 before the first
/// @param leaseId of the current lease, [Lease#NONE] where there is none. Passing its time does not
///   end a lease
/// @param acknowledgedToken of the last lease that was acknowledged, 0 for none
/// @param acknowledgedLease likewise
/// @param wakes how often it was asked to be delivered again
/// @param paused nobody claims it until it is resumed
/// @param cancelReason set from the moment a cancellation is accepted
/// @param revision how often an operator changed it
/// @param compensations how many undos its incarnation has registered
/// @param unacknowledged deliveries in a row that ended without an outcome and recorded nothing
/// @param passed deliveries in a row whose lease passed
/// @param attention why it needs attention, if it does
/// @param waitingFor what it waits for, for people
/// @param waits how many other executions it is registered to wait for
public record Run(
    @Nullable Instant at,
    long token,
    long leaseId,
    long acknowledgedToken,
    long acknowledgedLease,
    long wakes,
    boolean paused,
    @Nullable String cancelReason,
    long revision,
    int compensations,
    int unacknowledged,
    int passed,
    LastDelivery last,
    @Nullable Attention attention,
    @Nullable String waitingFor,
    int waits) {

  static Run admitted(Instant at, int compensations) {
    return new Run(
        at,
        0,
        Lease.NONE,
        0,
        0,
        0,
        false,
        null,
        0,
        compensations,
        0,
        0,
        LastDelivery.NONE,
        null,
        null,
        0);
  }

  public boolean leased() {
    return leaseId != Lease.NONE;
  }

  public boolean cancelled() {
    return cancelReason != null;
  }

  /// Whether a dispatcher may claim it now.
  public boolean claimable(Instant now) {
    return at != null && !at.isAfter(now) && !paused;
  }

  /// Whether it is only ever claimed as the one suspect of a process.
  public boolean suspect() {
    return passed + (leased() ? 1 : 0) >= Redelivery.SUSPECT_AFTER;
  }

  Run at(@Nullable Instant due) {
    return new Run(
        due,
        token,
        leaseId,
        acknowledgedToken,
        acknowledgedLease,
        wakes,
        paused,
        cancelReason,
        revision,
        compensations,
        unacknowledged,
        passed,
        last,
        attention,
        waitingFor,
        waits);
  }

  /// When it is due if it is to be due now: since when it has been, if it is already, so that no
  /// number of wakes sends it to the end of the queue.
  Instant dueNow(Instant now) {
    return at != null && at.isBefore(now) ? at : now;
  }

  /// One more wake; due now unless a lease or a pause stands in the way.
  Run woken(Instant now) {
    return new Run(
        leased() || paused ? at : dueNow(now),
        token,
        leaseId,
        acknowledgedToken,
        acknowledgedLease,
        wakes + 1,
        paused,
        cancelReason,
        revision,
        compensations,
        unacknowledged,
        passed,
        last,
        attention,
        waitingFor,
        waits);
  }

  Run leasedTo(
      long id,
      Instant due,
      int newUnacknowledged,
      int newPassed,
      LastDelivery newLast,
      @Nullable Attention why) {
    return new Run(
        due,
        token + 1,
        id,
        acknowledgedToken,
        acknowledgedLease,
        wakes,
        paused,
        cancelReason,
        revision,
        compensations,
        newUnacknowledged,
        newPassed,
        newLast,
        why,
        null,
        waits);
  }

  /// The lease ended by a release.
  Run released(Instant due, int newUnacknowledged, LastDelivery how, @Nullable Attention why) {
    return new Run(
        due,
        token,
        Lease.NONE,
        acknowledgedToken,
        acknowledgedLease,
        wakes,
        paused,
        cancelReason,
        revision,
        compensations,
        newUnacknowledged,
        0,
        how,
        why,
        waitingFor,
        waits);
  }

  /// The lease ended by an acknowledgement that leaves the execution live.
  Run acknowledged(
      Lease by,
      @Nullable Instant due,
      int newCompensations,
      @Nullable String newWaitingFor,
      int newWaits) {
    return new Run(
        due,
        token,
        Lease.NONE,
        by.token(),
        by.id(),
        wakes,
        paused,
        cancelReason,
        revision,
        newCompensations,
        0,
        0,
        LastDelivery.ACKNOWLEDGED,
        null,
        newWaitingFor,
        newWaits);
  }

  /// A delivery recorded something: what counted against it is forgotten, but for passed leases,
  /// which protect the process.
  Run recorded(int newCompensations) {
    if (unacknowledged == 0 && attention == null && newCompensations == compensations) {
      return this;
    }
    return new Run(
        at,
        token,
        leaseId,
        acknowledgedToken,
        acknowledgedLease,
        wakes,
        paused,
        cancelReason,
        revision,
        newCompensations,
        0,
        passed,
        last,
        null,
        waitingFor,
        waits);
  }

  Run operated(
      @Nullable Instant due, long newWakes, boolean newPaused, @Nullable String newCancelReason) {
    return new Run(
        due,
        token,
        leaseId,
        acknowledgedToken,
        acknowledgedLease,
        newWakes,
        newPaused,
        newCancelReason,
        revision + 1,
        compensations,
        unacknowledged,
        passed,
        last,
        attention,
        waitingFor,
        waits);
  }
}
