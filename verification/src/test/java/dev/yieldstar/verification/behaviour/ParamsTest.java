package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.yieldstar.Execution;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Status;
import dev.yieldstar.TypeRef;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Codec;
import dev.yieldstar.codec.Payload;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What executions are started with: params and context.
class ParamsTest extends Behaviour {

  record Empty() {}

  record Name(@JsonValue String text) {}

  record Order(String id, int amount) {}

  private static void assertRefused(String code, Runnable start) {
    assertThatThrownBy(start::run)
        .isInstanceOfSatisfying(
            YieldstarException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void assertNothingKept(Node node, String id) {
    assertRefused("EXECUTION_NOT_FOUND", () -> node.client().execution(id).status());
  }

  @Test
  @DisplayName("S01 a start without a workflow name is refused, and nothing is recorded")
  void aStartWithoutAWorkflowIsRefused() {
    var known = Workflow.of("known", Order.class, (step, order) -> {});
    var nameless = Workflow.of("", Order.class, Void.class);
    Node node = node(known);

    assertRefused(
        "INVALID_START_PARAMETERS",
        () -> node.client().start(nameless, new Order("a", 1), StartOptions.id("nameless")));
    assertNothingKept(node, "nameless");
  }

  @Test
  @DisplayName(
      "S01 params that encode to something that is no object are refused, and nothing is recorded")
  @SuppressWarnings("NullAway") // null is what is refused
  void paramsThatAreNoObjectAreRefused() {
    var named = Workflow.of("named", Name.class, (step, name) -> {});
    var text = Workflow.of("text", String.class, (step, name) -> {});
    Node node = node(named, text);

    assertRefused(
        "INVALID_START_PARAMETERS",
        () -> node.client().start(named, new Name("Ada"), StartOptions.id("one")));
    assertRefused(
        "INVALID_START_PARAMETERS", () -> node.client().start(text, null, StartOptions.id("two")));
    for (String json :
        List.of("[]", "null", "\"text\"", "12", "true", "\"2026-12-01T10:00:00Z\"")) {
      try (var client =
          dev.yieldstar.Yieldstar.on(node.line())
              .leaveBackendOpen()
              .codec(codec -> new Shown(codec, json))
              .client()) {
        assertRefused(
            "INVALID_START_PARAMETERS", () -> client.start(text, "Ada", StartOptions.id("three")));
      }
    }
    assertNothingKept(node, "one");
    assertNothingKept(node, "two");
    assertNothingKept(node, "three");
  }

  /// A codec whose payloads all read as this JSON text.
  private record Shown(Codec codec, String json) implements Codec {
    @Override
    public void check(Type type) {
      codec.check(type);
    }

    @Override
    public Payload encode(@Nullable Object value, Type type) {
      return codec.encode(value, type);
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) {
      return codec.decode(payload, type);
    }

    @Override
    public String text(Payload payload) {
      return json;
    }
  }

  @Test
  @DisplayName("S01 scalars, arrays and collections are wrapped, and come back as what they were")
  void scalarsAreWrapped() {
    var seen = new CopyOnWriteArrayList<Object>();
    var text = Workflow.of("text", String.class, (step, value) -> seen.add(value));
    var number = Workflow.of("number", Integer.class, (step, value) -> seen.add(value));
    var time = Workflow.of("time", Instant.class, (step, value) -> seen.add(value));
    var list =
        Workflow.of(
            "list",
            new TypeRef<List<Order>>() {},
            TypeRef.of(Void.class),
            (step, value) -> {
              seen.add(value);
              return nothing();
            });
    Node node = node(text, number, time, list);
    var first = node.client().start(text, "Ada");
    result(first);
    result(node.client().start(number, 42));
    result(node.client().start(time, START));
    result(node.client().start(list, List.of(new Order("a", 1))));

    assertThat(seen).containsExactly("Ada", 42, START, List.of(new Order("a", 1)));
    assertThat(first.view().params()).contains("{\"value\":\"Ada\"}");
  }

  @Test
  @DisplayName(
      "S02 missing params stay missing, an empty object stays one, and they are told apart")
  @SuppressWarnings("VoidUsed") // it is asked whether it is null
  void missingAndEmptyAreToldApart() {
    var seen = new CopyOnWriteArrayList<Optional<Object>>();
    var without =
        Workflow.of("without", Void.class, (step, none) -> seen.add(Optional.ofNullable(none)));
    var empty =
        Workflow.of("empty", Empty.class, (step, none) -> seen.add(Optional.ofNullable(none)));
    Node node = node(without, empty);
    var first = start(node, without, "without");
    result(first);
    var second = node.client().start(empty, new Empty(), StartOptions.id("empty"));
    result(second);

    assertThat(seen).containsExactly(Optional.empty(), Optional.of(new Empty()));
    assertThat(first.view().params()).isEmpty();
    assertThat(second.view().params()).contains("{}");
    var withoutAsEmpty = Workflow.of("without", Empty.class, Void.class);
    var emptyAsWithout = Workflow.of("empty", Void.class);
    assertRefused(
        "EXECUTION_ID_CONFLICT",
        () -> node.client().start(withoutAsEmpty, new Empty(), StartOptions.id("without")));
    assertRefused("EXECUTION_ID_CONFLICT", () -> start(node, emptyAsWithout, "empty"));
  }

  record Everything(
      double zero,
      @Nullable String nothing,
      List<Integer> list,
      Map<String, String> tag,
      Map<String, String> error,
      Map<String, @Nullable String> nulls,
      long large,
      BigDecimal amount,
      Instant time,
      Optional<String> maybe) {}

  @Test
  @DisplayName(
      "S07 params come back equal: -0 as 0, nulls, lists in order, maps that look like tags or errors")
  void paramsComeBackEqual() {
    var seen = new CopyOnWriteArrayList<Everything>();
    var workflow =
        Workflow.of(
            "everything",
            Everything.class,
            (step, everything) -> {
              seen.add(everything);
              step.sleep("wait", Duration.ofMinutes(1));
            });
    var nulls = new LinkedHashMap<String, @Nullable String>();
    nulls.put("b", null);
    nulls.put("a", "x");
    var given =
        new Everything(
            -0.0,
            null,
            List.of(3, 1, 2),
            Map.of("$type", "java.lang.Runtime", "@type", "Circle", "@class", "x"),
            Map.of("name", "Error", "message", "boom", "stack", "at x", "type", "java.lang.Error"),
            nulls,
            9007199254740993L,
            new BigDecimal("10.00"),
            START.plusNanos(123_456_789),
            Optional.empty());
    Node first = node(workflow);
    var execution = first.client().start(workflow, given);
    awaitAsleep(execution, "wait");
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));
    result(second.client().execution(workflow, execution.id()));

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0)).isEqualTo(seen.get(1));
    var positive =
        new Everything(
            0.0,
            given.nothing,
            given.list,
            given.tag,
            given.error,
            given.nulls,
            given.large,
            given.amount,
            given.time,
            given.maybe);
    assertThat(seen.get(0)).isEqualTo(positive);
    assertThat(seen.get(0).nulls().keySet()).containsExactly("b", "a");
  }

  @Test
  @DisplayName("S08 the context comes back in order, with its nulls, and a missing one is empty")
  void theContextComesBack() {
    var seen = new CopyOnWriteArrayList<Map<String, @Nullable Object>>();
    var workflow =
        Workflow.of(
            "context",
            Void.class,
            (step, none) -> {
              seen.add(step.execution().context());
              step.sleep("wait", Duration.ofMinutes(1));
            });
    var context = new LinkedHashMap<String, @Nullable Object>();
    context.put("tenant", "a");
    context.put("nothing", null);
    context.put("number", 9007199254740993L);
    context.put("half", 0.5);
    context.put("yes", true);
    context.put("list", Arrays.asList(1, null, "x"));
    context.put("map", Map.of("$type", "x", "name", "Error"));
    context.put("a", "after z in no order but ours");
    Node first = node(workflow);
    var with = start(first, workflow, StartOptions.id("with").context(context));
    var without = start(first, workflow);
    awaitAsleep(with, "wait");
    awaitAsleep(without, "wait");
    assertThat(seen).hasSize(2);
    Node second = restart(first, workflow);
    clock.advance(Duration.ofMinutes(1));
    result(second.client().execution(workflow, with.id()));
    result(second.client().execution(workflow, without.id()));

    assertThat(seen).hasSize(4);
    assertThat(seen).filteredOn(Map::isEmpty).hasSize(2);
    assertThat(seen)
        .filteredOn(each -> !each.isEmpty())
        .hasSize(2)
        .allSatisfy(
            each -> {
              assertThat(each.keySet()).containsExactlyElementsOf(context.keySet());
              assertThat(String.valueOf(each)).isEqualTo(String.valueOf(context));
              assertThat(each).containsEntry("nothing", null);
            });
  }

  record Node2(List<Node2> children) {}

  record Measured(double value) {}

  record Threaded(Thread thread) {}

  @Test
  @DisplayName("S09 params that are not durable are refused at admission, and nothing is recorded")
  void paramsThatAreNotDurableAreRefused() {
    var cyclic = new ArrayList<Node2>();
    var loop = new Node2(cyclic);
    cyclic.add(loop);
    Node node = node(Workflow.of("known", Void.class, (step, none) -> {}));
    Map<Workflow<?, ?>, Object> bad = new LinkedHashMap<>();
    bad.put(Workflow.of("cycle", Node2.class), loop);
    bad.put(Workflow.of("nan", Measured.class), new Measured(Double.NaN));
    bad.put(Workflow.of("infinite", Measured.class), new Measured(Double.NEGATIVE_INFINITY));
    bad.put(Workflow.of("thread", Threaded.class), new Threaded(Thread.currentThread()));
    bad.put(Workflow.of("object", Object.class), "text");
    bad.put(Workflow.of("stream", Stream.class), Stream.of(1));
    bad.put(Workflow.of("lambda", Runnable.class), (Runnable) () -> {});
    bad.put(Workflow.of("half", String.class), "\ud800");

    bad.forEach(
        (workflow, params) -> {
          assertRefused(
              "INVALID_EXECUTION_EVENT", () -> startUnchecked(node, workflow, params, "bad"));
          assertNothingKept(node, "bad");
        });
  }

  @SuppressWarnings("unchecked")
  private static void startUnchecked(Node node, Workflow<?, ?> workflow, Object params, String id) {
    node.client().start((Workflow<Object, ?>) workflow, params, StartOptions.id(id));
  }

  @Test
  @DisplayName("S09 context values that are not durable, and keys that are no text, are refused")
  @SuppressWarnings({"unchecked", "rawtypes"})
  void contextThatIsNotDurableIsRefused() {
    var workflow = Workflow.of("context", Void.class, (step, none) -> {});
    Node node = node(workflow);
    var cyclic = new HashMap<String, Object>();
    cyclic.put("self", cyclic);
    List<Map> bad =
        List.of(
            Map.of("k", Double.NaN),
            Map.of("k", Stream.of(1)),
            Map.of("k", Thread.currentThread()),
            Map.of("k", (Runnable) () -> {}),
            Map.of("k", new Order("a", 1)),
            Map.of("k", Instant.EPOCH),
            Map.of("k", List.of(Map.of("deep", Float.POSITIVE_INFINITY))),
            Map.of("k", cyclic),
            Map.of("k", "\udc00"),
            Map.of(1, "one"),
            Map.of("k", Map.of(1, "one")));

    for (Map context : bad) {
      assertRefused(
          "INVALID_EXECUTION_EVENT",
          () -> start(node, workflow, StartOptions.id("bad").context(context)));
      assertNothingKept(node, "bad");
    }
  }

  record OldOrder(String id) {}

  @Test
  void paramsThatCannotBeReadBlockThatExecutionAlone() {
    var ran = new AtomicInteger();
    var old = Workflow.of("order", OldOrder.class, Void.class);
    var current =
        Workflow.of("order", Order.class, (step, order) -> ran.incrementAndGet()).version("2");
    var other = Workflow.of("other", Void.class, String.class, (step, none) -> "fine");
    Node node = node(current, other);
    Execution<?> blocked = node.client().start(old, new OldOrder("a"));
    awaitBlocked(blocked);

    assertThat(blocked.view().attention())
        .hasValueSatisfying(
            why -> {
              assertThat(why.code()).isEqualTo("UNDECODABLE_VALUE");
              assertThat(why.message()).contains("'order'").contains("amount");
            });
    assertThat(result(node.client().start(current, new Order("b", 1)))).isNull();
    assertThat(result(start(node, other))).isEqualTo("fine");
    assertThat(ran).hasValue(1);
    assertThat(blocked.status()).isEqualTo(Status.SUSPENDED);

    var repaired =
        old.body(
                (step, order) -> {
                  ran.addAndGet(10);
                  return nothing();
                })
            .version("3");
    Node again = restart(node, repaired, other);
    result(again.client().execution(repaired, blocked.id()));
    assertThat(ran).hasValue(11);
  }

  @Test
  void missingParamsOfAWorkflowThatNeedsSomeBlock() {
    var current = Workflow.of("order", Order.class, (step, order) -> {});
    var without = Workflow.of("order", Void.class);
    Node node = node(current);
    var blocked = start(node, without);
    awaitBlocked(blocked);

    assertThat(blocked.view().attention().orElseThrow().message()).contains("there are none");
  }
}
