package dev.yieldstar;

import dev.yieldstar.codec.Codec;
import dev.yieldstar.codec.ErrorCodec;
import dev.yieldstar.codec.ErrorTypes;
import dev.yieldstar.codec.JacksonCodec;
import dev.yieldstar.engine.Engine;
import dev.yieldstar.engine.EngineSettings;
import dev.yieldstar.engine.Values;
import dev.yieldstar.spi.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An engine on a backend, and the client of it. Thread-safe.
///
/// {@snippet :
/// try (var yieldstar = Yieldstar.on(Sqlite.file(path)).register(ORDER).start()) {
///   var execution = yieldstar.start(ORDER, order, StartOptions.id("order-42"));
///   Receipt receipt = execution.result(Duration.ofMinutes(1));
/// }
/// }
public final class Yieldstar implements Client, AutoCloseable {
  private final Engine engine;

  private Yieldstar(Engine engine) {
    this.engine = engine;
  }

  /// Settings for an engine on this backend; all have defaults.
  public static Builder on(Backend backend) {
    return new Builder(backend);
  }

  @Override
  public <P extends @Nullable Object, R extends @Nullable Object> Execution<R> start(
      Workflow<P, R> workflow, P params) {
    return engine.client().start(workflow, params);
  }

  @Override
  public <P extends @Nullable Object, R extends @Nullable Object> Execution<R> start(
      Workflow<P, R> workflow, P params, StartOptions options) {
    return engine.client().start(workflow, params, options);
  }

  @Override
  public <P extends @Nullable Object, R extends @Nullable Object> List<Execution<R>> startAll(
      Workflow<P, R> workflow, List<? extends P> params) {
    return engine.client().startAll(workflow, params);
  }

  @Override
  public <R extends @Nullable Object> Execution<R> execution(Workflow<?, R> workflow, String id) {
    return engine.client().execution(workflow, id);
  }

  @Override
  public Execution<@Nullable String> execution(String id) {
    return engine.client().execution(id);
  }

  /// Stops claiming, waits for what runs up to the shutdown timeout, hands the rest back, and
  /// closes the backend unless told otherwise. Idempotent.
  @Override
  public void close() {
    engine.close();
  }

  /// Settings of an engine. Used by one thread; made by [Yieldstar#on].
  public static final class Builder {
    /// What is far too large ends while it is encoded; an error is bounded by itself, and always
    /// fits.
    private static final int ROOM_FOR_ERRORS = 4 << 20;

    private final Backend backend;
    private final List<Workflow<?, ?>> workflows = new ArrayList<>();
    private EngineSettings settings = EngineSettings.standard();
    private ErrorTypes errors = ErrorTypes.standard();
    private UnaryOperator<Codec> codec = UnaryOperator.identity();
    private boolean closesBackend = true;

    private Builder(Backend backend) {
      this.backend = backend;
    }

    /// Workflows that run here, each with its body.
    public Builder register(Workflow<?, ?>... bodied) {
      workflows.addAll(List.of(bodied));
      return this;
    }

    /// A workflow that was declared without its body: `register(ORDER, orders::process)`.
    public <P extends @Nullable Object, R extends @Nullable Object> Builder register(
        Workflow<P, R> workflow, WorkflowFunction<? super P, ? extends R> body) {
      workflows.add(workflow.body(body));
      return this;
    }

    /// A workflow without a result that was declared without its body.
    public <P extends @Nullable Object> Builder register(
        Workflow<P, Void> workflow, WorkflowAction<? super P> body) {
      workflows.add(workflow.body(Workflow.returningNothing(body)));
      return this;
    }

    /// How a recorded error of this class comes back from its message, where it has no public
    /// constructor for that.
    public <X extends Throwable> Builder registerError(
        Class<X> error, Function<@Nullable String, ? extends X> rebuild) {
      errors = errors.with(error, rebuild);
      return this;
    }

    /// Puts a codec around the library's own: to encrypt, to compress.
    public Builder codec(UnaryOperator<Codec> wrapping) {
      codec = wrapping;
      return this;
    }

    /// How many deliveries run here at once; 256 unless said. One that waits in place doesn't
    /// count.
    public Builder concurrency(int deliveries) {
      settings = settings.withConcurrency(deliveries);
      return this;
    }

    /// How long a lease lasts unless renewed, 30 s unless said: after a crash the others wait so
    /// long. It is renewed three times in that.
    public Builder leaseDuration(Duration duration) {
      settings = settings.withLeaseDuration(duration);
      return this;
    }

    /// Between two renewals of a lease; a third of its duration unless said.
    public Builder renewInterval(Duration interval) {
      settings = settings.withRenewInterval(interval);
      return this;
    }

    /// How long a delivery may take to stop when it is told to, 1 s unless said.
    public Builder abortGracePeriod(Duration period) {
      settings = settings.withAbortGracePeriod(period);
      return this;
    }

    /// The longest pause between two looks for what is due; 10 ms unless said.
    public Builder pollInterval(Duration interval) {
      settings = settings.withPollInterval(interval);
      return this;
    }

    /// The longest wait that is waited in place, 2 s unless said; a longer one suspends.
    public Builder linger(Duration longest) {
      settings = settings.withLinger(longest);
      return this;
    }

    /// How long running deliveries may go on when the engine is closed, 10 s unless said.
    public Builder shutdownTimeout(Duration timeout) {
      settings = settings.withShutdownTimeout(timeout);
      return this;
    }

    /// How long a start waits for the backend, 30 s unless said.
    public Builder startTimeout(Duration timeout) {
      settings = settings.withStartTimeout(timeout);
      return this;
    }

    /// The largest encoded value in bytes, 2 MiB unless said.
    public Builder maxPayload(int bytes) {
      settings = settings.withMaxPayload(bytes);
      return this;
    }

    /// Whether the engine keeps the process alive; it does unless told otherwise.
    public Builder keepAlive(boolean alive) {
      settings = settings.withKeepAlive(alive);
      return this;
    }

    /// Leaves the backend open when the engine is closed, for others that use it.
    public Builder leaveBackendOpen() {
      closesBackend = false;
      return this;
    }

    /// Runs what is registered.
    ///
    /// @throws YieldstarException WORKFLOW_WITHOUT_BODY, DUPLICATE_WORKFLOW, TYPE_NOT_REIFIED
    public Yieldstar start() {
      if (workflows.isEmpty()) {
        throw new YieldstarException(
            "NOTHING_REGISTERED",
            "An engine without workflows runs nothing. Register some, or use client() to only start and read.");
      }
      Yieldstar yieldstar = build(workflows);
      yieldstar.engine.start();
      return yieldstar;
    }

    /// Runs nothing: starts executions for others to run, and reads.
    public Yieldstar client() {
      return build(List.of());
    }

    private Yieldstar build(List<Workflow<?, ?>> running) {
      var trusting = errors.trusting();
      var untrusting = errors.untrusting();
      JacksonCodec json =
          JacksonCodec.standard().withMaxBytes(Math.max(settings.maxPayload(), ROOM_FOR_ERRORS));
      Codec recorded = codec.apply(json.withErrors(trusting));
      Codec foreign = codec.apply(json.withErrors(untrusting));
      var values =
          new Values(recorded, foreign, new ErrorCodec(recorded, trusting), settings.maxPayload());
      return new Yieldstar(new Engine(backend, closesBackend, values, settings, running));
    }
  }
}
