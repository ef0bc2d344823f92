package dev.yieldstar.engine;

import dev.yieldstar.YieldstarException;
import dev.yieldstar.engine.CommandQueue.Entry;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Group commit without a timer: each lane takes what waits, commits it as one batch, completes the
/// futures after the commit, and takes again. The commit in progress is the batching window.
///
/// Commands of one execution go through one lane, in order. Thread-safe.
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  /*
   * A batch whose commit failed is uncertain: it is sent again as it is, since every command is
   * idempotent under its identity. Only what is refused as data is split: between chains first, so
   * that one delivery's bad value never costs another its commit; a chain that fails alone is
   * applied command by command, up to the first that fails.
   */

  private final Backend backend;
  private final Hint hint;
  private final List<CommandQueue> queues = new ArrayList<>();
  private final List<Thread> lanes = new ArrayList<>();
  private final LogPeriod logPeriod = new LogPeriod();
  private volatile boolean giveUp;

  /// Told on a lane after a commit.
  interface Hint {
    /// @param certain something is due now; otherwise something may be, now or at a known time
    void due(boolean certain);
  }

  Committer(Backend backend, Hint hint) {
    this.backend = backend;
    this.hint = hint;
    for (int lane = 0; lane < backend.lanes(); lane++) {
      var queue = new CommandQueue();
      queues.add(queue);
      lanes.add(
          Thread.ofPlatform().daemon().name("yieldstar-lane-" + lane).unstarted(() -> run(queue)));
    }
    lanes.forEach(Thread::start);
  }

  /// Submits a command that belongs to no chain.
  CompletableFuture<Reply> submit(Command command) {
    return submit(command, FOREVER);
  }

  /// Submits a command that belongs to no chain. Where so much waits that there is no room for it
  /// within `patience`, it has not been submitted, and fails as BACKEND_BUSY.
  CompletableFuture<Reply> submit(Command command, Duration patience) {
    return enqueue(new Entry(command, null, new CompletableFuture<>()), patience);
  }

  CompletableFuture<Reply> submit(Command.Chained command, Chain chain) {
    return enqueue(new Entry(command, chain, new CompletableFuture<>()), FOREVER);
  }

  private CompletableFuture<Reply> enqueue(Entry entry, Duration patience) {
    CommandQueue queue = queueFor(entry.command());
    // A lane that waited for room would wait for itself.
    boolean isLane = lanes.contains(Thread.currentThread());
    switch (isLane ? queue.addAnyway(entry) : queue.add(entry, Clamped.nanos(patience))) {
      case YES -> {}
      case FULL -> entry.reply().completeExceptionally(noRoom(patience));
      case CLOSED -> entry.reply().completeExceptionally(BackendException.closed());
    }
    return entry.reply();
  }

  private static YieldstarException noRoom(Duration patience) {
    return new YieldstarException(
        "BACKEND_BUSY",
        "%,d commands wait for the backend, and for %s there was no room for another. Nothing was submitted: try again later."
            .formatted(CommandQueue.CAPACITY, patience));
  }

  /// Submits a command that goes before all that waits.
  CompletableFuture<Reply> submitUrgent(Command command) {
    var entry = new Entry(command, null, new CompletableFuture<>());
    if (!queueFor(command).addUrgent(entry)) {
      entry.reply().completeExceptionally(BackendException.closed());
    }
    return entry.reply();
  }

  private CommandQueue queueFor(Command command) {
    return queues.size() == 1
        ? queues.getFirst()
        : queues.get(Math.floorMod(routeOf(command), queues.size()));
  }

  private static int routeOf(Command command) {
    return switch (command) {
      case Command.Fenced fenced -> Long.hashCode(fenced.lease().execution());
      case Command.Admit admit -> Long.hashCode(admit.admission().execution());
      case Command.Fork fork -> Long.hashCode(fork.execution());
      case Command.Retry retry -> Long.hashCode(retry.execution());
      case Command.Wake wake -> wake.executionId().hashCode();
      case Command.Cancel cancel -> cancel.executionId().hashCode();
      case Command.Pause pause -> pause.executionId().hashCode();
      case Command.Resume resume -> resume.executionId().hashCode();
      case Command.Registered registered -> registered.workflow().hashCode();
    };
  }

  private void run(CommandQueue queue) {
    while (true) {
      List<Entry> taken = queue.take();
      if (taken.isEmpty()) {
        return;
      }
      try {
        commit(withoutBroken(taken));
      } catch (Throwable e) { // a lane must outlive whatever happens to one batch
        LOG.error("A batch of {} commands failed in a way that is not foreseen", taken.size(), e);
        taken.forEach(entry -> entry.fail(e));
      }
    }
  }

  private static List<Entry> withoutBroken(List<Entry> entries) {
    var whole = new ArrayList<Entry>(entries.size());
    for (Entry entry : entries) {
      if (entry.isBroken()) {
        entry.reply().complete(new Reply.Lost());
      } else {
        whole.add(entry);
      }
    }
    return whole;
  }

  private void commit(List<Entry> batch) {
    if (batch.isEmpty()) {
      return;
    }
    List<Reply> replies;
    try {
      replies = commitUntilAnswered(batch.stream().map(Entry::command).toList());
    } catch (BackendException e) {
      if (e.fault() == BackendException.Fault.DATA) {
        split(batch, e);
      } else {
        batch.forEach(entry -> entry.fail(e));
      }
      return;
    } catch (RuntimeException e) { // not foreseen, and so perhaps of one command alone
      if (batch.size() == 1) {
        LOG.error(
            "A {} failed in a way that is not foreseen",
            batch.getFirst().command().getClass().getSimpleName(),
            e);
      }
      split(batch, e);
      return;
    }
    complete(batch, replies);
  }

  private void complete(List<Entry> batch, List<Reply> replies) {
    for (int i = 0; i < batch.size(); i++) {
      Chain chain = batch.get(i).chain();
      if (chain != null && replies.get(i).breaksChain()) {
        chain.tear();
      }
    }
    boolean mayBeDue = false;
    boolean isDue = false;
    for (int i = 0; i < batch.size(); i++) {
      Command command = batch.get(i).command();
      Reply reply = replies.get(i);
      isDue |= makesDue(command, reply);
      mayBeDue |= mayMakeDue(command, reply);
      batch.get(i).reply().complete(reply);
    }
    if (mayBeDue || isDue) {
      hint.due(isDue);
    }
  }

  private static boolean makesDue(Command command, Reply reply) {
    return switch (reply) {
      case Reply.Admitted admitted ->
          admitted.created()
              && admitted.lease() == null
              && !(command instanceof Command.Admit admit && !admit.start().equals(Due.NOW));
      case Reply.Released ignored -> true;
      case Reply.Acknowledged(var end) -> end == null;
      case Reply.Done ignored -> true;
      case Reply.CancelAccepted ignored -> true;
      case Reply.Recorded ignored -> command instanceof Command.StartChild;
      case Reply.Renewed ignored -> false;
      case Reply.Lost ignored -> false;
      case Reply.CancelledBefore ignored -> false;
      case Reply.Finished ignored -> false;
      case Reply.NotFound ignored -> false;
      case Reply.Refused ignored -> false;
    };
  }

  /// Who waits for an execution that has ended is due, and a later start tells of a time.
  private static boolean mayMakeDue(Command command, Reply reply) {
    return command instanceof Command.Acknowledge
        || command instanceof Command.Cancel
        || (reply instanceof Reply.Admitted admitted && admitted.lease() == null);
  }

  private List<Reply> commitUntilAnswered(List<Command> commands) {
    for (int failures = 0; ; failures++) {
      try {
        return backend.commit(commands);
      } catch (BackendException e) {
        if (e.fault() != BackendException.Fault.UNAVAILABLE || giveUp) {
          throw e;
        }
        logPeriod.log(
            suppressed ->
                LOG.warn(
                    "A batch of {} commands could not be committed and is tried again ({} such failures not logged)",
                    commands.size(),
                    suppressed,
                    e));
        pause(failures);
      }
    }
  }

  private static void pause(int failures) {
    long nanos = FIRST_PAUSE.toNanos() << Math.min(failures, 10);
    long capped = Math.min(nanos, LONGEST_PAUSE.toNanos());
    LockSupport.parkNanos(capped / 2 + ThreadLocalRandom.current().nextLong(capped / 2));
  }

  private void split(List<Entry> batch, RuntimeException refusal) {
    List<List<Entry>> groups = byChain(batch);
    if (groups.size() > 1) {
      int half = groups.size() / 2;
      commit(groups.subList(0, half).stream().flatMap(List::stream).toList());
      commit(groups.subList(half, groups.size()).stream().flatMap(List::stream).toList());
    } else if (batch.size() > 1) {
      for (Entry entry : batch) {
        commit(withoutBroken(List.of(entry)));
      }
    } else {
      batch.getFirst().fail(refusal);
    }
  }

  /// What stands and falls together: the commands of a chain, and each other command alone.
  private static List<List<Entry>> byChain(List<Entry> batch) {
    var groups = new java.util.LinkedHashMap<Object, List<Entry>>();
    for (Entry entry : batch) {
      Object group = entry.chain() == null ? entry : entry.chain();
      groups.computeIfAbsent(group, key -> new ArrayList<>()).add(entry);
    }
    return new ArrayList<>(groups.values());
  }

  /// Takes no more commands, commits what was submitted, and waits for that.
  ///
  /// @param limit after it what the backend does not take is given up, and answered as closed
  void close(Duration limit) {
    queues.forEach(CommandQueue::close);
    awaitLanes(limit);
    giveUp = true;
    lanes.forEach(LockSupport::unpark);
    awaitLanes(LONGEST_PAUSE);
    queues.forEach(CommandQueue::abandon);
  }

  private void awaitLanes(Duration limit) {
    long deadline = System.nanoTime() + Clamped.nanos(limit);
    for (Thread lane : lanes) {
      Bounded.join(lane, Duration.ofNanos(deadline - System.nanoTime()));
    }
  }
}
