package dev.yieldstar.engine;

import dev.yieldstar.Client;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Codec;
import dev.yieldstar.spi.Backend;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One engine on one backend: puts the parts together, starts them, and stops them in order.
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final Duration LONGEST_BETWEEN_STEPS = Duration.ofSeconds(10);
  private static final Duration OUTCOME_POLL = Duration.ofMillis(100);

  private final Backend backend;
  private final boolean closesBackend;
  private final Committer committer;
  private final LeaseKeeper leases;
  private final Outcomes outcomes;
  private final @Nullable Dispatcher dispatcher;
  private final LocalClient client;
  private final Map<String, String> versions;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("yieldstar-", 0).factory());
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("yieldstar-timer").factory());
  private final CarrierWatch carriers = new CarrierWatch();
  private final PaceWatch pace = new PaceWatch(LONGEST_BETWEEN_STEPS);
  private final LogPeriod logPeriod = new LogPeriod();
  private final AtomicBoolean closed = new AtomicBoolean();

  /// @param workflows what runs here, each with its body; none: nothing is delivered here
  public Engine(
      Backend backend,
      boolean closesBackend,
      Values values,
      EngineSettings settings,
      Collection<Workflow<?, ?>> workflows) {
    this.backend = backend;
    this.closesBackend = closesBackend;
    Map<String, Registration> registrations = registrations(values.codec(), workflows);
    this.versions = versions(workflows);
    var ids = new Ids();
    this.committer = new Committer(backend, this::hint);
    this.leases = new LeaseKeeper(committer, settings);
    this.outcomes = new Outcomes(backend, threads, OUTCOME_POLL);
    this.dispatcher =
        registrations.isEmpty()
            ? null
            : new Dispatcher(
                backend,
                new LocalInvoker(registrations, values, ids, committer, settings, pace),
                committer,
                leases,
                settings,
                registrations.keySet(),
                outcomes::emit,
                threads,
                ids,
                carriers::healthy);
    this.client =
        new LocalClient(
            new ExecutionReader(backend, values, new Views(values), outcomes),
            committer,
            values,
            settings,
            dispatcher,
            ids);
  }

  private static Map<String, Registration> registrations(
      Codec codec, Collection<Workflow<?, ?>> workflows) {
    return workflows.stream()
        .peek(workflow -> check(codec, workflow))
        .map(Registration::of)
        .collect(
            Collectors.toUnmodifiableMap(
                registration -> registration.workflow().name(),
                Function.identity(),
                (first, second) -> {
                  throw new YieldstarException(
                      "DUPLICATE_WORKFLOW",
                      "Workflow '%s' is registered twice.".formatted(first.workflow().name()));
                }));
  }

  private static Map<String, String> versions(Collection<Workflow<?, ?>> workflows) {
    var versions = new HashMap<String, String>();
    workflows.forEach(
        workflow ->
            workflow.version().ifPresent(version -> versions.put(workflow.name(), version)));
    return versions;
  }

  private static void check(Codec codec, Workflow<?, ?> workflow) {
    Keys.check("INVALID_WORKFLOW_NAME", "The name of a workflow", workflow.name());
    if (workflow.params() != Void.class) {
      codec.check(workflow.params());
    }
    if (workflow.result() != Void.class) {
      codec.check(workflow.result());
    }
  }

  /// Begins to deliver, if anything is registered.
  public void start() {
    if (dispatcher == null) {
      return;
    }
    dispatcher.registered(versions);
    timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    dispatcher.start();
  }

  public Client client() {
    return client;
  }

  private void hint(boolean certain) {
    if (dispatcher != null) {
      dispatcher.hint(certain);
    }
  }

  /// Once a second: whether virtual threads run, what workflow code is at, and what has been asked
  /// of what is held here.
  private void look() {
    carriers.look();
    pace.look();
    try {
      var held = leases.leases();
      if (!held.isEmpty()) {
        leases.tell(backend.standing(held));
      }
    } catch (RuntimeException e) {
      logPeriod.log(
          suppressed ->
              LOG.warn(
                  "What was asked of running executions could not be read ({} such failures not logged)",
                  suppressed,
                  e));
    }
  }

  /// Stops in order: no more claims, running deliveries drain or are aborted, what they wrote is
  /// committed, the backend is closed. Idempotent.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (dispatcher != null) {
      dispatcher.stop();
    }
    timer.shutdownNow();
    leases.close();
    committer.close(Duration.ofSeconds(5));
    outcomes.close();
    threads.shutdown();
    if (closesBackend) {
      backend.close();
    }
  }
}
