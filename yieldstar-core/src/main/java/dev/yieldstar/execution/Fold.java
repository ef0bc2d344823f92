package dev.yieldstar.execution;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Applies a batch of commands to a workspace, in order, and answers each on its own.
///
/// The commands of one lease form a chain: when one of them answers [Reply.Lost], or is a record
/// that is answered with another value, every later one of that lease in the batch answers lost and
/// changes nothing. Renewals and releases are outside the chain.
public final class Fold {
  private final Workspace workspace;
  private final Instant now;
  private final Set<Lease> broken = new HashSet<>();

  private Fold(Workspace workspace, Instant now) {
    this.workspace = workspace;
    this.now = now;
  }

  /// The replies, one for each command, in the same order.
  ///
  /// @param now the backend's time
  public static List<Reply> apply(Workspace workspace, List<Command> batch, Instant now) {
    var fold = new Fold(workspace, Instant.ofEpochMilli(now.toEpochMilli()));
    var replies = new ArrayList<Reply>(batch.size());
    for (Command command : batch) {
      replies.add(fold.answer(command));
    }
    return replies;
  }

  private Reply answer(Command command) {
    if (!(command instanceof Command.Chained chained)) {
      return apply(command);
    }
    if (broken.contains(chained.lease())) {
      return new Reply.Lost();
    }
    Reply reply = apply(command);
    if (reply.breaksChain()) {
      broken.add(chained.lease());
    }
    return reply;
  }

  private Reply apply(Command command) {
    return switch (command) {
      case Command.Admit admit -> Admissions.admit(workspace, admit, now);
      case Command.StartChild start -> Admissions.startChild(workspace, start, now);
      case Command.Fork fork -> Forks.fork(workspace, fork, now);
      case Command.Retry retry -> Forks.retry(workspace, retry, now);
      case Command.RecordStep record -> Recording.record(workspace, record, now);
      case Command.Acknowledge acknowledge ->
          Acknowledging.acknowledge(workspace, acknowledge, now);
      case Command.Renew renew -> Leases.renew(workspace, renew, now);
      case Command.Release release -> Leases.release(workspace, release, now);
      case Command.Wake wake -> Operations.wake(workspace, wake, now);
      case Command.Cancel cancel -> Operations.cancel(workspace, cancel, now);
      case Command.Pause pause -> Operations.pause(workspace, pause);
      case Command.Resume resume -> Operations.resume(workspace, resume, now);
      case Command.Registered registered -> Operations.registered(workspace, registered, now);
    };
  }
}
