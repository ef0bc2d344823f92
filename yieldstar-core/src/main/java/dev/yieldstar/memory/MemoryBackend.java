package dev.yieldstar.memory;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Fold;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Leases;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// A backend that keeps everything in memory, for one process. Nothing survives its end.
///
/// Several engines may share one. Thread-safe: one lock guards all of it.
public final class MemoryBackend implements Backend {
  private final ReentrantLock lock = new ReentrantLock();
  private final Tables tables = new Tables();
  private final InstantSource clock;
  private boolean closed;

  public MemoryBackend() {
    this(InstantSource.system());
  }

  /// A backend whose time is this clock's.
  public MemoryBackend(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public List<Reply> commit(List<Command> batch) {
    return locked(() -> Fold.apply(tables, batch, now()));
  }

  @Override
  public ClaimReply claim(ClaimRequest request) {
    return locked(
        () -> {
          Instant now = now();
          List<ExecutionState> due = claimable(request, now);
          boolean more = due.size() > request.limit();
          List<Claim> claims =
              due.stream().limit(request.limit()).map(state -> lease(state, request, now)).toList();
          return new ClaimReply(claims, now, more ? now : tables.nextDue(request.workflows(), now));
        });
  }

  /// What the request may have, and one more where there is more.
  private List<ExecutionState> claimable(ClaimRequest request, Instant now) {
    var found = new ArrayList<ExecutionState>();
    boolean suspect = request.suspect();
    Iterator<ExecutionState> due = tables.due(request.workflows(), now);
    while (due.hasNext() && found.size() <= request.limit()) {
      ExecutionState state = due.next();
      if (!refuses(request, state, suspect)) {
        suspect &= !state.live().suspect();
        found.add(state);
      }
    }
    return found;
  }

  private static boolean refuses(ClaimRequest request, ExecutionState due, boolean suspect) {
    return request.delivering().contains(due.key())
        || (due.live().leased() && !request.takeOver())
        || (due.live().suspect() && !suspect);
  }

  private Claim lease(ExecutionState due, ClaimRequest request, Instant now) {
    ExecutionState claimed = Leases.claimed(due, request.leaseId(), request.duration(), now);
    tables.put(claimed);
    return claim(claimed, now);
  }

  private static Claim claim(ExecutionState claimed, Instant now) {
    var lease =
        new Lease(
            claimed.key(), claimed.incarnation(), claimed.live().token(), claimed.live().leaseId());
    return new Claim(lease, claimed, now);
  }

  @Override
  public List<Claim> claimed(long leaseId) {
    return locked(
        () -> tables.leasedUnder(leaseId).stream().map(state -> claim(state, now())).toList());
  }

  @Override
  public JournalPage journal(JournalQuery query) {
    return locked(() -> tables.page(query));
  }

  @Override
  public Optional<ExecutionState> find(String executionId) {
    return locked(() -> Optional.ofNullable(tables.byId(executionId)));
  }

  @Override
  public Map<String, Terminal> ends(Collection<String> executionIds) {
    return locked(
        () -> {
          var ends = new HashMap<String, Terminal>();
          for (String id : executionIds) {
            ExecutionState state = tables.byId(id);
            if (state != null && state.terminal() != null) {
              ends.put(id, state.terminal());
            }
          }
          return ends;
        });
  }

  @Override
  public Map<Long, Standing> standing(Collection<Lease> leases) {
    return locked(
        () -> {
          var standing = new HashMap<Long, Standing>();
          for (Lease lease : leases) {
            ExecutionState state = tables.byKey(lease.execution());
            if (state != null) {
              state.standing(lease).ifPresent(found -> standing.put(lease.execution(), found));
            }
          }
          return standing;
        });
  }

  /// Always: several engines may share it, a look costs next to nothing, and one engine's question
  /// must not hide a change from another's.
  @Override
  public boolean changedElsewhere() {
    return true;
  }

  @Override
  public Optional<Instant> localTime() {
    return Optional.of(now());
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  private Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      if (closed) {
        throw new BackendException(
            BackendException.Fault.CLOSED, "The memory backend has been closed.", null);
      }
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
