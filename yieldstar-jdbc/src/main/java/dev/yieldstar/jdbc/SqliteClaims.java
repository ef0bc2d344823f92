package dev.yieldstar.jdbc;

import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Leases;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Leases what is due.
final class SqliteClaims {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteClaims.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final AtomicLong NEXT_LINE = new AtomicLong(System.nanoTime());

  private SqliteClaims() {}

  static ClaimReply claim(SqliteWorkspace workspace, ClaimRequest request, Instant now)
      throws SQLException {
    List<ExecutionState> due = claimable(workspace, request, now);
    boolean more = due.size() > request.limit();
    List<Claim> claims =
        due.stream()
            .limit(request.limit())
            .map(
                state -> {
                  ExecutionState claimed =
                      Leases.claimed(state, request.leaseId(), request.duration(), now);
                  workspace.put(claimed);
                  return claim(claimed, now);
                })
            .toList();
    workspace.store();
    return new ClaimReply(claims, now, more ? now : next(workspace, request, now));
  }

  private static @Nullable Instant next(
      SqliteWorkspace workspace, ClaimRequest request, Instant now) throws SQLException {
    return SqliteDue.firstAfter(workspace.session(), request.workflows(), now);
  }

  /// What the request may have, and one more where there is more.
  private static List<ExecutionState> claimable(
      SqliteWorkspace workspace, ClaimRequest request, Instant now) throws SQLException {
    var found = new Candidates(workspace, request);
    SqliteDue.visit(workspace.session(), request.workflows(), now, found::offer);
    return found.states;
  }

  /// One line a period: what can't be read is met at every look.
  private static void tellOf(long execution, RuntimeException failure) {
    long now = System.nanoTime();
    long next = NEXT_LINE.get();
    if (now - next >= 0 && NEXT_LINE.compareAndSet(next, now + PERIOD.toNanos())) {
      LOG.error(
          "The execution with the internal id {} can't be read and is not claimed; others are",
          execution,
          failure);
    }
  }

  private static final class Candidates {
    private final SqliteWorkspace workspace;
    private final ClaimRequest request;
    private final List<ExecutionState> states = new ArrayList<>();
    private boolean suspect;

    Candidates(SqliteWorkspace workspace, ClaimRequest request) {
      this.workspace = workspace;
      this.request = request;
      this.suspect = request.suspect();
    }

    /// Whether more are wanted.
    boolean offer(long execution) {
      if (!request.delivering().contains(execution)) {
        ExecutionState due = readable(execution);
        if (due != null) {
          offer(due);
        }
      }
      return states.size() <= request.limit();
    }

    /// The execution; null where its row can't be read: it is passed over, and keeps nobody else
    /// from being claimed.
    private @Nullable ExecutionState readable(long execution) {
      try {
        return Objects.requireNonNull(workspace.byKey(execution), "it has no row");
      } catch (UncheckedSqlException e) {
        throw e;
      } catch (RuntimeException e) {
        tellOf(execution, e);
        return null;
      }
    }

    private void offer(ExecutionState due) {
      boolean refused =
          (due.live().leased() && !request.takeOver()) || (due.live().suspect() && !suspect);
      if (!refused) {
        suspect &= !due.live().suspect();
        states.add(due);
      }
    }
  }

  /// A claim as its lease stands.
  static Claim claim(ExecutionState claimed, Instant now) {
    var lease =
        new Lease(
            claimed.key(), claimed.incarnation(), claimed.live().token(), claimed.live().leaseId());
    return new Claim(lease, claimed, now);
  }
}
