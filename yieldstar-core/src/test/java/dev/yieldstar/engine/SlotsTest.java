package dev.yieldstar.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SlotsTest {
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whateverMovesAtOnceNeverExceedsTheConcurrencyAndEndsAtZero(long seed) throws Exception {
    int concurrency = 1 + new Random(seed).nextInt(8);
    var slots = new Slots(concurrency, 3);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    List<CompletableFuture<Void>> movers =
        IntStream.range(0, 6)
            .mapToObj(
                n ->
                    CompletableFuture.runAsync(
                        () -> move(slots, new Random(seed * 31 + n), running, most),
                        Thread::startVirtualThread))
            .toList();
    movers.forEach(CompletableFuture::join);
    assertThat(most.get()).as("seed %d", seed).isBetween(1, concurrency);
    assertThat(running).hasValue(0);
    assertThat(slots.active()).isZero();
    assertThat(slots.awaitIdle(0)).isTrue();
    assertThat(slots.reserveAll()).isEqualTo(concurrency);
  }

  static LongStream seeds() {
    String given = System.getProperty("seed", "");
    return given.isBlank() ? new Random().longs(50) : LongStream.of(Long.parseLong(given));
  }

  /// What a claimer, a starter and their deliveries do with slots, in some order.
  private static void move(Slots slots, Random random, AtomicInteger running, AtomicInteger most) {
    var parked = new ArrayList<Boolean>(); // one for each delivery that was begun here
    for (int turn = 0; turn < 300; turn++) {
      switch (random.nextInt(5)) {
        case 0 -> begin(slots, slots.reserveOne() ? 1 : 0, random, running, most, parked);
        case 1 -> begin(slots, slots.reserveAll(), random, running, most, parked);
        case 2 -> park(slots, random, running, parked);
        case 3 -> unpark(slots, running, most, parked);
        default -> end(slots, running, parked);
      }
    }
    while (!parked.isEmpty()) {
      end(slots, running, parked);
    }
  }

  private static void begin(
      Slots slots,
      int reserved,
      Random random,
      AtomicInteger running,
      AtomicInteger most,
      List<Boolean> parked) {
    int taken = reserved == 0 ? 0 : random.nextInt(reserved + 1);
    for (int i = 0; i < taken; i++) {
      slots.take();
      count(running, most);
      parked.add(false);
    }
    slots.cancel(reserved - taken);
  }

  private static void count(AtomicInteger running, AtomicInteger most) {
    int now = running.incrementAndGet();
    most.accumulateAndGet(now, Math::max);
  }

  private static void park(
      Slots slots, Random random, AtomicInteger running, List<Boolean> parked) {
    int one = parked.indexOf(false);
    if (one < 0 || random.nextBoolean()) {
      return;
    }
    running.decrementAndGet(); // before the slot is another's
    if (slots.park()) {
      parked.set(one, true);
    } else {
      running.incrementAndGet();
    }
  }

  private static void unpark(
      Slots slots, AtomicInteger running, AtomicInteger most, List<Boolean> parked) {
    int one = parked.indexOf(true);
    if (one >= 0 && slots.unpark()) {
      count(running, most);
      parked.set(one, false);
    }
  }

  private static void end(Slots slots, AtomicInteger running, List<Boolean> parked) {
    if (parked.isEmpty()) {
      return;
    }
    boolean wasParked = parked.removeLast();
    if (!wasParked) {
      running.decrementAndGet();
    }
    slots.release(wasParked);
  }

  @Test
  void whatWaitsInPlaceIsBoundedAndCountsAsActive() {
    var slots = new Slots(2, 1);
    slots.reserveAll();
    slots.take();
    slots.take();
    assertThat(slots.park()).isTrue();
    assertThat(slots.park()).as("one too many").isFalse();
    assertThat(slots.active()).isEqualTo(2);
    assertThat(slots.reserveAll()).isEqualTo(1);
    assertThat(slots.unpark()).as("the slot is reserved").isFalse();
    slots.cancel(1);
    assertThat(slots.unpark()).isTrue();
  }

  @Test
  void duringAStopNothingIsReservedForStartsAndNothingParks() {
    var slots = new Slots(2, 10);
    slots.reserveOne();
    slots.take();
    slots.stopping(true);
    assertThat(slots.reserveOne()).isFalse();
    assertThat(slots.park()).isFalse();
  }

  @Test
  void aReservationCountsForDrain() throws Exception {
    var slots = new Slots(2, 10);
    slots.reserveOne();
    assertThat(slots.awaitIdle(Duration.ofMillis(10).toNanos())).isFalse();
    CompletableFuture<Boolean> idle = CompletableFuture.supplyAsync(() -> awaitIdle(slots));
    slots.cancel(1);
    assertThat(idle.get()).isTrue();
  }

  private static boolean awaitIdle(Slots slots) {
    try {
      return slots.awaitIdle(Duration.ofSeconds(10).toNanos());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
