package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.Coded;
import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.RecordedFailure;
import dev.yieldstar.Retry;
import dev.yieldstar.StepView;
import dev.yieldstar.Steps;
import dev.yieldstar.TypeRef;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Values as workflow code sees them: live, and again after a restart.
class ValuesTest extends Behaviour {
  private final AtomicInteger bodies = new AtomicInteger();

  /// What a workflow's code sees of its steps.
  private interface Look<T extends @Nullable Object> {
    T at(Steps steps) throws Exception;
  }

  /// What the code saw on its first run, on a replay in the same process, and after a restart.
  private <T extends @Nullable Object> List<T> seenBy(Look<T> look) {
    var seen = new CopyOnWriteArrayList<Optional<T>>();
    var workflow =
        Workflow.of(
            "look",
            Void.class,
            (step, none) -> {
              seen.add(Optional.ofNullable(look.at(step)));
              step.sleep("first", Duration.ofMinutes(1));
              step.sleep("second", Duration.ofMinutes(1));
            });
    Node node = node(workflow);
    var execution = start(node, workflow);
    awaitAsleep(execution, "first");
    clock.advance(Duration.ofMinutes(1));
    awaitAsleep(execution, "second");
    node = restart(node, workflow);
    clock.advance(Duration.ofMinutes(1));
    result(node.client().execution(workflow, execution.id()));
    node.stop();
    assertThat(seen).hasSize(3);
    return seen.stream().map(ValuesTest::orNull).toList();
  }

  @SuppressWarnings("NullAway")
  private static <T extends @Nullable Object> T orNull(Optional<T> value) {
    return value.orElse(null);
  }

  private <T> T counted(T value) {
    bodies.incrementAndGet();
    return value;
  }

  record Line(String sku, int quantity) {}

  record Result<T>(@Nullable T ok, @Nullable String error) {}

  @Test
  @DisplayName(
      "COD-01 lists, maps of lists and generic records of records come back as what they were")
  void genericContainersComeBack() {
    var lines = List.of(new Line("a", 1), new Line("b", 2));
    assertThat(
            seenBy(
                step -> {
                  List<Line> list = step.run("list", new TypeRef<>() {}, () -> counted(lines));
                  Map<String, List<Line>> map =
                      step.run("map", new TypeRef<>() {}, () -> counted(Map.of("k", lines)));
                  Result<List<Line>> result =
                      step.run(
                          "result", new TypeRef<>() {}, () -> counted(new Result<>(lines, null)));
                  assertThat(list.get(1).quantity()).isEqualTo(2);
                  assertThat(map.get("k")).isEqualTo(lines);
                  assertThat(Objects.requireNonNull(result.ok()).get(1).quantity()).isEqualTo(2);
                  return list;
                }))
        .containsExactly(lines, lines, lines);
    assertThat(bodies).hasValue(3);
  }

  record Address(String city) {}

  record Nothing() {}

