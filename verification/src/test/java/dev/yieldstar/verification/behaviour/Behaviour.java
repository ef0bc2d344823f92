package dev.yieldstar.verification.behaviour;

import static org.awaitility.Awaitility.await;

import dev.yieldstar.Execution;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Status;
import dev.yieldstar.Workflow;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import dev.yieldstar.testkit.ManualClock;
import dev.yieldstar.verification.logs.LogBook;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A test class that runs on every kind of backend, with engines that it can start, stop and kill.
///
/// Time stands still unless a test moves it, and nothing waits in place: every wait suspends. A
/// kill leaves leases that pass after [#LEASE]; [#untilTakeOver] moves the clock beyond.
@ParameterizedClass(name = "{0}")
@EnumSource(Place.Kind.class)
@SuppressWarnings("NullAway.Init") // set before each test
abstract class Behaviour {
  static final Duration SOON = Duration.ofSeconds(20);
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Instant START = Instant.parse("2026-12-01T10:00:00Z");

  @Parameter Place.Kind kind;

  final ManualClock clock = new ManualClock(START);
  private final Deque<Node> nodes = new ArrayDeque<>();
  private Place place;
  private Line line;

  @BeforeEach
  void open(@TempDir Path folder) {
    LogBook.clear();
    place = kind.in(folder, clock);
    line = place.open();
  }

  @AfterEach
  void close() {
    while (!nodes.isEmpty()) {
      nodes.pop().stop();
    }
    line.close();
  }

  /// An engine that runs these workflows.
  Node node(Workflow<?, ?>... workflows) {
    return node(builder -> builder, workflows);
  }

  /// An engine with settings of its own.
  Node node(UnaryOperator<Yieldstar.Builder> settings, Workflow<?, ?>... workflows) {
    Line own = place.open();
    var builder =
        Yieldstar.on(own)
            .register(workflows)
            .leaseDuration(LEASE)
            .pollInterval(Duration.ofMillis(2))
            .linger(Duration.ZERO)
            .shutdownTimeout(Duration.ZERO)
            .keepAlive(false);
    var node = new Node(settings.apply(builder).start(), own);
    nodes.push(node);
    return node;
  }

  /// The process ends in order, and another one begins.
  Node restart(Node before, Workflow<?, ?>... workflows) {
    before.stop();
    return node(workflows);
  }

  /// Moves the clock until what a killed engine held may be taken over.
  void untilTakeOver() {
    clock.advance(LEASE.plusMinutes(2));
  }

  /// What the backend holds of an execution.
  ExecutionState state(Execution<?> execution) {
    return line.find(execution.id()).orElseThrow();
  }

  Run run(Execution<?> execution) {
    return state(execution).live();
  }

  <R extends @Nullable Object> R result(Execution<R> execution) {
    return execution.result(SOON);
  }

  /// Starts an execution of a workflow without params.
  static <R extends @Nullable Object> Execution<R> start(Node node, Workflow<Void, R> workflow) {
    return node.client().start(workflow);
  }

  /// The same under an id.
  static <R extends @Nullable Object> Execution<R> start(
      Node node, Workflow<Void, R> workflow, String id) {
    return start(node, workflow, StartOptions.id(id));
  }

  /// The same with options.
  @SuppressWarnings("NullAway") // plain Void, so that users need not write @Nullable Void
  static <R extends @Nullable Object> Execution<R> start(
      Node node, Workflow<Void, R> workflow, StartOptions options) {
    return node.client().start(workflow, null, options);
  }

  /// null, where a type says that there is something: plain `Void`, and code without null checks.
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  static <T> T nothing() {
    return null;
  }

  /// A line to the backend, for an engine that the test makes itself.
  Line openLine() {
    return place.open();
  }

  /// What is recorded of an execution, whatever has become of the engines.
  @SuppressWarnings("NullAway") // null is the first page
  List<StepRecord> journal(Execution<?> execution) {
    ExecutionState state = state(execution);
    var incarnation = new Incarnation(state.key(), state.incarnation());
    var page = line.journal(new JournalQuery(List.of(incarnation), null, 1_000));
    return page.rows().stream()
        .map(JournalPage.Row::step)
        .sorted(Comparator.comparingInt(StepRecord::position))
        .toList();
  }

  /// Waits until an attempt of this step is recorded.
  void awaitRecorded(Execution<?> execution, String step) {
    eventually(() -> journal(execution).stream().anyMatch(record -> record.key().equals(step)));
  }

  /// Waits until nobody delivers it and it waits for this step.
  void awaitAsleep(Execution<?> execution, String step) {
    eventually(
        () -> {
          var view = execution.view();
          return view.status() == Status.SUSPENDED && view.waitingFor().equals(Optional.of(step));
        });
  }

  /// Waits until it was given back without an outcome so many times in a row.
  void awaitGivenBack(Execution<?> execution, int times) {
    eventually(() -> !run(execution).leased() && run(execution).unacknowledged() == times);
  }

  /// Waits until it needs attention and nobody delivers it.
  void awaitBlocked(Execution<?> execution) {
    eventually(() -> !run(execution).leased() && execution.view().attention().isPresent());
  }

  static void eventually(BooleanSupplier condition) {
    await().pollInterval(Duration.ofMillis(2)).atMost(SOON).until(condition::getAsBoolean);
  }
}
