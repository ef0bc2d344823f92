package dev.yieldstar.jdbc;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Fold;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Standing;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Backend;
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

/// A backend in a SQLite file: a flush is load, fold, store, in one transaction of the one
/// connection that writes; reads have connections of their own. Thread-safe.
final class SqliteBackend implements Backend {
  private final SqliteFile file;
  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final SqliteLookout lookout;

  private SqliteBackend(SqliteFile file) {
    this.file = file;
    this.writer = new SqliteWriter(file);
    this.readers = new SqliteReaders(file);
    this.lookout = new SqliteLookout(file);
  }

  static SqliteBackend open(SqliteFile file) {
    new SqliteOpening(file, new SqliteSchema(file)).run();
    return new SqliteBackend(file);
  }

  @Override
  public List<Reply> commit(List<Command> batch) {
    return writer.write(workspace -> Fold.apply(workspace, batch, now()));
  }

  @Override
  public ClaimReply claim(ClaimRequest request) {
    Instant now = now();
    SqliteLookout.Sight sight = lookout.look(request.workflows());
    if (sight.nothingDue(now)) {
      return new ClaimReply(List.of(), now, sight.first());
    }
    return writer.write(workspace -> SqliteClaims.claim(workspace, request, now()));
  }

  @Override
  public List<Claim> claimed(long leaseId) {
    return readers.read(
        session ->
            Executions.leasedUnder(session, leaseId).stream()
                .map(state -> SqliteClaims.claim(state, now()))
                .toList());
  }

  @Override
  public JournalPage journal(JournalQuery query) {
    return readers.read(session -> Journals.page(session, query));
  }

  @Override
  public Optional<ExecutionState> find(String executionId) {
    return readers.read(session -> Optional.ofNullable(Executions.byId(session, executionId)));
  }

  @Override
  public Map<String, Terminal> ends(Collection<String> executionIds) {
    return readers.read(session -> Executions.ends(session, executionIds));
  }

  @Override
  public Map<Long, Standing> standing(Collection<Lease> leases) {
    return readers.read(session -> Executions.standing(session, leases));
  }

  @Override
  public boolean changedElsewhere() {
    return writer.othersHaveCommitted();
  }

  @Override
  public Optional<Instant> localTime() {
    return Optional.of(now());
  }

  private Instant now() {
    return Instant.ofEpochMilli(file.clock().millis());
  }

  @Override
  public void close() {
    lookout.close();
    readers.close();
    writer.close();
  }

  @Override
  public String toString() {
    return "SQLite in " + file;
  }
}
