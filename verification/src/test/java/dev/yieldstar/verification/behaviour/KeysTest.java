package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Retry;
import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Step keys: which are taken, what they stand for, and what happens when code and record differ.
class KeysTest extends Behaviour {

  private static String codeOf(Throwable error) {
    return error instanceof YieldstarException known ? known.code() : error.getClass().getName();
  }

  @Test
  @DisplayName(
      "Y06 DET-04 a key that is used twice in a pass is an error that names it and the cure")
  void aKeyUsedTwiceIsAnError() {
    var charged = new AtomicInteger();
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            (step, none) -> {
              for (int i = 0; i < 3; i++) {
                step.run("charge", charged::incrementAndGet);
              }
            });
    var charge = start(node(workflow), workflow);

    assertThatThrownBy(() -> result(charge))
        .cause()
        .satisfies(e -> assertThat(codeOf(e)).isEqualTo("DUPLICATE_STEP_KEY"))
        .hasMessageContaining("'charge'")
        .hasMessageContaining("step.scope(\"item-\" + i)");
    assertThat(charged).hasValue(1);
  }

  @Test
  @DisplayName(
      "DET-04 a restart between the two uses changes nothing, nor does another kind of step")
  void aRestartBetweenTheTwoUses() {
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            String.class,
            (step, none) -> {
              step.run("charge", () -> "first");
              step.sleep("between", Duration.ofMinutes(1));
              var codes = new ArrayList<String>();
              try {
                codes.add(step.run("charge", () -> "second"));
              } catch (YieldstarException e) {
                codes.add(e.code());
              }
              try {
                step.sleep("charge", Duration.ZERO);
              } catch (YieldstarException e) {
                codes.add(e.code());
              }
              return String.join(" ", codes);
            });
    Node first = node(workflow);
    var charge = start(first, workflow);
    awaitAsleep(charge, "between");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));

    assertThat(result(second.client().execution(workflow, charge.id())))
        .isEqualTo("DUPLICATE_STEP_KEY DUPLICATE_STEP_KEY");
  }

  @Test
  @DisplayName("DET-04 scopes give each turn of a loop, and each call of a helper, keys of its own")
  void scopesGiveKeysOfTheirOwn() {
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            String.class,
            (step, none) -> {
              var results = new ArrayList<Integer>();
              for (int i = 0; i < 3; i++) {
                int item = i;
                results.add(step.scope("item-" + i).run("charge", () -> item));
              }
              results.add(helper(step.scope("first"), 10));
              results.add(helper(step.scope("second"), 20));
              return results.toString();
            });

    assertThat(result(start(node(workflow), workflow))).isEqualTo("[0, 1, 2, 10, 20]");
  }

  private static int helper(Steps step, int value) {
    return step.run("x", () -> value);
  }

  @Test
  void scopesAndSlashesAreToldApart() {
    var workflow =
        Workflow.of(
            "paths",
            Void.class,
            String.class,
            (step, none) -> {
              var seen = new ArrayList<String>();
              seen.add(step.run("a/b", () -> "key"));
              seen.add(step.scope("a").run("b", () -> "scope"));
              seen.add(step.scope("a%2Fb").run("c", () -> "escaped"));
              seen.add(step.scope("a/b").run("c", () -> "scope with slash"));
              seen.add(step.scope("a").scope("b").run("c", () -> "scopes"));
              seen.add(step.run("a%2Fb", () -> "percent"));
              seen.add(step.run("a/", () -> "ends with a slash"));
              return String.join(", ", seen);
            });
    var paths = start(node(workflow), workflow);

    assertThat(result(paths))
        .isEqualTo("key, scope, escaped, scope with slash, scopes, percent, ends with a slash");
    assertThat(journal(paths))
        .extracting(record -> record.key())
        .doesNotHaveDuplicates()
        .hasSize(7);
    assertThat(paths.journal())
        .extracting(StepView::key)
        .containsExactly("a/b", "a/b", "a%2Fb/c", "a/b/c", "a/b/c", "a%2Fb", "a/");
  }

  @Test
  @DisplayName("DET-07 keys up to 255 characters, of any script, are told apart exactly")
  void keysAreToldApartExactly() {
    var random = new StringBuilder();
    new Random(7).ints(255, 0x20, 0xD7FF).forEach(point -> random.append((char) point));
    List<String> keys =
        List.of(
            "a",
            "a ",
            " a",
            "A",
            "na\u00efve",
            "nai\u0308ve",
            "a/b?c#d%00",
            "'; DROP TABLE step; --",
            "\ud83d\ude00",
            "line\nbreak",
            "tab\t",
            "x".repeat(255),
            "\u4e2d".repeat(255),
            random.toString());
    var workflow =
        Workflow.of(
            "keys",
            Void.class,
            Integer.class,
            (step, none) -> {
              for (String key : keys) {
                step.run(key, () -> "of " + key);
              }
              step.sleep("wait", Duration.ofMinutes(1));
              var values = new HashSet<String>();
              return values.size();
            });
    Node first = node(workflow);
    var execution = start(first, workflow, "\ud83d\ude00 '; DROP \u4e2d ");
    awaitAsleep(execution, "wait");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));
    result(second.client().execution(workflow, execution.id()));

    var again = second.client().execution(workflow, execution.id());
    assertThat(again.journal().stream().limit(keys.size()).map(StepView::key))
        .containsExactlyElementsOf(keys);
    assertThat(again.journal().stream().limit(keys.size()).map(step -> step.value().orElseThrow()))
        .doesNotHaveDuplicates();
    assertThat(again.journal()).hasSize(keys.size() + 1);
  }

  @Test
  @DisplayName("DET-07 keys, ids and names that can't be kept are refused before any work is done")
  void whatCannotBeKeptIsRefused() {
    var bad = new ArrayList<>(List.of("", "nul\0", "lone \ud800", "lone \udc00", "$$mine", "a$$b"));
    for (int length : new int[] {256, 2_705, 10_000}) {
      bad.add("x".repeat(length));
    }
    var ran = new AtomicInteger();
    var workflow =
        Workflow.of(
            "keys",
            Void.class,
            String.class,
            (step, none) -> {
              var codes = new HashSet<String>();
              for (String key : bad) {
                List<Runnable> operations =
                    List.of(
                        () -> step.run(key, ran::incrementAndGet),
                        () -> step.sleep(key, Duration.ZERO),
                        () -> step.poll(key, Duration.ZERO, 1, () -> ran.incrementAndGet() > 0),
                        () -> step.now(key),
                        () -> step.scope(key),
                        () -> step.idempotencyKey(key));
                for (Runnable operation : operations) {
                  try {
                    operation.run();
                    codes.add("accepted " + key);
                  } catch (YieldstarException e) {
                    codes.add(e.code());
                  }
                }
              }
              return String.join(" ", codes);
            });
    Node node = node(workflow);

    assertThat(result(start(node, workflow))).isEqualTo("INVALID_STEP_KEY");
    assertThat(ran).hasValue(0);
    for (String id : bad) {
      assertThatThrownBy(() -> start(node, workflow, id))
          .satisfies(e -> assertThat(codeOf(e)).isEqualTo("INVALID_EXECUTION_ID"));
      var named = Workflow.of(id, Void.class, String.class);
      assertThatThrownBy(() -> start(node, named))
          .satisfies(e -> assertThat(codeOf(e)).isEqualTo("INVALID_START_PARAMETERS"));
    }
  }

  @Test
  @DisplayName("DET-07 scopes that are too long together are refused")
  void scopesTooLongTogetherAreRefused() {
    var workflow =
        Workflow.of(
            "deep",
            Void.class,
            String.class,
            (step, none) -> {
              Steps deep = step;
              for (int depth = 1; depth < 100; depth++) {
                try {
                  deep = deep.scope("\u4e2d".repeat(200));
                  int at = depth;
                  deep.run("x", () -> at);
                } catch (YieldstarException e) {
                  return e.code() + " at " + depth;
                }
              }
              return "never";
            });

    assertThat(result(start(node(workflow), workflow))).isEqualTo("INVALID_STEP_KEY at 4");
  }

  @Test
  @DisplayName(
      "Y06 DET-08 a key met by another kind of step blocks, and a repaired deploy finishes")
  void anotherKindBlocksUntilARepairedDeploy() {
    var declared = Workflow.of("deploy", Void.class, String.class);
    var v1 =
        declared
            .version("1")
            .body(
                (step, none) -> {
                  int a = step.run("a", () -> 41);
                  step.sleep("b", Duration.ofHours(1));
                  return "v1 " + a;
                });
    var v2 =
        declared
            .version("2")
            .body(
                (step, none) -> {
                  int a = step.run("a", () -> 0);
                  step.poll("b", Duration.ofHours(1), 3, () -> true);
                  return "v2 " + a;
                });
    var v3 =
        declared
            .version("3")
            .body(
                (step, none) -> {
                  String inserted = step.run("inserted", () -> "inserted");
                  int a = step.run("a", () -> 0);
                  step.sleep("b", Duration.ofHours(1));
                  return "v3 " + a + " " + inserted;
                });
    Node first = node(v1);
    var deploy = start(first, v1);
    awaitAsleep(deploy, "b");
    Node second = restart(first, v2);
    clock.advance(Duration.ofHours(1));
    var blocked = second.client().execution(v2, deploy.id());
    awaitBlocked(blocked);

    assertThat(blocked.view().attention())
        .hasValueSatisfying(
            why -> {
              assertThat(why.code()).isEqualTo("STEP_KIND_MISMATCH");
              assertThat(why.message())
                  .contains("'b'")
                  .contains("recorded as sleep")
                  .contains("now asks for poll");
            });
    assertThat(blocked.status()).isEqualTo(Status.SUSPENDED);
    assertThat(run(blocked).unacknowledged()).isZero();
    Node third = restart(second, v3);
    assertThat(result(third.client().execution(v3, deploy.id()))).isEqualTo("v3 41 inserted");
  }

  @Test
  @DisplayName(
      "Y06 DET-08 a record that is no value of the declared type blocks, and a rollback finishes")
  void anotherTypeBlocksUntilARollback() {
    var declared = Workflow.of("deploy", Void.class, String.class);
    var v1 =
        declared
            .version("1")
            .body(
                (step, none) -> {
                  int a = step.run("a", () -> 41);
                  step.sleep("b", Duration.ofHours(1));
                  return "v1 " + a;
                });
    var v2 =
        declared
            .version("2")
            .body(
                (step, none) -> {
                  String a = step.run("a", () -> "text");
                  step.sleep("b", Duration.ofHours(1));
                  return "v2 " + a;
                });
    Node first = node(v1);
    var deploy = start(first, v1);
    awaitAsleep(deploy, "b");
    Node second = restart(first, v2);
    clock.advance(Duration.ofHours(1));
    awaitBlocked(deploy(second, deploy.id()));

    assertThat(deploy(second, deploy.id()).view().attention())
        .hasValueSatisfying(
            why -> {
              assertThat(why.code()).isEqualTo("UNDECODABLE_VALUE");
              assertThat(why.message())
                  .contains("Step 'a'")
                  .contains("java.lang.Integer")
                  .contains("java.lang.String");
            });
    Node third = restart(second, v1);
    assertThat(result(third.client().execution(v1, deploy.id()))).isEqualTo("v1 41");
  }

  private static dev.yieldstar.Execution<?> deploy(Node node, String id) {
    return node.client().execution(id);
  }

  @Test
  @DisplayName("Y06 what is blocked without a version is tried again after ten minutes")
  void whatIsBlockedIsTriedAgain() {
    var declared = Workflow.of("deploy", Void.class, String.class);
    var passes = new AtomicInteger();
    var before =
        declared.body(
            (step, none) -> {
              step.sleep("b", Duration.ofHours(1));
              return "before";
            });
    var after =
        declared.body(
            (step, none) -> {
              passes.incrementAndGet();
              step.run("b", () -> {});
              return "after";
            });
    Node first = node(before);
    var deploy = start(first, before);
    awaitAsleep(deploy, "b");
    Node second = restart(first, after);
    clock.advance(Duration.ofHours(1));
    var blocked = second.client().execution(after, deploy.id());
    awaitBlocked(blocked);
    assertThat(blocked.view().due()).contains(clock.instant().plus(Duration.ofMinutes(10)));
    Node third = restart(second, before);
    clock.advance(Duration.ofMinutes(10));

    assertThat(result(third.client().execution(before, deploy.id()))).isEqualTo("before");
    assertThat(passes).hasValue(1);
  }

  @Test
  void idempotencyKeysAreTheSameInEveryAttemptAndDelivery() {
    var keys = new CopyOnWriteArrayList<String>();
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            (step, none) -> {
              keys.add(step.idempotencyKey("charge"));
              step.run(
                  "charge",
                  Retry.fixed(Duration.ofMinutes(1)),
                  attempt -> {
                    keys.add(attempt.idempotencyKey());
                    keys.add(step.idempotencyKey("charge"));
                    if (attempt.number() < 3) {
                      throw new IllegalStateException("not yet");
                    }
                    return attempt.number();
                  });
            });
    Node node = node(workflow);
    var charge = start(node, workflow);
    for (int i = 1; i < 3; i++) {
      awaitAsleep(charge, "charge");
      node = restart(node, workflow);
      charge = node.client().execution(workflow, charge.id());
      clock.advance(Duration.ofMinutes(1));
      int next = i + 1;
      var current = charge;
      eventually(() -> journal(current).size() == next);
    }
    result(charge);

    assertThat(keys).hasSize(9);
    assertThat(new HashSet<>(keys)).singleElement().asString().hasSize(32);
  }

  @Test
  void idempotencyKeysDifferBetweenStepsScopesAndExecutions() {
    var keys = new CopyOnWriteArrayList<String>();
    var workflow =
        Workflow.of(
            "charge",
            Void.class,
            (step, none) -> {
              keys.add(step.idempotencyKey("a"));
              keys.add(step.idempotencyKey("b"));
              keys.add(step.idempotencyKey("a/b"));
              keys.add(step.scope("a").idempotencyKey("b"));
            });
    Node node = node(workflow);
    result(start(node, workflow));
    result(start(node, workflow));

    assertThat(keys).hasSize(8).doesNotHaveDuplicates();
  }
}
