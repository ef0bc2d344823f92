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
import java.util.concurrent.CountDownLatch;
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
  private final CarrierWatch carriers = new CarrierWatch(CarrierWatch.LIMIT);
  private final PaceWatch pace = new PaceWatch(LONGEST_BETWEEN_STEPS);
  private final LogPeriod logPeriod = new LogPeriod();
  private final Duration patience;
  private final Duration closeLimit;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  /// @param workflows what runs here, each with its body; none: nothing is delivered here
  public Engine(
      Backend backend,
      boolean closesBackend,
      Values values,
      EngineSettings settings,
      Collection<Workflow<?, ?>> workflows) {
    this(backend, closesBackend, values, settings, workflows, Duration.ofSeconds(5));
  }

  /// @param patience how long a close waits for the backend to take what was submitted, and to
  ///   close
  Engine(
      Backend backend,
      boolean closesBackend,
      Values values,
      EngineSettings settings,
      Collection<Workflow<?, ?>> workflows,
      Duration patience) {
    this.backend = backend;
    this.closesBackend = closesBackend;
    this.patience = patience;
    this.closeLimit =
        settings.shutdownTimeout().plus(settings.abortGracePeriod()).plus(patience.multipliedBy(3));
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

  /// Begins to deliver, if anything is registered. Twice is once.
  public void start() {
    if (dispatcher == null || !started.compareAndSet(false, true)) {
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
    try {
      carriers.look();
      pace.look();
      var held = leases.leases();
      if (!held.isEmpty()) {
        leases.tell(backend.standing(held));
      }
    } catch (Throwable e) { // else it would not be called again
      logPeriod.log(
          suppressed ->
              LOG.warn(
                  "What was asked of running executions could not be read ({} such failures not logged)",
                  suppressed,
                  e));
    }
  }

  /// Stops in order: no more claims, running deliveries drain or are aborted, what they wrote is
  /// committed, the backend is closed. Idempotent: who calls it while another does waits for that.
  /// Takes, beyond the shutdown timeout and the grace period, no more than 15 s, also where the
  /// backend does not answer; what fails is logged.
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      awaitClosed();
      return;
    }
    try {
      if (dispatcher != null) {
        attempt("stopping the dispatcher", dispatcher::stop);
      }
      timer.shutdownNow();
      attempt("stopping the renewals", leases::close);
      attempt("committing what is left", () -> committer.close(patience));
      attempt("ending the waits", outcomes::close);
      threads.shutdown();
      if (closesBackend) {
        closeBackend();
      }
    } finally {
      closed.countDown();
    }
  }

  private void awaitClosed() {
    try {
      if (!closed.await(closeLimit.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("The engine is still being closed by another thread");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void attempt(String what, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.error("Closing the engine: {} failed; it goes on", what, e);
    }
  }

  /// On a thread of its own, since it may wait for a commit that never returns.
  private void closeBackend() {
    Thread closer =
        Thread.ofPlatform()
            .daemon()
            .name("yieldstar-close")
            .start(() -> attempt("closing the backend", backend::close));
    if (!Bounded.join(closer, patience)) {
      LOG.warn("The backend has not closed within {}; it is left alone", patience);
    }
  }
}
