package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many threads at once. What they do is random; what must hold is not.
@Timeout(120)
abstract class ConcurrencyContract extends Bench {
  private static final int THREADS = 4;

  ConcurrencyContract(Opener opener) {
    super(opener);
  }

  /// Runs the task on each thread, all beginning together, and gives what they returned.
  private static <T> List<T> together(ThreadTask<T> task) throws Exception {
    var barrier = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      var running = new ArrayList<Future<T>>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        Callable<T> call =
            () -> {
              barrier.await();
              return task.run(number);
            };
        running.add(threads.submit(call));
      }
      var results = new ArrayList<T>();
      for (Future<T> future : running) {
        results.add(future.get());
      }
      return results;
    }
  }

  private interface ThreadTask<T> {
    T run(int thread) throws Exception;
  }

  @Test
  @DisplayName("LEA-06 what several claimers are given is given once")
  void whatSeveralClaimersAreGivenIsGivenOnce() throws Exception {
    List<Command> admissions = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      admissions.add(admit(admission("e" + i)));
    }
    backend.commit(admissions);

    List<List<String>> claimed =
        together(
            thread -> {
              var mine = new ArrayList<String>();
              List<String> some;
              do {
                some = claimedIds(asking -> asking.withLimit(7));
                mine.addAll(some);
              } while (!some.isEmpty());
              return mine;
            });

    List<String> all = claimed.stream().flatMap(List::stream).toList();
    assertThat(all).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(200);
    var rest = new ArrayList<>(all);
    rest.addAll(claimedIds(asking -> asking.withLimit(200)));
    assertThat(rest).doesNotHaveDuplicates().hasSize(200);
  }

  @Test
  @DisplayName("Y52 of equal starts at once only one creates the execution")
  void ofEqualStartsAtOnceOnlyOneCreates() throws Exception {
    for (int round = 0; round < 10; round++) {
      String id = "e" + round;

      List<Reply> replies = together(thread -> apply(admitLeased(admission(id), newId())));

      List<Reply.Admitted> admitted =
          replies.stream().map(reply -> as(Reply.Admitted.class, reply)).toList();
      assertThat(admitted.stream().filter(Reply.Admitted::created)).hasSize(1);
      assertThat(admitted.stream().filter(reply -> reply.lease() != null)).hasSize(1);
      assertThat(admitted.stream().map(Reply.Admitted::execution).distinct()).hasSize(1);
    }
  }

  @Test
  @DisplayName("G2 of records at once under one key only one wins")
  void ofRecordsAtOnceOnlyOneWins() throws Exception {
    Lease lease = leased("a");
    for (int round = 0; round < 10; round++) {
      String key = "s" + round;

      List<Reply> replies = together(thread -> apply(record(lease, key, "by " + thread)));

      List<Reply.Recorded> recorded =
          replies.stream().map(reply -> as(Reply.Recorded.class, reply)).toList();
      assertThat(recorded.stream().filter(Reply.Recorded::asSent)).hasSize(1);
      assertThat(recorded.stream().map(Reply.Recorded::record).distinct()).hasSize(1);
    }
  }

  @Test
  @DisplayName("G4 of ends at once only one is the end")
  void ofEndsAtOnceOnlyOneIsTheEnd() throws Exception {
    for (int round = 0; round < 10; round++) {
      String id = "e" + round;
      Lease lease = leased(id);

      List<Reply> replies =
          together(
              thread ->
                  switch (thread) {
                    case 0 -> apply(complete(lease, "done"));
                    case 1 -> apply(fail(lease, "error"));
                    case 2 -> apply(cancel(id));
                    default -> apply(handOver(lease));
                  });

      List<Object> after = dump(id);
      for (Reply reply : replies) {
        if (reply instanceof Reply.Acknowledged(var end)) {
          assertThat(end).isEqualTo(state(id).terminal());
        }
        if (reply instanceof Reply.Finished(var status)) {
          assertThat(status).isEqualTo(state(id).status());
        }
      }
      batch(complete(lease, "again"), handOver(lease));
      assertThat(dump(id)).isEqualTo(after);
      apply(cancel(id));
    }
  }

  @Test
  @DisplayName(
      "G2 G3 G4 G5 whatever happens at once, each execution ends once with what it recorded")
  void whateverHappensAtOnceEachExecutionEndsOnce() throws Exception {
    long seed = Seed.next();
    try {
      var workload = new Workload(24);
      backend.commit(workload.admissions());
      together(thread -> rounds(workload, new Random(seed + thread)));
      finish(workload, new Random(seed));
      workload.verify(this);
    } catch (Exception | AssertionError failed) {
      throw new AssertionError("-Dseed=" + seed + ": " + failed.getMessage(), failed);
    }
  }

  private int rounds(Workload workload, Random random) {
    int deliveries = 0;
    for (int round = 0; round < 60; round++) {
      apply(workload.operation(random));
      List<Claim> claims = claim(asking -> asking.withLimit(1 + random.nextInt(4))).claims();
      for (Claim claim : claims) {
        workload.deliver(this, claim, random);
        deliveries++;
      }
      passes(Duration.ofMillis(random.nextInt(random.nextInt(20) == 0 ? 60_000 : 1_000)));
    }
    return deliveries;
  }

  /// Delivers what is left, without faults, until all have ended.
  private void finish(Workload workload, Random random) {
    for (int round = 0; round < 200; round++) {
      for (String id : workload.ids()) {
        apply(new Command.Resume(id));
      }
      for (Claim claim : claim().claims()) {
        workload.deliverToTheEnd(this, claim, random);
      }
      if (backend.ends(workload.ids()).size() == workload.ids().size()) {
        return;
      }
      passes(Duration.ofMinutes(11));
    }
  }
}
