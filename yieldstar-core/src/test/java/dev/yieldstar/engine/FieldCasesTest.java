package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Execution;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Status;
import dev.yieldstar.Workflow;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Signal.AbortReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What has gone wrong with dispatchers elsewhere.
final class FieldCasesTest {
  private final CapturedLog log = new CapturedLog();
  private final List<Engine> engines = new ArrayList<>();

  private Engine engine(ScriptedBackend backend, EngineSettings settings, Workflow<?, ?> workflow) {
    Engine engine = EngineRig.started(backend, settings, workflow);
    engines.add(engine);
    return engine;
  }

  @AfterEach
  void close() {
    engines.forEach(Engine::close);
    log.close();
  }

  @Test
  @DisplayName("LEA-01 steps longer than the lease run once, although renewals answer slowly")
  void stepsLongerThanTheLeaseRunOnce() throws Exception {
    var memory = new MemoryBackend();
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    var never = new CountDownLatch(1);
    Workflow<String, String> long_ =
        Workflow.of(
            "long",
            String.class,
            String.class,
            (step, id) ->
                step.run(
                    "work",
                    () -> {
                      bodies.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
                      never.await(1_200, TimeUnit.MILLISECONDS); // four leases
                      return id;
                    }));
    EngineSettings settings =
        EngineRig.settings()
            .withLeaseDuration(Duration.ofMillis(300))
            .withRenewInterval(Duration.ofMillis(100));
    Engine first = engine(slowRenewals(memory), settings, long_);
    engine(slowRenewals(memory), settings, long_);
    List<Execution<String>> executions =
        IntStream.range(0, 20)
            .mapToObj(i -> first.client().start(long_, "e" + i, StartOptions.id("e" + i)))
            .toList();
    for (Execution<String> execution : executions) {
      assertThat(execution.result(Duration.ofSeconds(10))).isEqualTo(execution.id());
    }
    assertThat(bodies.values()).hasSize(20).allMatch(times -> times.get() == 1);
    assertThat(log.warnings()).isEmpty();
    assertThat(log.errors()).isEmpty();
  }

