package dev.yieldstar.verification.behaviour;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/// What lies between one engine and its backend. A test can cut it, as a kill of the process does:
/// from then on nothing that the engine asks for is applied. It can also hold or spoil a commit.
/// Thread-safe.
final class Line implements Backend {
  private final Backend backend;
  private final boolean closes;
  private volatile Commits commits = Commit::apply;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean cut;

  /// How a batch gets to the backend.
  interface Commits {
    List<Reply> commit(Commit backend, List<Command> batch);
  }

  /// Applies a batch, if the line isn't cut.
  interface Commit {
    List<Reply> apply(List<Command> batch);
  }

  /// A commit that waits until it is let go.
  record Held(Gate reached, Gate released) {}

  Line(Backend backend, boolean closes) {
    this.backend = backend;
    this.closes = closes;
  }

  /// From here on nothing is applied.
  void cut() {
    cut = true;
  }

  boolean isCut() {
    return cut;
  }

  /// Batches that were handed over and not answered yet.
  int commitsInFlight() {
    return inFlight.get();
  }

  /// How batches are committed from here on.
  void commits(Commits how) {
    commits = how;
  }

  /// Holds the first batch with such a command before it reaches the backend, and all after it.
  Held hold(Predicate<Command> which) {
    var held = new Held(new Gate(), new Gate());
    commits(
        (target, batch) -> {
          if (batch.stream().anyMatch(which)) {
            held.reached().open();
            held.released().await();
          }
          return target.apply(batch);
        });
    return held;
  }

  /// Cuts the line instead of applying the first batch with such a command.
  void cutBefore(Predicate<Command> which) {
    commits(
        (target, batch) -> {
          if (batch.stream().anyMatch(which)) {
            cut();
            throw BackendException.closed();
          }
          return target.apply(batch);
        });
  }

  /// Cuts the line right after the first batch with such a command was applied.
  void cutAfter(Predicate<Command> which) {
    commits(
        (target, batch) -> {
          List<Reply> replies = target.apply(batch);
          if (batch.stream().anyMatch(which)) {
            cut();
            throw BackendException.closed();
          }
          return replies;
        });
  }

  /// Fails so many commits with such a command, in this way.
  AtomicInteger failing(int times, BackendException.Fault fault, Predicate<Command> which) {
    var failures = new AtomicInteger();
    commits(
        (target, batch) -> {
          if (batch.stream().anyMatch(which) && failures.incrementAndGet() <= times) {
            throw new BackendException(fault, "made to fail by a test", null);
          }
          return target.apply(batch);
        });
    return failures;
  }

  private Backend alive() {
    if (cut) {
      throw BackendException.closed();
    }
    return backend;
  }

  @Override
  public List<Reply> commit(List<Command> batch) {
    inFlight.incrementAndGet();
    try {
      return commits.commit(commands -> alive().commit(commands), batch);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  @Override
  public ClaimReply claim(ClaimRequest request) {
    return alive().claim(request);
  }

  @Override
  public List<Claim> claimed(long leaseId) {
    return alive().claimed(leaseId);
  }

  @Override
  public JournalPage journal(JournalQuery query) {
    return alive().journal(query);
  }

  @Override
  public Optional<ExecutionState> find(String executionId) {
    return alive().find(executionId);
  }

  @Override
  public Map<String, Terminal> ends(Collection<String> executionIds) {
    return alive().ends(executionIds);
  }

  @Override
  public Map<Long, Standing> standing(Collection<Lease> leases) {
    return alive().standing(leases);
  }

  @Override
  public boolean changedElsewhere() {
    return !cut && backend.changedElsewhere();
  }

  @Override
  public Optional<Instant> localTime() {
    return backend.localTime();
  }

  @Override
  public int lanes() {
    return backend.lanes();
  }

  @Override
  public void close() {
    if (closes) {
      backend.close();
    }
  }
}