  record Account(String name, Optional<String> email, Address address, Nothing nothing) {
    Account {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a name is not blank");
      }
    }
  }

  @Test
  @DisplayName(
      "COD-02 records with compact constructors, nested and empty ones: as params, step value and result")
  void recordsComeBack() {
    var account = new Account("Ada", Optional.of("a@b"), new Address("London"), new Nothing());
    var workflow =
        Workflow.of(
            "account",
            Account.class,
            Account.class,
            (step, given) -> {
              Account stored = step.run("store", () -> given);
              step.sleep("wait", Duration.ofMinutes(1));
              assertThat(stored).isEqualTo(given);
              return stored;
            });
    Node first = node(workflow);
    var execution = first.client().start(workflow, account);
    awaitAsleep(execution, "wait");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));

    assertThat(result(second.client().execution(workflow, execution.id()))).isEqualTo(account);
  }

  record LenientAccount(String name) {}

  @Test
  @DisplayName(
      "COD-02 a stored value that its constructor now refuses blocks, naming step or params, and crashes nothing")
  void whatAConstructorRefusesBlocks() {
    record Strict(String name) {
      Strict {
        if (name.isBlank()) {
          throw new IllegalArgumentException("a name is not blank");
        }
      }
    }
    var before =
        Workflow.of(
            "account",
            LenientAccount.class,
            (step, given) -> {
              step.run("store", () -> new LenientAccount(" "));
              step.sleep("wait", Duration.ofMinutes(1));
            });
    var strictStep =
        Workflow.of(
            "account",
            LenientAccount.class,
            (step, given) -> {
              step.run("store", () -> new Strict("x"));
              step.sleep("wait", Duration.ofMinutes(1));
            });
    var strictParams = Workflow.of("account", Strict.class, (step, given) -> {});
    Node first = node(before);
    var execution = first.client().start(before, new LenientAccount(" "));
    awaitAsleep(execution, "wait");
    Node second = restart(first, strictStep);
    clock.advance(Duration.ofMinutes(1));
    awaitBlocked(second.client().execution(execution.id()));
    String inStep =
        second.client().execution(execution.id()).view().attention().orElseThrow().message();
    Node third = restart(second, strictParams);
    clock.advance(Duration.ofMinutes(10));
    var params = third.client().execution(execution.id());
    eventually(
        () ->
            !run(params).leased()
                && params.view().attention().orElseThrow().message().contains("params"));
    String inParams = params.view().attention().orElseThrow().message();

    assertThat(inStep).contains("Step 'store'").contains("a name is not blank");
    assertThat(inParams).contains("a name is not blank");
  }

  @Test
  @DisplayName("COD-04 arrays come back with the same class and elements; -0.0 becomes 0.0")
  void arraysComeBack() {
    Object[] expected = {
      new double[] {0.0, Double.MIN_VALUE, 1e300},
      new byte[] {0, -1, 127},
      new long[][] {{1}, {}, {Long.MIN_VALUE}},
      new char[] {'a', '\u4e2d', '"'},
      new String[] {"a", ""},
      new Line[] {new Line("a", 1)}
    };
    List<List<Object>> seen =
        seenBy(
            step ->
                List.<Object>of(
                    step.run("doubles", () -> new double[] {-0.0, Double.MIN_VALUE, 1e300}),
                    step.run("bytes", () -> new byte[] {0, -1, 127}),
                    step.run("longs", () -> new long[][] {{1}, {}, {Long.MIN_VALUE}}),
                    step.run("chars", () -> new char[] {'a', '\u4e2d', '"'}),
                    step.run("texts", () -> new String[] {"a", ""}),
                    step.run("lines", () -> new Line[] {new Line("a", 1)})));

    for (List<Object> each : seen) {
      assertThat(Arrays.deepEquals(each.toArray(), expected)).isTrue();
      for (int i = 0; i < expected.length; i++) {
        assertThat(each.get(i)).isExactlyInstanceOf(expected[i].getClass());
      }
    }
  }

  @Test
  @DisplayName(
      "COD-04 NaN and infinities are recorded as the step's error, and its body does not run again")
  void nanIsTheStepsError() {
    for (double bad :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      bodies.set(0);
      assertThat(seenBy(step -> codeOf(() -> step.run("measure", () -> counted(bad)))))
          .containsExactly(
              "INVALID_STEP_VALUE measure",
              "INVALID_STEP_VALUE measure",
              "INVALID_STEP_VALUE measure");
      assertThat(bodies).hasValue(1);
    }
  }

  private static String codeOf(Runnable code) {
    try {
      code.run();
      return "accepted";
    } catch (InvalidStepValue e) {
      return e.code() + " " + e.stepKey();
    }
  }

  @Test
  @DisplayName("COD-09 NUL in values, keys of maps and params comes back exactly")
  void nulComesBack() {
    var workflow =
        Workflow.of(
            "nul",
            String.class,
            String.class,
            (step, text) -> {
              Map<String, String> map =
                  step.run("map", new TypeRef<>() {}, () -> counted(Map.of("k\0", "a\0b")));
              return text + "|" + map.get("k\0") + "|" + step.run("text", () -> counted("\0"));
            });
    Node node = node(workflow);

    assertThat(result(node.client().start(workflow, "p\0"))).isEqualTo("p\0|a\0b|\0");
    assertThat(bodies).hasValue(2);
  }

  /// An error whose code has a NUL in it.
  public static final class Odd extends IllegalStateException implements Coded {
    private static final long serialVersionUID = 1;

    public Odd(String message, Throwable cause) {
      super(message, cause);
    }

    @Override
    public String code() {
      return "ODD\0";
    }
  }

  @Test
  @DisplayName(
      "COD-10 NUL in an error's message, code and cause: failed after one attempt, and readable")
  void nulInAnError() {
    var workflow =
        Workflow.of(
            "nul",
            Void.class,
            (step, none) -> {
              step.run(
                  "break",
                  () -> {
                    bodies.incrementAndGet();
                    throw new Odd("bad \0 byte", new IllegalArgumentException("cause \0"));
                  });
            });
    Node node = node(workflow);
    var execution = start(node, workflow);

    assertThatThrownBy(() -> result(execution))
        .hasMessageContaining("bad \ufffd byte")
        .cause()
        .hasMessage("bad \ufffd byte")
        .isInstanceOfSatisfying(
            RecordedFailure.class, e -> assertThat(e.originalCode()).contains("ODD\ufffd"))
        .cause()
        .hasMessage("cause \ufffd");
    assertThat(bodies).hasValue(1);
    assertThat(state(execution).ended().token()).isEqualTo(1);
  }

  @Test
  @DisplayName("COD-12 text that only looks like an escape comes back character by character")
  void whatLooksLikeAnEscape() {
    List<String> texts =
        List.of("[^\\ud800-\\udfff]", "C:\\u0000.txt", "\\\\u0000", "\\", "\"\\\"");
    assertThat(texts.get(0)).hasSize(16);

    assertThat(
            seenBy(
                step ->
                    step.<List<String>, RuntimeException>run(
                        "texts", new TypeRef<>() {}, () -> texts)))
        .containsExactly(texts, texts, texts);
  }

  sealed interface Shape permits Round, Square {}

  record Round(int size) implements Shape {}

  record Square(int size) implements Shape {}

  @Test
  @DisplayName("COD-22 a sealed value keeps its subtype wherever it stands")
  void aSealedValueKeepsItsSubtype() {
    List<Object> expected =
        List.of(new Square(1), List.of(new Round(2), new Square(3)), Map.of("k", new Round(4)));
    assertThat(
            seenBy(
                step -> {
                  Shape shape = step.run("shape", Shape.class, () -> new Square(1));
                  List<Shape> list =
                      step.run(
                          "list", new TypeRef<>() {}, () -> List.of(new Round(2), new Square(3)));
                  Map<String, Shape> map =
                      step.run("map", new TypeRef<>() {}, () -> Map.of("k", new Round(4)));
                  return List.<Object>of(shape, list, map);
                }))
        .containsExactly(expected, expected, expected);
  }

  sealed interface Later permits Later.Round {
    record Round(int size) implements Later {}
  }

  @Test
  @DisplayName("COD-22 a subtype that was removed blocks, by its name, until it is back")
  void aRemovedSubtypeBlocks() {
    var before = shapes(Shape.class, new Square(1));
    var after = shapes(Later.class, new Later.Round(1));
    Node first = node(before.version("1"));
    var execution = start(first, before);
    awaitAsleep(execution, "wait");
    Node second = restart(first, after.version("2"));
    clock.advance(Duration.ofMinutes(1));
    var blocked = second.client().execution(execution.id());
    awaitBlocked(blocked);

    assertThat(blocked.view().attention().orElseThrow().message())
        .contains("'shape'")
        .contains("Square");
    Node third = restart(second, before.version("3"));
    assertThat(result(third.client().execution(before, execution.id())))
        .isEqualTo("Square[size=1]");
  }

  private static <T> Workflow<Void, String> shapes(Class<T> type, T shape) {
    return Workflow.of(
        "shapes",
        Void.class,
        String.class,
        (step, none) -> {
          T recorded = step.run("shape", type, () -> shape);
          step.sleep("wait", Duration.ofMinutes(1));
          return String.valueOf(recorded);
        });
  }

  record Maybe(Optional<Instant> at) {}

  @Test
  @DisplayName("COD-05 empty Optionals come back as such, never as null")
  void emptyOptionalsComeBack() {
    List<Object> expected =
        List.of(
            Optional.empty(),
            Optional.of(""),
            new Maybe(Optional.empty()),
            new Maybe(Optional.of(Instant.EPOCH)),
            List.of(Optional.empty(), Optional.of(1)));
    assertThat(
            seenBy(
                step -> {
                  Optional<String> empty =
                      step.run("empty", new TypeRef<>() {}, () -> Optional.empty());
                  Optional<String> blank =
                      step.run("blank", new TypeRef<>() {}, () -> Optional.of(""));
                  Maybe none = step.run("none", () -> new Maybe(Optional.empty()));
                  Maybe some = step.run("some", () -> new Maybe(Optional.of(Instant.EPOCH)));
                  List<Optional<Integer>> list =
                      step.run(
                          "list",
                          new TypeRef<>() {},
                          () -> List.of(Optional.<Integer>empty(), Optional.of(1)));
                  return List.<Object>of(empty, blank, none, some, list);
                }))
        .containsExactly(expected, expected, expected);
  }

  @Test
  @DisplayName("COD-05 null where an Optional is declared is refused when it is recorded")
  void nullOptionalsAreRefused() {
    assertThat(
            seenBy(
                step ->
                    codeOf(
                            () ->
                                step.run(
                                    "null", new TypeRef<Optional<String>>() {}, () -> nothing()))
                        + ", "
                        + codeOf(() -> step.run("field", () -> new Maybe(nothing())))))
        .containsOnly("INVALID_STEP_VALUE null, INVALID_STEP_VALUE field");
  }

  @Test
  @DisplayName("COD-20 null and empty values are records: each body runs once over restarts")
  void nullAndEmptyValuesAreRecords() {
    assertThat(
            seenBy(
                step -> {
                  String nothing = step.run("null", () -> counted(Behaviour.<String>nothing()));
                  String empty = step.run("empty", () -> counted(""));
                  step.run("void", () -> counted("ignored").length());
                  List<String> list =
                      step.run("list", new TypeRef<>() {}, () -> counted(List.of()));
                  Map<String, Integer> map =
                      step.run("map", new TypeRef<>() {}, () -> counted(Map.of()));
                  step.run("none", Void.class, () -> counted(Behaviour.<Void>nothing()));
                  return nothing + "|" + empty + "|" + list + "|" + map;
                }))
        .containsOnly("null||[]|{}");
    assertThat(bodies).hasValue(6);
  }

  @Test
  @DisplayName(
      "COD-21 a value beyond the limit is recorded as the step's error, once, with limit and key")
  void aValueBeyondTheLimit() {
    var workflow =
        Workflow.of(
            "large",
            Void.class,
            String.class,
            (step, none) -> {
              String fits = step.run("fits", () -> counted("x".repeat(4_000)));
              try {
                return step.run(
                    "large",
                    Retry.fixed(Duration.ofSeconds(1)).forever(),
                    () -> counted("x".repeat(4_100)));
              } catch (InvalidStepValue e) {
                step.sleep("wait", Duration.ofMinutes(1));
                return fits.length() + " " + e.code() + " " + e.stepKey() + " " + e.getMessage();
              }
            });
    Node first = node(builder -> builder.maxPayload(4_096), workflow);
    var execution = start(first, workflow);
    awaitAsleep(execution, "wait");
    first.stop();
    Node second = node(builder -> builder.maxPayload(4_096), workflow);
    clock.advance(Duration.ofMinutes(1));

    assertThat(result(second.client().execution(workflow, execution.id())))
        .startsWith("4000 PAYLOAD_TOO_LARGE large Step 'large' of execution '" + execution.id())
        .contains("4,096");
    assertThat(bodies).hasValue(2);
    assertThat(second.client().execution(execution.id()).journal())
        .extracting(StepView::key, StepView::state)
        .contains(org.assertj.core.groups.Tuple.tuple("large", StepView.State.FAILED));
  }

  @Test
  @DisplayName("COD-21 a value of hundreds of megabytes is refused, and what comes after it runs")
  void aHugeValue() {
    assertThat(
            seenBy(
                step -> {
                  String code =
                      codeOf(() -> step.run("huge", () -> counted("x".repeat(200 * 1024 * 1024))));
                  return code + " " + step.run("after", () -> "after");
                }))
        .containsOnly("PAYLOAD_TOO_LARGE huge after");
    assertThat(bodies).hasValue(1);
  }

  @Test
  @DisplayName("COD-21 params and context beyond the limit are refused before anything is kept")
  void paramsBeyondTheLimit() {
    var workflow = Workflow.of("text", String.class, (step, text) -> {});
    Node node = node(builder -> builder.maxPayload(4_096), workflow);
    var large = dev.yieldstar.StartOptions.id("large");

    assertThatThrownBy(() -> node.client().start(workflow, "x".repeat(5_000), large))
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo("PAYLOAD_TOO_LARGE"))
        .hasMessageContaining("4,096");
    assertThatThrownBy(
            () -> node.client().start(workflow, "x", large.context(Map.of("k", "x".repeat(5_000)))))
        .hasMessageContaining("context");
    assertThatThrownBy(() -> node.client().execution("large").status())
        .hasMessageContaining("no execution");
  }
}
