package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Run;
import dev.yieldstar.spi.Claim;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Backends that are wrong in their leases and claims.
final class WrongLeases {
  private WrongLeases() {}

  /// The command under another lease.
  private static Command under(Lease lease, Command.Fenced command) {
    return switch (command) {
      case Command.StartChild c -> Changed.with(c, "lease", lease);
      case Command.RecordStep c -> Changed.with(c, "lease", lease);
      case Command.Acknowledge c -> Changed.with(c, "lease", lease);
      case Command.Renew c -> Changed.with(c, "lease", lease);
      case Command.Release c -> Changed.with(c, "lease", lease);
    };
  }

  /// What sees leases otherwise than they were sent.
  abstract static class Seeing extends WrongBatches.Changing {
    Seeing(InstantSource clock) {
      super(clock);
    }

    abstract boolean passes(Lease sent, Run run, int incarnation);

    @Override
    Command changed(Command command) {
      if (!(command instanceof Command.Fenced fenced)) {
        return command;
      }
      ExecutionState state = executions.get(fenced.lease().execution());
      Run run = state == null ? null : state.run();
      if (state == null || run == null || !run.leased()) {
        return command;
      }
      return passes(fenced.lease(), run, state.incarnation())
          ? under(new Lease(state.key(), state.incarnation(), run.token(), run.leaseId()), fenced)
          : command;
    }
  }

  /// Whatever is sent is written.
  static final class NoFence extends Seeing {
    NoFence(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean passes(Lease sent, Run run, int incarnation) {
      return true;
    }
  }

  /// The lease id is not compared.
  static final class OnlyTokens extends Seeing {
    OnlyTokens(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean passes(Lease sent, Run run, int incarnation) {
      return sent.token() == run.token() && sent.incarnation() == incarnation;
    }
  }

  /// The incarnation is not compared.
  static final class AnyIncarnation extends Seeing {
    AnyIncarnation(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean passes(Lease sent, Run run, int incarnation) {
      return sent.token() == run.token() && sent.id() == run.leaseId();
    }
  }

  /// A lease is over when its time has passed.
  static final class TimeEndsLeases extends PlainBackend {
    TimeEndsLeases(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      for (Command command : batch) {
        if (command instanceof Command.Fenced fenced) {
          ExecutionState state = executions.get(fenced.lease().execution());
          if (state != null && state.run() != null && state.live().claimable(now())) {
            put(Changed.run(state, "leaseId", Lease.NONE));
          }
        }
      }
      return super.apply(batch);
    }
  }

  /// A late renewal prolongs a lease that was given up.
  static final class RenewalRevives extends PlainBackend {
    RenewalRevives(InstantSource clock) {
      super(clock);
    }

    @Override
    List<Reply> apply(List<Command> batch) {
      for (Command command : batch) {
        if (command instanceof Command.Renew(var lease, var ignored)) {
          ExecutionState state = executions.get(lease.execution());
          if (state != null && state.run() != null && state.live().token() == lease.token()) {
            put(Changed.run(state, "leaseId", lease.id()));
          }
        }
      }
      return super.apply(batch);
    }
  }

  /// Nothing is kept of a lease that was acknowledged.
  static final class ForgetsAcknowledgements extends PlainBackend {
    ForgetsAcknowledgements(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      super.put(Changed.run(state, "acknowledgedLease", Lease.NONE));
    }
  }

  /// The lease that acknowledged the end is forgotten with the rest of the run.
  static final class ForgetsWhoEndedIt extends PlainBackend {
    ForgetsWhoEndedIt(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      super.put(
          state.terminal() == null
              ? state
              : Changed.with(
                  state, "terminal", Changed.with(state.terminal(), "leaseId", Lease.NONE)));
    }
  }

  /// A claim that takes over keeps the token.
  static final class SameToken extends PlainBackend {
    SameToken(InstantSource clock) {
      super(clock);
    }

    @Override
    public void put(ExecutionState state) {
      ExecutionState before = executions.get(state.key());
      Run run = before == null ? null : before.run();
      super.put(run != null && run.leased() ? Changed.run(state, "token", run.token()) : state);
    }
  }

