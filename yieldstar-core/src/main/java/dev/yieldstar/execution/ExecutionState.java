package dev.yieldstar.execution;

import dev.yieldstar.Status;
import dev.yieldstar.codec.Payload;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One execution, whole. Immutable: every change is a pure function of (state, command, now).
///
/// @param incarnation 1 for the first; continue-as-new begins the next
/// @param params of the current incarnation; the first admission's stay in `admission`, for
///   comparison
/// @param run what a live execution has; null once it has ended
/// @param terminal what an ended execution has; exactly one of the two is there
public record ExecutionState(
    Admission admission,
    int incarnation,
    @Nullable Payload params,
    @Nullable Run run,
    @Nullable Terminal terminal) {
  public ExecutionState {
    if ((run == null) == (terminal == null)) {
      throw new IllegalArgumentException(
          "execution " + admission.id() + " must be either live or ended");
    }
  }

  public long key() {
    return admission.execution();
  }

  public String id() {
    return admission.id();
  }

  public Status status() {
    if (run != null) {
      if (run.leased()) {
        return Status.RUNNING;
      }
      return run.token() == 0 ? Status.ADMITTED : Status.SUSPENDED;
    }
    return ended().outcome().status();
  }

  /// The live part.
  ///
  /// @throws IllegalStateException if the execution has ended
  public Run live() {
    if (run == null) {
      throw new IllegalStateException("execution " + id() + " has ended");
    }
    return run;
  }

  /// The end.
  ///
  /// @throws IllegalStateException if the execution is live
  public Terminal ended() {
    if (terminal == null) {
      throw new IllegalStateException("execution " + id() + " has not ended");
    }
    return terminal;
  }

  /// Whether its journal can hold anything before a delivery under the current token records
  /// something.
  public boolean mayHaveHistory() {
    return run == null || run.token() > 1 || incarnation > 1 || admission.forkedFrom() != null;
  }

  /// Whether `lease` was issued by the last claim and has not been ended.
  boolean isCurrent(Lease lease) {
    return run != null
        && run.leaseId() == lease.id()
        && run.token() == lease.token()
        && incarnation == lease.incarnation();
  }

  /// Whether `lease` is the last one that was acknowledged. Looked up before the fence: what is
  /// sent again finds its lease ended, by itself.
  boolean acknowledgedBy(Lease lease) {
    return run != null
        ? run.acknowledgedToken() == lease.token() && run.acknowledgedLease() == lease.id()
        : ended().token() == lease.token() && ended().leaseId() == lease.id();
  }

  /// What has been asked of it, for whoever holds `lease`; empty if the lease is not current.
  public Optional<Standing> standing(Lease lease) {
    return isCurrent(lease) ? Optional.of(Standing.of(live())) : Optional.empty();
  }

  ExecutionState with(Run changed) {
    return changed == run
        ? this
        : new ExecutionState(admission, incarnation, params, changed, null);
  }

  ExecutionState with(Terminal end) {
    return new ExecutionState(admission, incarnation, params, null, end);
  }

  ExecutionState continuedWith(@Nullable Payload newParams, Run changed) {
    return new ExecutionState(admission, incarnation + 1, newParams, changed, null);
  }
}
