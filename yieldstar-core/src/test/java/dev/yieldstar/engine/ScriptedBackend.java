package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.memory.MemoryBackend;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A backend in memory whose answers a test may script, and which remembers what it was asked.
/// Thread-safe.
final class ScriptedBackend implements Backend {
  /// What a claim comes to; `inner` answers as it should.
  interface ClaimScript {
    ClaimReply claim(ClaimRequest request, Backend inner);
  }

  /// What a commit comes to; `inner` answers as it should.
  interface CommitScript {
    List<Reply> commit(List<Command> batch, Backend inner);
  }

  final Backend inner;
  final List<ClaimRequest> claims = new CopyOnWriteArrayList<>();
  final List<List<Command>> batches = new CopyOnWriteArrayList<>();
  final List<Long> lookedUp = new CopyOnWriteArrayList<>();
  volatile ClaimScript onClaim = (request, backend) -> backend.claim(request);
  volatile CommitScript onCommit = (batch, backend) -> backend.commit(batch);
  final Set<Long> refusedJournals = ConcurrentHashMap.newKeySet();
  volatile Runnable onJournal = () -> {};
  volatile Runnable onLookUp = () -> {};
  volatile Runnable onLook = () -> {};
  volatile Runnable onEnds = () -> {};
  volatile Runnable onClose = () -> {};
  volatile boolean tellsTime = true;
  volatile boolean tellsChanges = true;
  final int lanes;

  ScriptedBackend() {
    this(new MemoryBackend(), 1);
  }

  ScriptedBackend(Backend inner, int lanes) {
    this.inner = inner;
    this.lanes = lanes;
  }

  static BackendException unavailable() {
    return new BackendException(BackendException.Fault.UNAVAILABLE, "scripted outage", null);
  }

  static BackendException refusedData() {
    return new BackendException(BackendException.Fault.DATA, "scripted refusal", null);
  }

  /// The commands of this kind that were sent, those sent again included.
  <C extends Command> List<C> sent(Class<C> kind) {
    return batches.stream().flatMap(List::stream).filter(kind::isInstance).map(kind::cast).toList();
  }

  @Override
  public List<Reply> commit(List<Command> batch) {
    batches.add(List.copyOf(batch));
    return onCommit.commit(batch, inner);
  }

  @Override
  public ClaimReply claim(ClaimRequest request) {
    claims.add(request);
    return onClaim.claim(request, inner);
  }

  @Override
  public List<Claim> claimed(long leaseId) {
    lookedUp.add(leaseId);
    onLookUp.run();
    return inner.claimed(leaseId);
  }

  @Override
  public JournalPage journal(JournalQuery query) {
    onJournal.run();
    if (query.incarnations().stream().anyMatch(of -> refusedJournals.contains(of.execution()))) {
      throw refusedData();
    }
    return inner.journal(query);
  }

  @Override
  public Optional<ExecutionState> find(String executionId) {
    return inner.find(executionId);
  }

  @Override
  public Map<String, Terminal> ends(Collection<String> executionIds) {
    onEnds.run();
    return inner.ends(executionIds);
  }

  @Override
  public Map<Long, Standing> standing(Collection<Lease> leases) {
    return inner.standing(leases);
  }

  @Override
  public boolean changedElsewhere() {
    onLook.run();
    return tellsChanges && inner.changedElsewhere();
  }

  @Override
  public Optional<Instant> localTime() {
    return tellsTime ? inner.localTime() : Optional.empty();
  }

  @Override
  public int lanes() {
    return lanes;
  }

  /// Leaves what is inside open, for a look at it or for the next engine.
  @Override
  public void close() {
    onClose.run();
  }
}
