package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.WorkerExited;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Several dispatchers on one backend, while claims and commits fail before or after they were
/// applied and deliveries end in every way: whatever happens, every execution ends, nobody runs
/// more than its slots, and nothing is left behind.
final class StormTest {
  private static final int EXECUTIONS = 150;
  private static final int CONCURRENCY = 4;

  private final CapturedLog log = new CapturedLog(); // keeps the console quiet
  private final ManualClock clock = new ManualClock();
  private final MemoryBackend memory = new MemoryBackend(clock);
  private final List<DispatcherRig> rigs = new ArrayList<>();

  @AfterEach
  void close() {
    rigs.forEach(DispatcherRig::close);
    log.close();
  }

  static LongStream seeds() {
    String given = System.getProperty("seed", "");
    return given.isBlank() ? new Random().longs(3) : LongStream.of(Long.parseLong(given));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyExecutionEndsAndNothingIsLeftBehind(long seed) {
    var most = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      rigs.add(rig(new Random(seed + i), most));
    }
    String[] ids = IntStream.range(0, EXECUTIONS).mapToObj(i -> "e" + i).toArray(String[]::new);
    rigs.getFirst().admit(ids);
    rigs.forEach(rig -> rig.dispatcher.start());
    soon()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              clock.pass(Duration.ofMillis(100));
              return ended() == EXECUTIONS;
            });
    rigs.forEach(
        rig -> {
          rig.awaitIdle();
          assertThat(rig.leases.leases()).as("seed %d", seed).isEmpty();
        });
    assertThat(most.get()).as("seed %d", seed).isBetween(1, CONCURRENCY);
    assertThat(log.errors()).noneMatch(line -> line.contains("not foreseen"));
  }

  private long ended() {
    return IntStream.range(0, EXECUTIONS)
        .mapToObj(i -> memory.find("e" + i).orElseThrow())
        .filter(state -> state.terminal() != null)
        .count();
  }

  private DispatcherRig rig(Random random, AtomicInteger most) {
    var backend = new ScriptedBackend(memory, 2);
    var settings =
        DispatcherRig.brisk()
            .withConcurrency(CONCURRENCY)
            .withLeaseDuration(Duration.ofSeconds(20))
            .withRenewInterval(Duration.ofMillis(50))
            .withPollInterval(Duration.ofMillis(1));
    var rig = new DispatcherRig(backend, settings);
    backend.onClaim =
        (request, inner) -> {
          throwSometimes(random);
          var reply = inner.claim(request);
          throwSometimes(random);
          return reply;
        };
    backend.onCommit =
        (batch, inner) -> {
          throwSometimes(random);
          var replies = inner.commit(batch);
          throwSometimes(random);
          return replies;
        };
    backend.onLookUp = () -> throwSometimes(random);
    backend.onJournal = () -> throwSometimes(random);
    backend.onLook = () -> throwSometimes(random);
    var running = new AtomicInteger();
    rig.invoker.onDeliver = delivery -> run(delivery, random, running, most);
    return rig;
  }

  private static void throwSometimes(Random random) {
    if (random.nextInt(30) == 0) {
      throw ScriptedBackend.unavailable();
    }
  }

  private static CompletionStage<DeliveryEnd> run(
      Delivery delivery, Random random, AtomicInteger running, AtomicInteger most) {
    if (random.nextInt(20) == 0) {
      throw new IllegalStateException("scripted");
    }
    return CompletableFuture.supplyAsync(
        () -> {
          count(running, most);
          boolean hasSlot = !random.nextBoolean() || waitInPlace(delivery, running, most);
          if (!hasSlot) {
            return suspended(delivery, Due.NOW);
          }
          try {
            return end(delivery, random);
          } finally {
            running.decrementAndGet();
          }
        },
        Thread::startVirtualThread);
  }

  private static void count(AtomicInteger running, AtomicInteger most) {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
  }

  /// Whether it has a slot afterwards, and counts as running.
  private static boolean waitInPlace(Delivery delivery, AtomicInteger running, AtomicInteger most) {
    running.decrementAndGet(); // before its slot is another's
    if (!delivery.slots().park()) {
      running.incrementAndGet();
      return true;
    }
    Thread.yield();
    boolean hasSlot = delivery.slots().unpark();
    if (hasSlot) {
      count(running, most);
    }
    return hasSlot;
  }

  private static DeliveryEnd end(Delivery delivery, Random random) {
    ExecutionState state = delivery.state();
    return switch (random.nextInt(10)) {
      case 0 -> throw new IllegalStateException("scripted");
      case 1 -> throw new WorkerExited("scripted");
      case 2 -> suspended(delivery, Due.NOW);
      case 3 -> suspended(delivery, new Due.After(Duration.ofMillis(500)));
      case 4 -> new DeliveryEnd.Release(new Command.ReleaseReason.HandedOver());
      case 5 ->
          new DeliveryEnd.Acknowledge(new Command.Acknowledgement.ContinuedAsNew(state.params()));
      case 6 -> ScriptedInvoker.failed("scripted");
      default -> ScriptedInvoker.completed("done");
    };
  }

  private static DeliveryEnd suspended(Delivery delivery, Due until) {
    return new DeliveryEnd.Acknowledge(
        new Command.Acknowledgement.Suspended(
            until, delivery.state().live().wakes(), null, List.of()));
  }
}
