package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;

import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// A dispatcher with its committer and lease keeper, on a backend and an invoker that a test
/// scripts. Closing it stops all of them.
final class DispatcherRig implements AutoCloseable {
  static final String WORKFLOW = "order";

  final ScriptedBackend backend;
  final ScriptedInvoker invoker = new ScriptedInvoker();
  final Map<String, Terminal> emitted = new ConcurrentHashMap<>();
  volatile Runnable onEmit = () -> {};
  final AtomicBoolean healthy = new AtomicBoolean(true);
  final Committer committer;
  final LeaseKeeper leases;
  final Dispatcher dispatcher;
  private final AtomicLong internalIds = new AtomicLong(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  DispatcherRig(EngineSettings settings) {
    this(new ScriptedBackend(), settings);
  }

  DispatcherRig(ScriptedBackend backend, EngineSettings settings) {
    this.backend = backend;
    this.committer = new Committer(backend, this::hint);
    this.leases = new LeaseKeeper(committer, settings);
    this.dispatcher =
        new Dispatcher(
            backend,
            invoker,
            committer,
            leases,
            settings,
            Set.of(WORKFLOW),
            this::emit,
            threads,
            new Ids(),
            healthy::get);
  }

  private void emit(String id, Terminal end) {
    emitted.put(id, end);
    onEmit.run();
  }

  private void hint(boolean certain) {
    dispatcher.hint(certain);
  }

  /// Leases of ten minutes, looks every hour, short shutdowns: what happens in a test that uses
  /// these happens for another reason than the passing of time.
  static EngineSettings patient() {
    return EngineSettings.standard()
        .withLeaseDuration(Duration.ofMinutes(10))
        .withPollInterval(Duration.ofHours(1))
        .withAbortGracePeriod(Duration.ofMillis(50))
        .withShutdownTimeout(Duration.ofMillis(100))
        .withKeepAlive(false);
  }

  /// Leases that are renewed every 50 ms.
  static EngineSettings brisk() {
    return patient()
        .withLeaseDuration(Duration.ofSeconds(10))
        .withRenewInterval(Duration.ofMillis(50));
  }

  /// Admits executions that are due now, without a word to the dispatcher.
  void admit(String... ids) {
    for (String id : ids) {
      backend.inner.commit(List.of(admission(internalIds.getAndIncrement(), id)));
    }
  }

  /// Takes the lease of an execution over, as another process would once it has passed.
  void takeOver(ScriptedInvoker.Begun holder) {
    backend.inner.commit(
        List.of(
            new Command.Release(
                holder.delivery().lease(), new Command.ReleaseReason.HandedOver())));
    backend.inner.claim(
        new ClaimRequest(Set.of(WORKFLOW), 1, 4711, Duration.ofMinutes(10), Set.of(), true, true));
  }

  static Command.Admit admission(long internal, String id) {
    return new Command.Admit(
        Admission.request(internal, id, WORKFLOW, null, null, "-", null, Map.of()), Due.NOW, null);
  }

  /// How an execution stands.
  ExecutionState state(String id) {
    return backend.inner.find(id).orElseThrow();
  }

  /// The reply to a command that is sent past the committer.
  Reply send(Command command) {
    return backend.inner.commit(List.of(command)).getFirst();
  }

  void awaitIdle() {
    soon().until(() -> dispatcher.activeDeliveries() == 0);
  }

  @Override
  public void close() {
    invoker.begun.forEach(ScriptedInvoker.Begun::complete);
    dispatcher.stop();
    leases.close();
    committer.close(Duration.ofSeconds(1));
    threads.shutdown();
  }
}
