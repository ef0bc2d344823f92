package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// When the dispatcher claims, and how much.
final class ClaimingTest {
  private final CapturedLog log = new CapturedLog();
  private DispatcherRig rig = new DispatcherRig(DispatcherRig.patient().withConcurrency(2));

  private void rig(EngineSettings settings) {
    rig.close();
    rig = new DispatcherRig(settings);
  }

  @AfterEach
  void close() {
    rig.close();
    log.close();
  }

  // --- S16

  @Test
  @DisplayName("S16 ticks that overlap never exceed the concurrency")
  void overlappingTicksNeverExceedTheConcurrency() {
    rig.admit("a", "b", "c");
    var blocked = new CountDownLatch(1);
    rig.backend.onClaim =
        (request, inner) -> {
          Uninterruptibly.await(blocked);
          return inner.claim(request);
        };
    CompletableFuture<Integer> first = CompletableFuture.supplyAsync(rig.dispatcher::tick);
    soon().until(() -> rig.backend.claims.size() == 1);

    assertThat(rig.dispatcher.tick()).isZero();
    assertThat(rig.backend.claims).hasSize(1);

    blocked.countDown();
    assertThat(first.join()).isEqualTo(2);
    rig.invoker.awaitBegun(2);
    assertThat(rig.dispatcher.activeDeliveries()).isEqualTo(2);
    assertThat(rig.dispatcher.tick()).isZero();
    assertThat(rig.backend.claims).hasSize(1);
  }

  @Test
  @DisplayName("S16 a claim asks for as many as there are free slots")
  void aClaimAsksForTheFreeSlots() {
    rig(DispatcherRig.patient().withConcurrency(3));
    rig.admit("a", "b");
    rig.dispatcher.tick();
    rig.dispatcher.tick();
    assertThat(rig.backend.claims).extracting(ClaimRequest::limit).containsExactly(3, 1);
  }

  @Test
  @DisplayName("S16 what a claim did not use is free again, also when it throws")
  void reservationsOfClaimsAreGivenBack() {
    rig.dispatcher.tick();
    rig.backend.onClaim =
        (request, inner) -> {
          throw ScriptedBackend.unavailable();
        };
    assertThat(CompletableFuture.supplyAsync(rig.dispatcher::tick))
        .failsWithin(Duration.ofSeconds(5));
    rig.backend.onClaim = (request, inner) -> inner.claim(request);
    rig.dispatcher.tick();
    assertThat(rig.backend.claims).extracting(ClaimRequest::limit).containsOnly(2);
  }

  @Test
  @DisplayName("S16 an execution that is delivered here is not asked for")
  void whatIsDeliveredHereIsNotAskedFor() {
    rig.admit("a");
    rig.dispatcher.tick();
    rig.dispatcher.tick();
    long delivered = rig.state("a").key();
    assertThat(rig.backend.claims)
        .extracting(ClaimRequest::delivering)
        .containsExactly(Set.of(), Set.of(delivered));
  }

  // --- S17

  @Test
  @DisplayName("S17 a tick returns how many deliveries it started, without waiting for them")
  void aTickDoesNotWaitForItsDeliveries() throws Exception {
    rig.admit("a", "b");
    assertThat(rig.dispatcher.tick()).isEqualTo(2);
    rig.invoker.awaitBegun(2);
    assertThat(rig.dispatcher.activeDeliveries()).isEqualTo(2);
    assertThat(rig.dispatcher.drain(Duration.ofMillis(20))).isFalse();
  }

  @Test
  @DisplayName("S17 drain waits for all that were started")
  void drainWaitsForAllThatWereStarted() throws Exception {
    rig.admit("a", "b");
    rig.dispatcher.tick();
    ScriptedInvoker.Begun first = rig.invoker.awaitBegun(1);
    ScriptedInvoker.Begun second = rig.invoker.awaitBegun(2);
    CompletableFuture<Boolean> drained = drain(Duration.ofSeconds(10));
    first.complete();
    soon().until(() -> rig.dispatcher.activeDeliveries() == 1);
    assertThat(drained).isNotDone();
    second.complete();
    assertThat(drained.get()).isTrue();
    assertThat(rig.dispatcher.activeDeliveries()).isZero();
  }

  private CompletableFuture<Boolean> drain(Duration limit) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return rig.dispatcher.drain(limit);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  @DisplayName("S17 start twice is one loop")
  void startTwiceIsOneLoop() {
    Set<Thread> before = threads();
    rig.dispatcher.start();
    rig.dispatcher.start();
    assertThat(since(before)).containsExactly("yieldstar-dispatcher");
  }

  @Test
  @DisplayName("S17 stop claims no more, and waits for what runs")
  void stopClaimsNoMoreAndDrains() {
    rig(DispatcherRig.patient().withShutdownTimeout(Duration.ofSeconds(10)));
    rig.admit("a");
    rig.dispatcher.start();
    ScriptedInvoker.Begun running = rig.invoker.awaitBegun(1);
    CompletableFuture<Void> stop = CompletableFuture.runAsync(rig.dispatcher::stop);
    assertThat(running.delivery().signal().suspending().toCompletableFuture())
        .succeedsWithin(Duration.ofSeconds(5));
    assertThat(rig.dispatcher.reserveForStart(DispatcherRig.WORKFLOW)).isFalse();
    rig.admit("b");
    rig.dispatcher.hint(true);
    assertThat(rig.dispatcher.tick()).isZero();
    stays(() -> !stop.isDone());
    running.complete();
    assertThat(stop).succeedsWithin(Duration.ofSeconds(5));
    assertThat(rig.invoker.ids()).containsExactly("a");
    assertThat(rig.emitted).containsOnlyKeys("a");
  }