  static final class ClaimsThePaused extends PlainBackend {
    ClaimsThePaused(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean isClaimable(ExecutionState state, ClaimRequest request) {
      return super.isClaimable(Changed.run(state, "paused", false), request);
    }
  }

  static final class ClaimsWhatIsNotRegistered extends PlainBackend {
    ClaimsWhatIsNotRegistered(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean isRegistered(ExecutionState state, ClaimRequest request) {
      return !request.workflows().isEmpty();
    }
  }

  static final class ClaimsWhatIsDelivered extends PlainBackend {
    ClaimsWhatIsDelivered(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean isClaimable(ExecutionState state, ClaimRequest request) {
      return super.isClaimable(state, Changed.with(request, "delivering", Set.of()));
    }
  }

  static final class AlwaysTakesOver extends PlainBackend {
    AlwaysTakesOver(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean isClaimable(ExecutionState state, ClaimRequest request) {
      return super.isClaimable(state, Changed.with(request, "takeOver", true));
    }
  }

  static final class KnowsNoSuspects extends PlainBackend {
    KnowsNoSuspects(InstantSource clock) {
      super(clock);
    }

    @Override
    boolean isSuspect(ExecutionState state) {
      return false;
    }
  }

  /// Claims the latest first.
  static final class LatestFirst extends PlainBackend {
    LatestFirst(InstantSource clock) {
      super(clock);
    }

    @Override
    Comparator<ExecutionState> order() {
      return super.order().reversed();
    }
  }

  /// Sees what is due in one transaction and leases it in another.
  static final class ClaimsInTwoSteps extends PlainBackend {
    private final Thread opener = Thread.currentThread();
    private final CountDownLatch looking = new CountDownLatch(2);

    ClaimsInTwoSteps(InstantSource clock) {
      super(clock);
    }

    @Override
    public ClaimReply claim(ClaimRequest request) {
      List<ExecutionState> due = locked(() -> due(request));
      meetAnother();
      return locked(
          () -> {
            List<Claim> claims =
                due.stream().limit(request.limit()).map(state -> lease(state, request)).toList();
            return new ClaimReply(
                claims, now(), due.size() > claims.size() ? now() : next(request));
          });
    }

    /// Where several threads claim, the first two have looked before either leases: the race is
    /// certain.
    private void meetAnother() {
      if (Thread.currentThread() == opener) {
        return;
      }
      looking.countDown();
      try {
        boolean met = looking.await(10, TimeUnit.SECONDS);
        assertThat(met).as("two claimers at once").isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Keeps no waiters.
  static final class DropsWaiters extends PlainBackend {
    DropsWaiters(InstantSource clock) {
      super(clock);
    }

    @Override
    public void await(long waiter, List<Long> others) {
      awaited.remove(waiter);
    }
  }

  /// Keeps waiters for ever.
  static final class KeepsWaiters extends PlainBackend {
    KeepsWaiters(InstantSource clock) {
      super(clock);
    }

    @Override
    public void await(long waiter, List<Long> others) {
      var all = new ArrayList<>(awaited.getOrDefault(waiter, List.of()));
      all.addAll(others);
      awaited.put(waiter, all);
    }
  }

  /// Wakes only one of several waiters.
  static final class WakesOneWaiter extends PlainBackend {
    WakesOneWaiter(InstantSource clock) {
      super(clock);
    }

    @Override
    public List<Long> waitersOn(long execution) {
      return super.waitersOn(execution).stream().limit(1).toList();
    }
  }

  /// Registers a wait without a look at what is awaited.
  static final class LooksAtNothing extends WrongBatches.Changing {

    LooksAtNothing(InstantSource clock) {
      super(clock);
    }

    @Override
    Command changed(Command command) {
      if (command
          instanceof Command.Acknowledge(var lease, Command.Acknowledgement.Suspended suspended)) {
        List<String> live = suspended.awaited().stream().filter(id -> isLive(byId(id))).toList();
        return new Command.Acknowledge(lease, Changed.with(suspended, "awaited", live));
      }
      return command;
    }

    private static boolean isLive(@Nullable ExecutionState state) {
      return state != null && state.run() != null;
    }
  }
}
