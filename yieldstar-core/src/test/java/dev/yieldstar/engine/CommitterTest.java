package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;
import static dev.yieldstar.engine.Soon.stays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Group commit: what becomes of commands on their way to the backend.
final class CommitterTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final CapturedLog log = new CapturedLog();
  private final ScriptedBackend backend = new ScriptedBackend();
  private final List<Boolean> hints = Collections.synchronizedList(new ArrayList<>());
  private final Committer committer = new Committer(backend, hints::add);
  private final CountDownLatch hold = new CountDownLatch(1);

  @AfterEach
  void close() {
    hold.countDown();
    committer.close(Duration.ofSeconds(1));
    log.close();
  }

  /// Admits an execution and leases it.
  private Lease leased(long internal, String id) {
    Reply reply =
        committer
            .submit(
                new Command.Admit(
                    DispatcherRig.admission(internal, id).admission(),
                    Due.NOW,
                    new Command.Grant(internal + 1000, LEASE)))
            .join();
    return Objects.requireNonNull(((Reply.Admitted) reply).lease());
  }

  /// Makes the next commit wait, and waits until it does.
  private CompletableFuture<Reply> holdCommits() {
    int before = backend.batches.size();
    ScriptedBackend.CommitScript then = backend.onCommit;
    backend.onCommit =
        (batch, inner) -> {
          Uninterruptibly.await(hold);
          backend.onCommit = then;
          return then.commit(batch, inner);
        };
    CompletableFuture<Reply> first = committer.submit(new Command.Wake("nobody"));
    soon().until(() -> backend.batches.size() == before + 1);
    return first;
  }

  private static Command.RecordStep record(Lease lease, String key) {
    return DeliveryEndsTest.record(lease, key, 1);
  }

  private static Command.Acknowledge completed(Lease lease) {
    return new Command.Acknowledge(
        lease, new Command.Acknowledgement.Completed(ScriptedInvoker.payload("done")));
  }

  @Nested
  final class Batches {
    @Test
    void anIdleCommitterWaitsForNothing() {
      committer.submit(new Command.Wake("a")).join();
      committer.submit(new Command.Wake("b")).join();
      assertThat(backend.batches).hasSize(2);
    }

    @Test
    void whatComesWhileACommitIsUnderWayIsOneBatchInOrder() {
      holdCommits();
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        commands.add(new Command.Wake("e" + i));
        replies.add(committer.submit(commands.getLast()));
      }
      assertThat(replies).noneMatch(CompletableFuture::isDone);
      hold.countDown();
      replies.forEach(CompletableFuture::join);
      assertThat(backend.batches).hasSize(2).last().isEqualTo(commands);
    }

    @Test
    void eachCommandGetsItsOwnReply() {
      holdCommits();
      CompletableFuture<Reply> admitted = committer.submit(DispatcherRig.admission(1, "a"));
      CompletableFuture<Reply> wake = committer.submit(new Command.Wake("a"));
      CompletableFuture<Reply> nobody = committer.submit(new Command.Wake("b"));
      hold.countDown();
      assertThat(admitted.join()).isInstanceOf(Reply.Admitted.class);
      assertThat(wake.join()).isEqualTo(new Reply.Done());
      assertThat(nobody.join()).isEqualTo(new Reply.NotFound("b"));
    }

    @Test
    void aBatchIsBoundedInNumber() {
      holdCommits();
      CompletableFuture<?>[] replies = new CompletableFuture<?>[CommandQueue.MAX_BATCH + 1];
      for (int i = 0; i < replies.length; i++) {
        replies[i] = committer.submit(new Command.Wake("e" + i));
      }
      hold.countDown();
      CompletableFuture.allOf(replies).join();
      assertThat(backend.batches)
          .extracting(List::size)
          .containsExactly(1, CommandQueue.MAX_BATCH, 1);
    }

    @Test
    void aBatchIsBoundedInBytes() {
      Lease lease = leased(1, "a");
      holdCommits();
      int before = backend.batches.size();
      CompletableFuture<?>[] replies = new CompletableFuture<?>[5];
      for (int i = 0; i < replies.length; i++) {
        var large =
            new Command.Acknowledgement.Completed(ScriptedInvoker.payload("x".repeat(600_000)));
        replies[i] = committer.submit(new Command.Acknowledge(lease, large));
      }
      hold.countDown();
      CompletableFuture.allOf(replies).join();
      assertThat(backend.batches.subList(before, backend.batches.size()))
          .extracting(List::size)
          .containsExactly(2, 2, 1);
    }

    @Test
    void anExecutionAlwaysGoesThroughTheSameLane() {
      var wide = new ScriptedBackend(backend.inner, 4);
      var several = new Committer(wide, certain -> {});
      var lanes = new ConcurrentHashMap<Long, Set<String>>();
      wide.onCommit =
          (batch, inner) -> {
            for (Command command : batch) {
              lanes
                  .computeIfAbsent(
                      ((Command.Fenced) command).lease().execution(),
                      key -> ConcurrentHashMap.newKeySet())
                  .add(Thread.currentThread().getName());
            }
            return inner.commit(batch);
          };
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int turn = 0; turn < 5; turn++) {
        for (long execution = 1; execution <= 40; execution++) {
          replies.add(several.submit(record(new Lease(execution, 1, 1, 1), "s" + turn)));
        }
      }
      replies.forEach(CompletableFuture::join);
      several.close(Duration.ofSeconds(1));
      assertThat(lanes.values()).allMatch(of -> of.size() == 1);
      assertThat(lanes.values().stream().flatMap(Set::stream).distinct()).hasSize(4);
    }
  }

  @Nested
  final class Chains {
    private final Chain chain = new Chain();

    @Test
    void whatIsQueuedBehindALostRecordAnswersLostWithoutBeingSent() {
      Lease lease = leased(1, "a");
      Lease stale = new Lease(1, 1, 99, 99);
      holdCommits();
      CompletableFuture<Reply> lost = committer.submit(record(stale, "s1"), chain);
      CompletableFuture<Reply> sameBatch = committer.submit(record(lease, "s2"), chain);
      hold.countDown();
      assertThat(lost.join()).isEqualTo(new Reply.Lost());
      sameBatch.join();
      CompletableFuture<Reply> nextBatch = committer.submit(completed(lease), chain);
      assertThat(nextBatch.join()).isEqualTo(new Reply.Lost());
      assertThat(backend.sent(Command.Acknowledge.class)).isEmpty();
      assertThat(backend.find("a").orElseThrow().run()).isNotNull();
    }

    @Test
    void anAcknowledgementQueuedBehindARecordAnsweredWithAnotherValueIsLost() {
      Lease lease = leased(1, "a");
      committer.submit(record(lease, "s")).join();
      holdCommits();
      var other =
          new Command.RecordStep(
              lease,
              "s",
              1,
              1,
              StepKind.RUN,
              "",
              new StepEntry.Value(ScriptedInvoker.payload("other")),
              ManualClock.NOON,
              false);
      // So many between them that they land in two batches.
      CompletableFuture<Reply> first = committer.submit(other, chain);
      for (int i = 1; i < CommandQueue.MAX_BATCH; i++) {
        committer.submit(new Command.Wake("nobody"));
      }
      CompletableFuture<Reply> second = committer.submit(completed(lease), chain);
      hold.countDown();
      assertThat(first.join())
          .isInstanceOfSatisfying(
              Reply.Recorded.class, recorded -> assertThat(recorded.asSent()).isFalse());
      assertThat(second.join()).isEqualTo(new Reply.Lost());
      assertThat(backend.sent(Command.Acknowledge.class)).isEmpty();
    }

    @Test
    void aCancellationDoesNotBreakTheChain() {
      Lease lease = leased(1, "a");
      committer.submit(new Command.Cancel("a", "enough")).join();
      assertThat(committer.submit(record(lease, "s"), chain).join())
          .isEqualTo(new Reply.CancelledBefore("enough"));
      assertThat(committer.submit(completed(lease), chain).join())
          .isInstanceOf(Reply.Acknowledged.class);
    }

    @Test
    void releasesAndRenewalsGoOnWhenAChainIsBroken() {
      Lease lease = leased(1, "a");
      chain.tear();
      assertThat(committer.submitUrgent(new Command.Renew(lease, LEASE)).join())
          .isInstanceOf(Reply.Renewed.class);
      assertThat(
              committer
                  .submit(new Command.Release(lease, new Command.ReleaseReason.Failed()))
                  .join())
          .isEqualTo(new Reply.Released());
    }
  }

  @Nested
  final class RefusedData {
    private final List<Lease> leases = new ArrayList<>();
    private final List<Chain> chains = new ArrayList<>();

    private void refuse(Predicate<Command.RecordStep> bad) {
      backend.onCommit =
          (batch, inner) -> {
            boolean refused =
                batch.stream()
                    .anyMatch(each -> each instanceof Command.RecordStep step && bad.test(step));
            if (refused) {
              throw ScriptedBackend.refusedData();
            }
            return inner.commit(batch);
          };
    }

    @Test
    void aBatchIsSplitBetweenChainsAndNeighboursAreUntouched() {
      for (int i = 0; i < 8; i++) {
        leases.add(leased(i + 1, "e" + i));
        chains.add(new Chain());
      }
      refuse(step -> step.lease().execution() == 4 && step.stepKey().equals("s1"));
      holdCommits();
      List<List<CompletableFuture<Reply>>> replies = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        replies.add(new ArrayList<>());
        for (int step = 0; step < 3; step++) {
          replies.get(i).add(committer.submit(record(leases.get(i), "s" + step), chains.get(i)));
        }
        replies.get(i).add(committer.submit(completed(leases.get(i)), chains.get(i)));
      }
      hold.countDown();
      for (int i = 0; i < 8; i++) {
        if (i != 3) {
          assertThat(replies.get(i).getLast().join()).isInstanceOf(Reply.Acknowledged.class);
        }
      }
      List<CompletableFuture<Reply>> failing = replies.get(3);
      assertThat(failing.get(0).join()).isInstanceOf(Reply.Recorded.class);
      assertThat(failing.get(1))
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .isInstanceOfSatisfying(
              BackendException.class,
              e -> assertThat(e.fault()).isEqualTo(BackendException.Fault.DATA));
      assertThat(failing.get(2).join()).isEqualTo(new Reply.Lost());
      assertThat(failing.get(3).join()).isEqualTo(new Reply.Lost());
      assertThat(backend.find("e3").orElseThrow().terminal()).isNull();
    }

    @Test
    void theWholeChainsOfOthersStayWholeWhileABatchIsSplit() {
      for (int i = 0; i < 5; i++) {
        leases.add(leased(i + 1, "e" + i));
        chains.add(new Chain());
      }
      refuse(step -> step.lease().execution() == 5);
      holdCommits();
      int before = backend.batches.size();
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 5; i++) {
          replies.add(committer.submit(record(leases.get(i), "s" + step), chains.get(i)));
        }
      }
      hold.countDown();
      replies.forEach(reply -> reply.handle((r, e) -> r).join());
      for (List<Command> batch : backend.batches.subList(before, backend.batches.size())) {
        for (Lease lease : leases.subList(0, 4)) {
          long of =
              batch.stream().filter(each -> ((Command.Fenced) each).lease().equals(lease)).count();
          assertThat(of).isIn(0L, 3L);
        }
      }
    }

    @Test
    void whatFailedAsDataBreaksItsChainForLaterBatchesToo() {
      Lease lease = leased(1, "a");
      var chain = new Chain();
      refuse(step -> true);
      assertThat(committer.submit(record(lease, "s"), chain)).failsWithin(Duration.ofSeconds(5));
      assertThat(committer.submit(completed(lease), chain).join()).isEqualTo(new Reply.Lost());
      assertThat(backend.sent(Command.Acknowledge.class)).isEmpty();
    }
  }

  @Nested
  final class Outages {
    @Test
    void aCommitThatIsUncertainIsSentAgainAsItIsAndRecognised() {
      Lease lease = leased(1, "a");
      var failures = new AtomicInteger();
      backend.onCommit =
          (batch, inner) -> {
            List<Reply> replies = inner.commit(batch);
            if (failures.incrementAndGet() <= 2) {
              throw ScriptedBackend.unavailable();
            }
            return replies;
          };
      var chain = new Chain();
      int before = backend.batches.size();
      assertThat(committer.submit(record(lease, "s"), chain).join())
          .isInstanceOfSatisfying(
              Reply.Recorded.class, recorded -> assertThat(recorded.asSent()).isTrue());
      assertThat(committer.submit(completed(lease), chain).join())
          .isInstanceOfSatisfying(
              Reply.Acknowledged.class, reply -> assertThat(reply.end()).isNotNull());
      assertThat(backend.batches.subList(before, before + 3))
          .containsOnly(backend.batches.get(before));
      assertThat(backend.sent(Command.Acknowledge.class)).hasSize(1);
    }

    @Test
    void anOutcomeWhoseCommitIsUncertainIsAnsweredAsTheFirstTime() {
      Lease lease = leased(1, "a");
      var lostReplies = new AtomicInteger(1);
      backend.onCommit =
          (batch, inner) -> {
            List<Reply> replies = inner.commit(batch);
            if (lostReplies.getAndDecrement() > 0) {
              throw ScriptedBackend.unavailable();
            }
            return replies;
          };
      assertThat(committer.submit(completed(lease)).join())
          .isEqualTo(new Reply.Acknowledged(backend.find("a").orElseThrow().terminal()));
    }

    @Test
    void itBacksOffAndLogsOneLineAPeriod() {
      var failures = new AtomicInteger();
      backend.onCommit =
          (batch, inner) -> {
            if (failures.incrementAndGet() <= 6) {
              throw ScriptedBackend.unavailable();
            }
            return inner.commit(batch);
          };
      long began = System.nanoTime();
      committer.submit(new Command.Wake("a")).join();
      // Pauses of at least half of 10, 20, 40, 80, 160 and 320 ms.
      assertThat(System.nanoTime() - began).isGreaterThan(Duration.ofMillis(315).toNanos());
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("could not be committed", "tried again");
    }

    @Test
    void anUnforeseenFailureFailsItsBatchAndTheLaneLivesOn() {
      Lease lease = leased(1, "a");
      var chain = new Chain();
      ScriptedBackend.CommitScript healthy = backend.onCommit;
      backend.onCommit =
          (batch, inner) -> {
            throw new IllegalStateException("scripted");
          };
      assertThat(committer.submit(record(lease, "s"), chain))
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("scripted");
      backend.onCommit = healthy;
      assertThat(committer.submit(new Command.Wake("a")).join()).isEqualTo(new Reply.Done());
      assertThat(log.errors()).singleElement().asString().contains("not foreseen");
      // Whether it was applied is not known: nothing of its chain is sent after it.
      assertThat(committer.submit(completed(lease), chain).join()).isEqualTo(new Reply.Lost());
    }

    @Test
    void aBackendThatAnswersTooLittleFailsTheBatch() {
      backend.onCommit = (batch, inner) -> List.of();
      assertThat(committer.submit(new Command.Wake("a"))).failsWithin(Duration.ofSeconds(5));
      backend.onCommit = (batch, inner) -> inner.commit(batch);
      assertThat(committer.submit(new Command.Wake("a")).join()).isEqualTo(new Reply.NotFound("a"));
    }
  }

  @Nested
  final class BackPressure {
    private void fill() {
      holdCommits();
      for (int i = 0; i < CommandQueue.CAPACITY; i++) {
        committer.submit(new Command.Wake("nobody"));
      }
    }

    @Test
    void whoSubmitsToAFullQueueWaitsForRoom() {
      fill();
      CompletableFuture<CompletableFuture<Reply>> next =
          CompletableFuture.supplyAsync(() -> committer.submit(new Command.Wake("last")));
      stays(() -> !next.isDone());
      hold.countDown();
      assertThat(next.thenCompose(reply -> reply))
          .succeedsWithin(Duration.ofSeconds(10))
          .isEqualTo(new Reply.NotFound("last"));
    }

    @Test
    void whoWaitsForRoomOnlySoLongHasSubmittedNothing() {
      fill();
      assertThat(committer.submit(new Command.Wake("last"), Duration.ofMillis(10)))
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .isInstanceOfSatisfying(
              YieldstarException.class, e -> assertThat(e.code()).isEqualTo("BACKEND_BUSY"));
      hold.countDown();
      assertThat(committer.submit(new Command.Wake("probe")).join())
          .isEqualTo(new Reply.NotFound("probe"));
      assertThat(backend.sent(Command.Wake.class)).doesNotContain(new Command.Wake("last"));
    }

    @Test
    void urgentCommandsGoFirstAlsoWhereTheQueueIsFull() {
      Lease lease = leased(1, "a");
      fill();
      CompletableFuture<Reply> renewal = committer.submitUrgent(new Command.Renew(lease, LEASE));
      int before = backend.batches.size();
      hold.countDown();
      assertThat(renewal.join()).isInstanceOf(Reply.Renewed.class);
      assertThat(backend.batches.get(before)).startsWith(new Command.Renew(lease, LEASE));
    }

    @Test
    void aLaneThatSubmitsNeverWaitsForItself() {
      holdCommits();
      CompletableFuture<Reply> first = committer.submit(new Command.Wake("first"));
      var second = new CompletableFuture<Reply>();
      // As a start does whose internal id is taken, and a hand-over of what was born too late.
      first.thenRun(
          () -> {
            for (int i = 0; i <= CommandQueue.CAPACITY; i++) {
              committer.submit(new Command.Wake("more"));
            }
            committer.submit(new Command.Wake("last")).thenAccept(second::complete);
          });
      hold.countDown();
      assertThat(second)
          .succeedsWithin(Duration.ofSeconds(10))
          .isEqualTo(new Reply.NotFound("last"));
    }
  }

  @Nested
  final class Closing {
    @Test
    void whatWasSubmittedIsCommittedAndWhatComesLaterFails() {
      holdCommits();
      CompletableFuture<Reply> before = committer.submit(DispatcherRig.admission(1, "a"));
      CompletableFuture<Void> closing =
          CompletableFuture.runAsync(() -> committer.close(Duration.ofSeconds(10)));
      soon().until(() -> committer.submit(new Command.Wake("probe")).isCompletedExceptionally());
      CompletableFuture<Reply> after = committer.submit(DispatcherRig.admission(2, "b"));
      CompletableFuture<Reply> urgentAfter =
          committer.submitUrgent(new Command.Renew(new Lease(1, 1, 1, 1), LEASE));
      hold.countDown();
      assertThat(closing).succeedsWithin(Duration.ofSeconds(10));
      assertThat(before.join()).isInstanceOf(Reply.Admitted.class);
      assertClosed(after, BackendException.Fault.CLOSED);
      assertClosed(urgentAfter, BackendException.Fault.CLOSED);
      assertThat(backend.find("b")).isEmpty();
    }

    @Test
    void whatTheBackendDoesNotTakeIsGivenUpAfterTheLimit() {
      backend.onCommit =
          (batch, inner) -> {
            throw ScriptedBackend.unavailable();
          };
      CompletableFuture<Reply> stuck = committer.submit(new Command.Wake("a"));
      committer.close(Duration.ofMillis(50));
      assertClosed(stuck, BackendException.Fault.UNAVAILABLE);
    }

    @Test
    void nobodyWaitsForEverForABackendThatHangs() {
      CompletableFuture<Reply> hanging = holdCommits();
      CompletableFuture<Reply> behind = committer.submit(new Command.Wake("a"));
      committer.close(Duration.ofMillis(50));
      assertClosed(hanging, BackendException.Fault.UNAVAILABLE);
      assertClosed(behind, BackendException.Fault.CLOSED);
    }

    @Test
    void anInterruptDoesNotCutItShort() {
      holdCommits();
      CompletableFuture<Reply> before = committer.submit(DispatcherRig.admission(1, "a"));
      CompletableFuture<Boolean> closing =
          CompletableFuture.supplyAsync(
              () -> {
                Thread.currentThread().interrupt();
                committer.close(Duration.ofSeconds(10));
                return Thread.interrupted();
              });
      stays(() -> !closing.isDone());
      hold.countDown();
      assertThat(closing).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
      assertThat(before.join()).isInstanceOf(Reply.Admitted.class);
    }

    private void assertClosed(CompletableFuture<Reply> reply, BackendException.Fault fault) {
      assertThat(reply)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .isInstanceOfSatisfying(
              BackendException.class, e -> assertThat(e.fault()).isEqualTo(fault));
    }
  }

  @Nested
  final class Hints {
    @Test
    void aCommitSaysWhetherSomethingIsDueOrMayBe() {
      committer.submit(DispatcherRig.admission(1, "due")).join();
      soon().until(() -> hints.equals(List.of(true)));
      hints.clear();

      Lease lease = leased(2, "born");
      committer.submit(record(lease, "s")).join();
      committer.submit(new Command.Renew(lease, LEASE)).join();
      committer.submit(new Command.Wake("nobody")).join();
      assertThat(hints).as("nothing became due").isEmpty();

      committer.submit(completed(lease)).join();
      committer
          .submit(
              new Command.Admit(
                  DispatcherRig.admission(3, "later").admission(),
                  new Due.After(Duration.ofHours(1)),
                  null))
          .join();
      soon().until(() -> hints.size() == 2);
      assertThat(hints).as("whoever waits for it, or later").containsOnly(false);
      hints.clear();

      Lease other = leased(4, "other");
      committer.submit(new Command.Wake("due")).join();
      committer.submit(new Command.Release(other, new Command.ReleaseReason.HandedOver())).join();
      soon().until(() -> hints.size() == 2);
      assertThat(hints).containsOnly(true);
    }
  }

  @Test
  void repeatedFailuresAreLoggedOnceAPeriodWithTheirNumber() {
    var lines = new ArrayList<Integer>();
    var period = new LogPeriod(Duration.ofMillis(50));
    period.log(lines::add);
    period.log(lines::add);
    period.log(lines::add);
    soon()
        .until(
            () -> {
              period.log(lines::add);
              return lines.size() == 2;
            });
    assertThat(lines.getFirst()).isZero();
    assertThat(lines.getLast()).isGreaterThanOrEqualTo(2);
  }
}
