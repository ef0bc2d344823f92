package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Retry;
import dev.yieldstar.Steps;
import dev.yieldstar.TypeRef;
import dev.yieldstar.Workflow;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Calls that can't be meant as they stand: what the library says to them.
class MisuseTest extends Behaviour {
  private final AtomicInteger ran = new AtomicInteger();

  record Square(int side) {}

  record Circle(int radius) {}

  /// What a workflow may do, and throw.
  private interface Code {
    @Nullable Object run(Steps step) throws Exception;
  }

  /// The error that the code ends with.
  private Throwable errorOf(Code code) {
    var workflow =
        Workflow.of(
            "misuse",
            Void.class,
            (step, none) -> {
              code.run(step);
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    try {
      result(execution);
    } catch (YieldstarException e) {
      return Objects.requireNonNull(e.getCause());
    } finally {
      node.stop();
    }
    throw new AssertionError("it was accepted");
  }

  private static void assertError(Throwable error, String code, String... texts) {
    assertThat(error)
        .isInstanceOfSatisfying(YieldstarException.class, e -> assertThat(e.code()).isEqualTo(code))
        .message()
        .contains(texts);
  }

  @Test
  void anOperationInsideABodyIsRefused() {
    assertError(
        errorOf(step -> step.run("outer", () -> step.run("inner", ran::incrementAndGet))),
        "STEP_NESTED",
        "'inner'",
        "body of step 'outer'");
    assertError(
        errorOf(step -> step.run("outer", () -> step.now("inner"))), "STEP_NESTED", "'inner'");
    assertError(
        errorOf(
            step -> {
              step.run("outer", () -> step.sleep("inner", Duration.ZERO));
              return null;
            }),
        "STEP_NESTED",
        "'inner'");
    assertThat(ran).hasValue(0);
  }

  @Test
  void anOperationOnAForeignThreadIsRefused() {
    Code fromElsewhere =
        step -> {
          var errors = new CopyOnWriteArrayList<Exception>();
          Thread.ofPlatform()
              .name("elsewhere")
              .start(
                  () -> {
                    try {
                      step.run("charge", ran::incrementAndGet);
                    } catch (YieldstarException e) {
                      errors.add(e);
                    }
                  })
              .join();
          throw errors.getFirst();
        };

    assertError(errorOf(fromElsewhere), "STEP_FOREIGN_THREAD", "'charge'", "thread 'elsewhere'");
    assertThat(ran).hasValue(0);
  }

  @Test
  void whatRecordsNothingIsAllowedAnywhere() {
    var seen = new CopyOnWriteArrayList<String>();
    var workflow =
        Workflow.of(
            "ask",
            Void.class,
            (step, none) -> {
              step.run(
                  "outer",
                  () -> {
                    seen.add(step.execution().workflow());
                    seen.add(step.idempotencyKey("outer"));
                    step.logger().info("inside");
                  });
              Thread.ofPlatform()
                  .start(
                      () -> {
                        seen.add(step.execution().workflow());
                        seen.add(step.idempotencyKey("outer"));
                        step.logger().info("elsewhere");
                      })
                  .join();
            });
    result(start(node(workflow), workflow));

    assertThat(seen).hasSize(4);
    assertThat(seen.subList(0, 2)).isEqualTo(seen.subList(2, 4));
  }

  @Test
  void whatIsPassedAfterTheBodyIsRefused() {
    assertError(
        errorOf(
            step ->
                step.<Object, RuntimeException>run("charge", ran::incrementAndGet, Retry.never())),
        "STEP_ARGUMENTS",
        "'charge'",
        "options go between key and body");
    assertError(
        errorOf(
            step -> {
              step.run("charge", () -> {}, "more");
              return null;
            }),
        "STEP_ARGUMENTS",
        "[more]");
    assertThat(ran).hasValue(0);
  }

  @Test
  @SuppressWarnings("unchecked") // the warning is what a user would see
  void typesThatAreLostAtRunTimeAreRefusedBeforeTheBody() {
    assertError(
        errorOf(
            step ->
                step.run(
                    "lines",
                    () -> {
                      ran.incrementAndGet();
                      return List.of("tea");
                    })),
        "TYPE_NOT_REIFIED",
        "'lines'",
        "returns a List",
        "new TypeRef<>() {}");
    assertError(
        errorOf(
            step ->
                step.run("shape", () -> ran.incrementAndGet() > 0 ? new Square(1) : new Circle(2))),
        "TYPE_NOT_REIFIED",
        "'shape'",
        "what different types have in common");
    assertError(errorOf(step -> generic(step, new String[0])), "TYPE_NOT_REIFIED", "'generic'");
    assertError(errorOf(step -> ofVariable(step, List.of("a"))), "TYPE_NOT_REIFIED", "'variable'");
    assertThat(ran).hasValue(0);
  }

  @SuppressWarnings("unchecked")
  private <X> X[] generic(Steps step, X[] values) {
    return step.run(
        "generic",
        () -> {
          ran.incrementAndGet();
          return values;
        });
  }

  private <X> List<X> ofVariable(Steps step, List<X> values) {
    return step.run(
        "variable",
        new TypeRef<>() {},
        () -> {
          ran.incrementAndGet();
          return values;
        });
  }

  @Test
  @SuppressWarnings("unchecked")
  void aValueWhoseTypeTheCallDoesNotSayIsRefusedAfterTheBody() {
    assertError(
        errorOf(step -> ofAnything(step, new Square(1))),
        "INVALID_STEP_VALUE",
        "'any'",
        Square.class.getName(),
        "doesn't say its type");
    assertThat(ran).hasValue(1);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private <X> X ofAnything(Steps step, X value) {
    return step.run(
        "any",
        () -> {
          ran.incrementAndGet();
          return value;
        });
  }

  @Test
  void aTypeThatIsNoTypeIsRefusedWhereItIsMade() {
    assertThatThrownBy(() -> new RawRef())
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("TYPE_NOT_REIFIED"));
  }

  @SuppressWarnings({"rawtypes", "serial"})
  private static final class RawRef extends TypeRef {}

  @Test
  void registrationsThatCannotRunAreRefused() {
    var named = Workflow.of("named", String.class, String.class);
    var raw = Workflow.of("raw", List.class, String.class, (step, list) -> "");
    var bodied = named.body((step, name) -> name);

    assertRefused("WORKFLOW_WITHOUT_BODY", named);
    assertRefused("TYPE_NOT_REIFIED", raw);
    assertRefused("DUPLICATE_WORKFLOW", bodied, bodied);
    assertRefused("INVALID_WORKFLOW_NAME", Workflow.of("", Void.class, (step, none) -> {}));
    assertRefused("NOTHING_REGISTERED");
  }

  private static void assertRefused(String code, Workflow<?, ?>... workflows) {
    try (var backend = new MemoryBackend()) {
      assertThatThrownBy(() -> Yieldstar.on(backend).register(workflows).start())
          .isInstanceOfSatisfying(
              YieldstarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
  }
}