  /// A database that takes 80 ms to answer a renewal.
  private static ScriptedBackend slowRenewals(MemoryBackend memory) {
    var slow = new ScriptedBackend(memory, 1);
    var never = new CountDownLatch(1);
    slow.onCommit =
        (batch, inner) -> {
          if (batch.stream().anyMatch(Command.Renew.class::isInstance)) {
            try {
              never.await(80, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return inner.commit(batch);
        };
    return slow;
  }

  @Test
  @DisplayName("LEA-02 a holder that was frozen changes nothing when it wakes up")
  void aFrozenHolderChangesNothing() {
    var clock = new ManualClock();
    var memory = new MemoryBackend(clock);
    try (var a = new DispatcherRig(new ScriptedBackend(memory, 1), DispatcherRig.brisk());
        var b = new DispatcherRig(new ScriptedBackend(memory, 1), DispatcherRig.patient())) {
      a.admit("x");
      a.dispatcher.tick();
      ScriptedInvoker.Begun frozen = a.invoker.awaitBegun(1);
      var thaw = new CountDownLatch(1);
      a.backend.onCommit =
          (batch, inner) -> {
            Uninterruptibly.await(thaw);
            return inner.commit(batch);
          };
      soon().until(() -> !a.backend.sent(Command.Renew.class).isEmpty());

      clock.pass(Duration.ofMinutes(1));
      b.dispatcher.tick();
      ScriptedInvoker.Begun holder = b.invoker.awaitBegun(1);
      Lease old = frozen.delivery().lease();
      Lease current = holder.delivery().lease();
      assertThat(current.token()).isEqualTo(2);
      b.send(DeliveryEndsTest.record(current, "s1", 1));

      thaw.countDown();
      soon().until(() -> frozen.delivery().signal().isAborted());
      assertThat(frozen.delivery().signal().reason()).isEqualTo(AbortReason.LEASE_LOST);
      a.awaitIdle();
      for (Command write :
          List.of(
              DeliveryEndsTest.record(old, "s1", 1),
              DeliveryEndsTest.record(old, "s2", 2),
              new Command.StartChild(
                  old,
                  "c",
                  3,
                  ManualClock.NOON,
                  DispatcherRig.admission(50, "child").admission(),
                  Due.NOW),
              new Command.Acknowledge(
                  old, new Command.Acknowledgement.Completed(ScriptedInvoker.payload("A"))),
              new Command.Release(old, new Command.ReleaseReason.HandedOver()))) {
        assertThat(a.committer.submit(write).join()).isEqualTo(new Reply.Lost());
      }
      holder.end().complete(ScriptedInvoker.completed("B"));
      b.awaitIdle();
      assertThat(b.state("x").ended().outcome())
          .isEqualTo(new Outcome.Completed(ScriptedInvoker.payload("B")));
      assertThat(memory.find("child")).isEmpty();
      assertThat(log.warnings())
          .filteredOn(line -> line.contains("was lost"))
          .singleElement()
          .asString()
          .contains("'x'", "token 1");
    }
  }

  @Test
  @DisplayName("LEA-09 renewals go on while code spins on every carrier, and after one that failed")
  void renewalsGoOnWhileCodeSpins() {
    var backend = new ScriptedBackend();
    var spinning = new AtomicBoolean(true);
    Workflow<Order, Integer> spin =
        Workflow.of(
            "spin",
            Order.class,
            Integer.class,
            (step, order) ->
                step.run(
                    "spin",
                    () -> {
                      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
                      while (spinning.get() && System.nanoTime() < deadline) {
                        Thread.onSpinWait();
                      }
                      return order.lines();
                    }));
    var fails = new AtomicBoolean(true);
    backend.onCommit =
        (batch, inner) -> {
          if (batch.stream().anyMatch(Command.Renew.class::isInstance)
              && fails.compareAndSet(true, false)) {
            throw ScriptedBackend.unavailable();
          }
          return inner.commit(batch);
        };
    EngineSettings settings =
        EngineRig.settings().withConcurrency(4).withLeaseDuration(Duration.ofMillis(600));
    // Admitted for a claim, so that four deliveries begin together.
    for (int i = 1; i <= 4; i++) {
      backend.inner.commit(List.of(admission(i, "spin", "{\"lines\":" + i + "}", null)));
    }
    Engine engine = engine(backend, settings, spin);
    long began = System.nanoTime();
    for (long execution = 1; execution <= 4; execution++) {
      long of = execution;
      soon().until(() -> renewals(backend, of) >= 4);
    }
    long nominal = settings.renewInterval().multipliedBy(4).toNanos();
    assertThat(System.nanoTime() - began)
        .isLessThan(2 * nominal + Duration.ofMillis(500).toNanos());
    spinning.set(false);
    for (int i = 1; i <= 4; i++) {
      assertThat(engine.client().execution(spin, "e" + i).result(Duration.ofSeconds(10)))
          .isEqualTo(i);
      assertThat(backend.find("e" + i).orElseThrow().ended().token()).isEqualTo(1);
    }
  }

  private static long renewals(ScriptedBackend backend, long execution) {
    return backend.sent(Command.Renew.class).stream()
        .filter(renewal -> renewal.lease().execution() == execution)
        .count();
  }

  record Order(int lines) {}

  @Test
  @DisplayName(
      "COD-18 records that can't be read cost nobody else anything, and are tried again later")
  void recordsThatCannotBeReadCostNobodyElse() {
    var backend = new ScriptedBackend();
    Workflow<Order, Integer> order =
        Workflow.of("order", Order.class, Integer.class, (step, params) -> params.lines());
    for (int i = 1; i <= 10; i++) {
      String params = i == 4 ? "{\"removed\":\"no such thing\"}" : "{\"lines\":" + i + "}";
      String context = i == 7 ? "{\"broken" : null;
      backend.inner.commit(List.of(admission(i, "order", params, context)));
    }
    Engine engine = engine(backend, EngineRig.settings().withConcurrency(10), order);
    for (int i = 1; i <= 10; i++) {
      if (i != 4 && i != 7) {
        assertThat(engine.client().execution(order, "e" + i).result(Duration.ofSeconds(10)))
            .isEqualTo(i);
      }
    }
    for (String bad : List.of("e4", "e7")) {
      soon().until(() -> !backend.find(bad).orElseThrow().live().leased());
      assertThat(backend.find(bad).orElseThrow())
          .satisfies(
              state -> {
                assertThat(state.status()).isEqualTo(Status.SUSPENDED);
                assertThat(state.live().attention()).isNotNull();
                assertThat(state.live().token()).as("one delivery").isEqualTo(1);
              });
    }
    assertThat(log.errors())
        .hasSize(2)
        .anyMatch(line -> line.contains("'e4'"))
        .anyMatch(line -> line.contains("'e7'"));
    // The loop goes on, and does not touch them again.
    assertThat(engine.client().start(order, new Order(11)).result(Duration.ofSeconds(10)))
        .isEqualTo(11);
    stays(() -> backend.find("e4").orElseThrow().live().token() == 1);
  }

  private static Command.Admit admission(
      int internal, String workflow, String params, @Nullable String context) {
    return new Command.Admit(
        Admission.request(
            internal,
            "e" + internal,
            workflow,
            null,
            json(params),
            "f" + internal,
            context == null ? null : json(context),
            Map.of()),
        Due.NOW,
        null);
  }

  private static Payload json(String text) {
    return Payload.of((byte) 1, text.getBytes(StandardCharsets.UTF_8));
  }
}