  // --- S18

  @Test
  @DisplayName("S18 a slot that frees up leads to a claim at once")
  void aFreedSlotLeadsToAClaimAtOnce() {
    rig(DispatcherRig.patient().withConcurrency(1));
    rig.admit("a", "b", "c");
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1).complete();
    rig.invoker.awaitBegun(2).complete();
    rig.invoker.awaitBegun(3);
    assertThat(rig.invoker.ids()).containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("S18 when all slots are busy no claim is made")
  void whenAllSlotsAreBusyNoClaimIsMade() {
    rig(DispatcherRig.patient().withConcurrency(1).withPollInterval(Duration.ofMillis(1)));
    rig.admit("a", "b");
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1);
    rig.dispatcher.hint(true);
    stays(() -> rig.backend.claims.size() == 1);
  }

  @Test
  @DisplayName("S18 when something was claimed the next claim follows at once")
  void afterAClaimThatGotSomethingTheNextFollowsAtOnce() {
    rig.admit("a", "b");
    var claims = new AtomicInteger();
    // One at a time, and without a word about the other.
    rig.backend.onClaim =
        (request, inner) -> {
          claims.incrementAndGet();
          ClaimReply reply =
              inner.claim(
                  new ClaimRequest(
                      request.workflows(),
                      1,
                      request.leaseId(),
                      request.duration(),
                      request.delivering(),
                      request.takeOver(),
                      request.suspect()));
          return new ClaimReply(reply.claims(), reply.now(), null);
        };
    rig.dispatcher.start();
    rig.invoker.awaitBegun(2);
    assertThat(claims).hasValue(2);
  }

  // --- S19

  @Test
  @DisplayName("S19 a claim that throws is logged, and the loop goes on")
  void aClaimThatThrowsIsLoggedAndTheLoopGoesOn() {
    rig(DispatcherRig.patient().withPollInterval(Duration.ofMillis(1)));
    rig.admit("a");
    var failures = new AtomicInteger();
    rig.backend.onClaim =
        (request, inner) -> {
          if (failures.incrementAndGet() <= 3) {
            throw ScriptedBackend.unavailable();
          }
          return inner.claim(request);
        };
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1);
    assertThat(log.errors()).singleElement().asString().contains("could not be claimed");
  }

  @Test
  @DisplayName("S19 not even an Error ends the loop")
  void anErrorDoesNotEndTheLoop() {
    rig(DispatcherRig.patient().withPollInterval(Duration.ofMillis(1)));
    rig.admit("a");
    var failures = new AtomicInteger();
    rig.backend.onClaim =
        (request, inner) -> {
          if (failures.incrementAndGet() == 1) {
            throw new StackOverflowError("scripted");
          }
          return inner.claim(request);
        };
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1);
    assertThat(log.errors()).singleElement().asString().contains("could not be claimed");
  }

  @Test
  @DisplayName("S19 a look that throws does not end the loop either")
  void aLookThatThrowsDoesNotEndTheLoop() {
    rig(DispatcherRig.patient().withPollInterval(Duration.ofMillis(1)));
    var looks = new AtomicInteger();
    rig.backend.onLook =
        () -> {
          if (looks.incrementAndGet() == 1) {
            throw ScriptedBackend.unavailable();
          }
        };
    rig.dispatcher.start();
    soon().until(() -> looks.get() >= 1);
    rig.admit("a");
    rig.dispatcher.hint(true);
    rig.invoker.awaitBegun(1);
  }

  // --- S20

  @Test
  @DisplayName("S20 a started dispatcher keeps the process alive, by one platform thread")
  void aStartedDispatcherKeepsTheProcessAlive() {
    Set<Thread> before = threads();
    rig(DispatcherRig.patient().withKeepAlive(true));
    rig.dispatcher.start();
    assertThat(
            threads().stream()
                .filter(thread -> !before.contains(thread) && !thread.isDaemon())
                .map(Thread::getName))
        .containsExactly("yieldstar-dispatcher");
  }

  @Test
  @DisplayName("S20 with keepAlive off nothing of it keeps the process alive")
  void withKeepAliveOffNothingKeepsTheProcessAlive() {
    Set<Thread> before = threads();
    rig(DispatcherRig.patient().withKeepAlive(false));
    rig.admit("a");
    rig.dispatcher.start();
    rig.invoker.awaitBegun(1);
    assertThat(since(before)).contains("yieldstar-dispatcher");
    assertThat(threads())
        .allMatch(thread -> before.contains(thread) || thread.isDaemon(), "is a daemon");
  }

  private static Set<Thread> threads() {
    return Set.copyOf(Thread.getAllStackTraces().keySet());
  }

  private static List<String> since(Set<Thread> before) {
    return threads().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("yieldstar-dispatcher"))
        .collect(Collectors.toList());
  }
}
