package dev.yieldstar.spi;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.Terminal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The place where everything is kept.
///
/// Every backend answers as [dev.yieldstar.memory.MemoryBackend] does: it folds the commands of a
/// batch over [dev.yieldstar.execution.Fold] inside one durable transaction. The contract suite of
/// `yieldstar-testkit` says whether it does.
///
/// Methods are called by the engine's platform threads only, several at a time. What fails throws a
/// [BackendException] that says whether trying again can help; what is refused is a reply.
public interface Backend extends AutoCloseable {

  /// Applies the commands, in order, in one durable transaction, and answers each on its own. When
  /// it returns, all of it is committed; when it throws, all or nothing may be, and the same batch
  /// may be sent again.
  List<Reply> commit(List<Command> batch);

  /// Leases what is due. Durable when it returns.
  ClaimReply claim(ClaimRequest request);

  /// What is leased under this lease id: for a claim whose reply got lost.
  List<Claim> claimed(long leaseId);

  /// Recorded steps of some incarnations, a page at a time.
  JournalPage journal(JournalQuery query);

  /// The execution of this id.
  Optional<ExecutionState> find(String executionId);

  /// The ends of those of these executions that have ended, by id.
  Map<String, Terminal> ends(Collection<String> executionIds);

  /// What has been asked of the executions of these leases, by internal id; a lease that is not
  /// current any more is left out.
  Map<Long, Standing> standing(Collection<Lease> leases);

  /// Whether something may have been changed by another process since this was last asked. Cheap; a
  /// backend that can't tell, or that nobody else writes to, says no.
  default boolean changedElsewhere() {
    return false;
  }

  /// The backend's time, if it can be told without asking anybody.
  Optional<Instant> localTime();

  /// How many batches can be committed side by side.
  default int lanes() {
    return 1;
  }

  /// Releases connections, files and threads. What is committed stays. Idempotent.
  @Override
  void close();
}
