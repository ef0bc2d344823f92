package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Redelivery;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.Signal;
import dev.yieldstar.spi.Signal.AbortReason;
import dev.yieldstar.spi.WorkerExited;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees one claimed execution through: delivers it, has its lease renewed, and ends the lease with
/// what the delivery came to. Runs on a virtual thread of its own, beside the one that the invoker
/// uses.
final class Dispatch implements Runnable, Delivery.Slots {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);

  private final DispatchTools tools;
  private final Claim claim;
  private final Journals journals;
  private final Signal signal = new Signal();
  private final ReentrantLock parking = new ReentrantLock();
  private boolean parked;
  private boolean freed;
  private volatile boolean ended;

  /// @param journals what is recorded, for all that was claimed together
  Dispatch(DispatchTools tools, Claim claim, Journals journals) {
    this.tools = tools;
    this.claim = claim;
    this.journals = journals;
  }

  Lease lease() {
    return claim.lease();
  }

  Signal signal() {
    return signal;
  }

  /// Whether the execution has ended, as far as this delivery knows; otherwise it may be due again
  /// at once.
  boolean hasEnded() {
    return ended;
  }

  /// Whether its last deliveries all passed their lease, so that it may be what ends processes.
  boolean isSuspect() {
    ExecutionState state = claim.state();
    return state != null && state.run() != null && state.run().passed() >= Redelivery.SUSPECT_AFTER;
  }

  /// Has the lease renewed from now on, also while this waits for a thread to run on.
  void hold() {
    ExecutionState state = claim.state();
    if (state != null && state.terminal() == null) {
      tools.leases().hold(lease(), state.id(), signal);
    }
  }

  /// Leaves the lease to whoever hands it over.
  void letGo() {
    tools.leases().drop(lease());
  }

  @Override
  public void run() {
    try {
      dispatch();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "Execution '{}' could not be dispatched; its lease will pass and it is delivered again",
          executionId(),
          e);
    } finally {
      letGo();
    }
  }

  private void dispatch() {
    ExecutionState state = claim.state();
    if (state == null) {
      LOG.error("A claimed execution (internal id {}) has no record", lease().execution());
      return;
    }
    // What has ended never runs again; no lease is current, there is nothing to acknowledge.
    if (state.terminal() != null) {
      ended = true;
      tools.emit().accept(state.id(), state.terminal());
      return;
    }
    deliver(state, journals.of(lease()));
  }

  private void deliver(ExecutionState state, List<StepRecord> journal) {
    var delivery = new Delivery(lease(), state, journal, claim.now(), signal, this);
    CompletableFuture<DeliveryEnd> stage;
    try {
      stage = tools.invoker().deliver(delivery).toCompletableFuture();
    } catch (RuntimeException | Error e) {
      stage = CompletableFuture.failedFuture(e);
    }
    if (!awaitEnd(stage)) {
      abandon(stage);
      return;
    }
    if (!tools.leases().stop(lease())) {
      return; // lost, and said so
    }
    DeliveryEnd end;
    try {
      end = Objects.requireNonNull(stage.join(), "the invoker does not say how the delivery ended");
    } catch (RuntimeException e) {
      failed(cause(e));
      return;
    }
    end(end);
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /// Waits for the delivery; once it has been told to stop, only for the grace period.
  ///
  /// @return false if it has not ended then
  private boolean awaitEnd(CompletableFuture<DeliveryEnd> stage) {
    CompletableFuture<Boolean> ending = stage.handle((end, failure) -> true);
    CompletableFuture.anyOf(ending, signal.aborted().toCompletableFuture()).join();
    try {
      return ending.isDone() || ending.get(tools.graceNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      return ending.isDone();
    }
  }

  private void abandon(CompletableFuture<DeliveryEnd> stage) {
    LOG.warn(
        signal.reason() == AbortReason.SHUTDOWN
            ? "The delivery of execution '{}' (token {}) did not stop within the abort grace period; it is abandoned. It keeps its lease, since it may still be at work: another process delivers it once that has passed."
            : "The delivery of execution '{}' (token {}) did not stop within the abort grace period; it is abandoned. What it still writes is refused.",
        executionId(),
        lease().token());
    stage.whenComplete(
        (end, failure) ->
            LOG.warn(
                "The abandoned delivery of execution '{}' (token {}) has ended late; what it came to is ignored",
                executionId(),
                lease().token(),
                failure));
  }

  private void end(DeliveryEnd end) {
    switch (end) {
      case DeliveryEnd.Acknowledge(var acknowledgement) ->
          acknowledge(new Command.Acknowledge(lease(), acknowledgement));
      case DeliveryEnd.Release(var reason) -> release(reason);
      case DeliveryEnd.Stopped ignored -> stopped();
    }
  }

  private void acknowledge(Command.Acknowledge command) {
    if (signal.reason() == AbortReason.LEASE_LOST) {
      return;
    }
    Reply reply;
    try {
      reply = await(tools.committer().submit(command));
    } catch (BackendException e) {
      if (e.fault() != BackendException.Fault.DATA) {
        throw e;
      }
      LOG.error(
          "The outcome of execution '{}' was refused as data that the backend can't keep; it is released and delivered again",
          executionId(),
          e);
      release(new Command.ReleaseReason.Failed());
      return;
    }
    acknowledged(reply);
  }

  private void acknowledged(Reply answer) {
    switch (answer) {
      case Reply.Acknowledged(var end) -> {
        if (end != null) {
          ended = true;
          tools.emit().accept(executionId(), end);
        }
      }
      case Reply.Lost ignored -> LeaseKeeper.warnLost(lease(), executionId());
      // A continuation met a cancellation: the next delivery sees it at the same place.
      case Reply.CancelledBefore ignored -> release(new Command.ReleaseReason.HandedOver());
      case Reply other ->
          throw new IllegalStateException("an acknowledgement was answered with " + other);
    }
  }

  private void release(Command.ReleaseReason reason) {
    if (reason instanceof Command.ReleaseReason.Blocked(var why)) {
      LOG.error("Execution '{}' needs attention: {}: {}", executionId(), why.code(), why.message());
    }
    if (await(tools.committer().submit(new Command.Release(lease(), reason)))
        instanceof Reply.Lost) {
      LeaseKeeper.warnLost(lease(), executionId());
    }
  }

  /// It stopped since it was told to: at a shutdown that is an orderly hand-over.
  private void stopped() {
    if (signal.reason() == AbortReason.SHUTDOWN) {
      release(new Command.ReleaseReason.HandedOver());
    }
  }

  private void failed(Throwable failure) {
    if (signal.reason() == AbortReason.LEASE_LOST) {
      return;
    }
    if (failure instanceof WorkerExited) {
      LOG.error(
          "The worker of execution '{}' exited without a reply; its lease will pass and it is delivered again",
          executionId(),
          failure);
      return;
    }
    LOG.error(
        "The delivery of execution '{}' failed without an outcome; it is released and delivered again",
        executionId(),
        failure);
    release(new Command.ReleaseReason.Failed());
  }

  private static Reply await(CompletableFuture<Reply> reply) {
    try {
      return reply.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException(
          BackendException.Fault.CLOSED, "Interrupted while a command was committed.", e);
    }
  }

  @Override
  public boolean park() {
    parking.lock();
    try {
      parked = !freed && tools.slots().park();
      if (parked) {
        tools.slotFreed().run();
      }
      return parked;
    } finally {
      parking.unlock();
    }
  }

  @Override
  public boolean unpark() {
    parking.lock();
    try {
      if (freed || !tools.slots().unpark()) {
        return false;
      }
      parked = false;
      return true;
    } finally {
      parking.unlock();
    }
  }

  /// Gives up its slot, or its place among those that wait in place.
  void free() {
    parking.lock();
    try {
      freed = true;
      tools.slots().release(parked);
    } finally {
      parking.unlock();
    }
  }

  private String executionId() {
    return claim.state() == null ? "internal id " + lease().execution() : claim.state().id();
  }
}
