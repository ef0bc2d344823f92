package dev.yieldstar.testkit;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Fold;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Leases;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.execution.Workspace;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The simplest backend there is: maps that are searched from end to end. It is right, and each of
/// its methods can be overridden by one that is wrong.
class PlainBackend implements Backend, Workspace {
  final Map<Long, ExecutionState> executions = new TreeMap<>();
  final Map<Incarnation, List<StepRecord>> journals = new HashMap<>();
  final Map<Long, List<Long>> awaited = new TreeMap<>();
  final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  PlainBackend(InstantSource clock) {
    this.clock = clock;
  }

  <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      requireOpen();
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new BackendException(BackendException.Fault.CLOSED, "It has been closed.", null);
    }
  }

  final Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  @Override
  public List<Reply> commit(List<Command> batch) {
    return locked(() -> apply(batch));
  }

  List<Reply> apply(List<Command> batch) {
    return Fold.apply(this, batch, now());
  }

  @Override
  public ClaimReply claim(ClaimRequest request) {
    return locked(
        () -> {
          List<ExecutionState> due = due(request);
          boolean more = due.size() > request.limit();
          List<Claim> claims =
              due.stream().limit(request.limit()).map(state -> lease(state, request)).toList();
          return new ClaimReply(claims, now(), more ? now() : next(request));
        });
  }

  List<ExecutionState> due(ClaimRequest request) {
    var due = new ArrayList<ExecutionState>();
    boolean suspect = request.suspect();
    for (ExecutionState state : executions.values().stream().sorted(order()).toList()) {
      if (isClaimable(state, request) && (suspect || !isSuspect(state))) {
        suspect &= !isSuspect(state);
        due.add(state);
      }
    }
    return due;
  }

  Comparator<ExecutionState> order() {
    return Comparator.comparing(
        state -> state.run() == null || state.run().at() == null ? Instant.MAX : state.run().at());
  }

  boolean isClaimable(ExecutionState state, ClaimRequest request) {
    Run run = state.run();
    return run != null
        && run.claimable(now())
        && isRegistered(state, request)
        && !request.delivering().contains(state.key())
        && (request.takeOver() || !run.leased());
  }

  boolean isRegistered(ExecutionState state, ClaimRequest request) {
    return request.workflows().contains(state.admission().workflow());
  }

  boolean isSuspect(ExecutionState state) {
    return state.live().suspect();
  }

  Claim lease(ExecutionState state, ClaimRequest request) {
    put(Leases.claimed(state, request.leaseId(), request.duration(), now()));
    return claimOf(executions.get(state.key()));
  }

  final Claim claimOf(@Nullable ExecutionState claimed) {
    if (claimed == null) {
      throw new AssertionError("claimed what is not there");
    }
    Run run = claimed.live();
    var lease = new Lease(claimed.key(), claimed.incarnation(), run.token(), run.leaseId());
    return new Claim(lease, claimed, now());
  }

  @Nullable Instant next(ClaimRequest request) {
    return executions.values().stream()
        .filter(state -> state.run() != null && isRegistered(state, request))
        .map(ExecutionState::live)
        .filter(run -> run.at() != null && run.at().isAfter(now()) && !run.paused())
        .map(Run::at)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  @Override
  public List<Claim> claimed(long leaseId) {
    return locked(
        () ->
            executions.values().stream()
                .filter(state -> state.run() != null && state.run().leaseId() == leaseId)
                .map(this::claimOf)
                .toList());
  }

  @Override
  public JournalPage journal(JournalQuery query) {
    return locked(
        () -> {
          List<JournalPage.Row> rows =
              query.incarnations().stream()
                  .distinct()
                  .sorted()
                  .flatMap(of -> steps(of).stream().map(step -> new JournalPage.Row(of, step)))
                  .sorted(rowOrder())
                  .filter(row -> query.after() == null || isAfter(row, query.after()))
                  .toList();
          boolean more = rows.size() > query.limit();
          return new JournalPage(more ? rows.subList(0, query.limit()) : rows, more);
        });
  }

  Comparator<JournalPage.Row> rowOrder() {
    return Comparator.comparing(JournalPage.Row::of)
        .thenComparing(row -> row.step().key().getBytes(StandardCharsets.UTF_8), BYTES)
        .thenComparingInt(row -> row.step().attempt());
  }

  static final Comparator<byte[]> BYTES = Arrays::compareUnsigned;

  boolean isAfter(JournalPage.Row row, JournalPage.Row last) {
    return rowOrder().compare(row, last) > 0;
  }

  @Override
  public Optional<ExecutionState> find(String executionId) {
    return locked(() -> Optional.ofNullable(byId(executionId)));
  }

  @Override
  public Map<String, Terminal> ends(Collection<String> executionIds) {
    return locked(
        () -> {
          var ends = new HashMap<String, Terminal>();
          for (String id : executionIds) {
            ExecutionState state = byId(id);
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
            ExecutionState state = byKey(lease.execution());
            if (state != null) {
              state.standing(lease).ifPresent(found -> standing.put(lease.execution(), found));
            }
          }
          return standing;
        });
  }

  @Override
  public Optional<Instant> localTime() {
    return Optional.of(now());
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public @Nullable ExecutionState byId(String id) {
    return executions.values().stream().filter(s -> s.id().equals(id)).findFirst().orElse(null);
  }

  @Override
  public @Nullable ExecutionState byKey(long execution) {
    return executions.get(execution);
  }

  @Override
  public void put(ExecutionState state) {
    executions.put(state.key(), state);
  }

  List<StepRecord> steps(Incarnation of) {
    return journals.computeIfAbsent(of, ignored -> new ArrayList<>());
  }

  @Override
  public @Nullable StepRecord step(long execution, int incarnation, String key, int attempt) {
    return steps(new Incarnation(execution, incarnation)).stream()
        .filter(step -> step.key().equals(key) && step.attempt() == attempt)
        .findFirst()
        .orElse(null);
  }

  @Override
  public List<StepRecord> journal(long execution, int incarnation) {
    return List.copyOf(steps(new Incarnation(execution, incarnation)));
  }

  @Override
  public void append(long execution, int incarnation, StepRecord record) {
    steps(new Incarnation(execution, incarnation)).add(record);
  }

  @Override
  public List<Long> waitersOn(long execution) {
    return awaited.entrySet().stream()
        .filter(wait -> wait.getValue().contains(execution))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public void await(long waiter, List<Long> others) {
    awaited.put(waiter, List.copyOf(others));
  }

  @Override
  public List<Long> blockedUnderAnother(String workflow, String version) {
    return executions.values().stream()
        .filter(state -> state.admission().workflow().equals(workflow))
        .filter(state -> state.run() != null && isBlockedUnderAnother(state.run(), version))
        .map(ExecutionState::key)
        .toList();
  }

  private static boolean isBlockedUnderAnother(Run run, String version) {
    return run.attention() != null
        && run.attention().version() != null
        && !run.attention().version().equals(version);
  }
}
