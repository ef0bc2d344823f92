package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.ClaimReply;
import dev.yieldstar.spi.ClaimRequest;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import dev.yieldstar.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sends the same random batches and claims to memory and to SQLite, where two backends share the
/// file and are closed and opened now and then, and compares every reply and all that is kept.
class SqliteAgainstMemoryTest {
  private static final int ROUNDS =
      (int) Math.max(300, 3_000 * Double.parseDouble(System.getProperty("yieldstar.scale", "0.1")));
  private static final List<Integer> PAGES = List.of(7, 40, 1_000);
  private static final Map<String, Integer> REACHED = new TreeMap<>();

  static LongStream seeds() {
    String seed = System.getProperty("seed", "");
    return seed.isEmpty() ? new Random().longs(3) : LongStream.of(Long.parseLong(seed));
  }

  @ParameterizedTest(name = "-Dseed={0}")
  @MethodSource("seeds")
  void sqliteAnswersAsMemoryDoesAndKeepsTheSame(long seed, @TempDir Path folder) {
    var random = new Random(seed);
    var clock = new ManualClock(Instant.parse("2026-12-01T00:00:00Z"));
    var commands = new GeneratedCommands(random);
    var options = Sqlite.Options.standard().clock(clock);
    var shared = new ArrayList<Backend>();
    try (var memory = new MemoryBackend(clock)) {
      for (int i = 0; i < 2; i++) {
        shared.add(Sqlite.file(folder.resolve("it's a \"file\"?.db"), options));
      }
      for (int round = 0; round < ROUNDS; round++) {
        int which = random.nextInt(2);
        if (random.nextInt(50) == 0) {
          shared.get(which).close();
          shared.set(which, Sqlite.file(folder.resolve("it's a \"file\"?.db"), options));
        }
        clock.advance(Duration.ofMillis(random.nextInt(20) == 0 ? 700_000 : random.nextInt(900)));
        if (random.nextInt(3) == 0) {
          claim(commands, memory, shared.get(which));
        } else {
          commit(commands, memory, shared.get(which));
        }
        compare(commands, memory, shared.get(random.nextInt(2)));
      }
    } finally {
      shared.forEach(Backend::close);
    }
  }

  private static void commit(GeneratedCommands commands, Backend memory, Backend sqlite) {
    List<Command> batch = commands.batch();
    List<Reply> expected = memory.commit(batch);
    assertThat(sqlite.commit(batch)).isEqualTo(expected);
    for (Reply reply : expected) {
      REACHED.merge(kind(reply), 1, Integer::sum);
      if (reply instanceof Reply.Admitted admitted && admitted.lease() != null) {
        commands.learn(admitted.lease());
      }
    }
  }

  private static void claim(GeneratedCommands commands, Backend memory, Backend sqlite) {
    ClaimRequest request = commands.claim();
    ClaimReply expected = memory.claim(request);
    assertThat(sqlite.claim(request)).isEqualTo(expected);
    REACHED.merge("Claimed " + Math.min(expected.claims().size(), 2), 1, Integer::sum);
    expected.claims().forEach(claim -> commands.learn(claim.lease()));
  }

  /// The kind of a reply, with what it tells apart.
  private static String kind(Reply reply) {
    String name = reply.getClass().getSimpleName();
    return switch (reply) {
      case Reply.Admitted admitted ->
          name
              + (admitted.created() ? " created" : "")
              + (admitted.lease() == null ? "" : " leased");
      case Reply.Recorded recorded ->
          name
              + (recorded.asSent() ? " as sent " : " otherwise ")
              + recorded.record().result().getClass().getSimpleName();
      case Reply.Acknowledged acknowledged -> name + (acknowledged.end() == null ? "" : " ended");
      case Reply.Refused refused -> name + " " + refused.code();
      case Reply.Finished finished -> name + " " + finished.status();
      default -> name;
    };
  }

  private static void compare(GeneratedCommands commands, Backend memory, Backend sqlite) {
    var incarnations = new ArrayList<Incarnation>();
    for (String id : commands.ids()) {
      ExecutionState expected = memory.find(id).orElse(null);
      assertThat(sqlite.find(id).orElse(null)).isEqualTo(expected);
      if (expected != null) {
        IntStream.rangeClosed(0, expected.incarnation())
            .mapToObj(i -> new Incarnation(expected.key(), i))
            .forEach(incarnations::add);
      }
    }
    assertThat(sqlite.ends(commands.ids())).isEqualTo(memory.ends(commands.ids()));
    assertThat(sqlite.standing(commands.leases())).isEqualTo(memory.standing(commands.leases()));
    for (long leaseId : commands.leaseIds().stream().skip(leasesToSkip(commands)).toList()) {
      assertThat(sqlite.claimed(leaseId)).isEqualTo(memory.claimed(leaseId));
    }
    int limit = PAGES.get(commands.ids().size() % PAGES.size());
    assertThat(pages(sqlite, incarnations, limit)).isEqualTo(pages(memory, incarnations, limit));
  }

  private static int leasesToSkip(GeneratedCommands commands) {
    return Math.max(0, commands.leaseIds().size() - 10);
  }

  static List<JournalPage> pages(Backend backend, List<Incarnation> incarnations, int limit) {
    var pages = new ArrayList<JournalPage>();
    var query = JournalQuery.firstPage(incarnations, limit);
    pages.add(backend.journal(query));
    while (pages.getLast().more()) {
      pages.add(backend.journal(query.after(pages.getLast().rows().getLast())));
    }
    return pages;
  }

  /// A generator that never gets somewhere proves nothing about it.
  @AfterAll
  static void everyKindOfReplyWasReached() {
    System.out.println("replies compared: " + REACHED);
    if (System.getProperty("seed", "").isEmpty()) {
      Stream.of(
              "Admitted",
              "Admitted created",
              "Admitted created leased",
              "Claimed 0",
              "Claimed 1",
              "Claimed 2",
              "Recorded as sent Value",
              "Recorded as sent Error",
              "Recorded as sent Retry",
              "Recorded as sent Wait",
              "Recorded as sent Started",
              "Recorded as sent Refused",
              "Recorded otherwise Value",
              "Renewed",
              "Acknowledged",
              "Acknowledged ended",
              "Released",
              "Lost",
              "CancelledBefore",
              "Done",
              "CancelAccepted",
              "Finished COMPLETED",
              "Finished FAILED",
              "Finished CANCELLED",
              "NotFound",
              "Refused EXECUTION_ID_CONFLICT",
              "Refused STEP_NOT_FOUND",
              "Refused EXECUTION_NOT_FINISHED")
          .forEach(kind -> assertThat(REACHED.getOrDefault(kind, 0)).as(kind).isGreaterThan(4));
    }
  }
}
