package dev.yieldstar.engine;

import dev.yieldstar.Client;
import dev.yieldstar.Execution;
import dev.yieldstar.StartOptions;
import dev.yieldstar.StartOutcomeUnknown;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Leases;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.spi.BackendException;
import dev.yieldstar.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The client of an engine in this process.
final class LocalClient implements Client {
  private static final long LONGEST_WAIT = Duration.ofDays(10_000).toNanos();

  private final Committer committer;
  private final Values values;
  private final EngineSettings settings;
  private final @Nullable Dispatcher dispatcher;
  private final Ids ids;
  private final Starts starts;
  private final ExecutionReader reader;

  /// @param dispatcher delivers here what is born leased; null where nothing runs here
  LocalClient(
      ExecutionReader reader,
      Committer committer,
      Values values,
      EngineSettings settings,
      @Nullable Dispatcher dispatcher,
      Ids ids) {
    this.committer = committer;
    this.values = values;
    this.settings = settings;
    this.dispatcher = dispatcher;
    this.ids = ids;
    this.starts = new Starts(values, ids);
    this.reader = reader;
  }

  @Override
  public <P extends @Nullable Object, R extends @Nullable Object> Execution<R> start(
      Workflow<P, R> workflow, P params) {
    return start(workflow, params, StartOptions.none());
  }

  @Override
  public <P extends @Nullable Object, R extends @Nullable Object> Execution<R> start(
      Workflow<P, R> workflow, P params, StartOptions options) {
    Admission admission = starts.prepare(workflow, params, options);
    long deadline = deadline();
    awaitStart(admission.id(), submit(admission, Starts.due(options), deadline), deadline);
    return execution(workflow, admission.id());
  }

  @Override
  public <P extends @Nullable Object, R extends @Nullable Object> List<Execution<R>> startAll(
      Workflow<P, R> workflow, List<? extends P> params) {
    List<Admission> admissions =
        params.stream().map(each -> starts.prepare(workflow, each, StartOptions.none())).toList();
    long deadline = deadline();
    var submitted = new ArrayList<CompletableFuture<Void>>();
    for (Admission admission : admissions) {
      submitted.add(submit(admission, Due.NOW, deadline));
    }
    for (int i = 0; i < submitted.size(); i++) {
      awaitStart(admissions.get(i).id(), submitted.get(i), deadline);
    }
    return admissions.stream().map(admission -> execution(workflow, admission.id())).toList();
  }

  private long deadline() {
    return System.nanoTime() + Math.min(Clamped.nanos(settings.startTimeout()), LONGEST_WAIT);
  }

  private static long left(long deadline) {
    return Math.max(0, deadline - System.nanoTime());
  }

  /// Submits an admission, born leased where a slot could be reserved, and sees to its delivery.
  private CompletableFuture<Void> submit(Admission admission, Due due, long deadline) {
    boolean reserved =
        due.equals(Due.NOW)
            && dispatcher != null
            && dispatcher.reserveForStart(admission.workflow());
    Command.Grant grant =
        reserved ? new Command.Grant(ids.lease(), settings.leaseDuration()) : null;
    return committer
        .submit(new Command.Admit(admission, due, grant), Duration.ofNanos(left(deadline)))
        .handle(
            (reply, failure) -> {
              if (dispatcher != null && reserved) {
                deliverOrGiveBack(dispatcher, admission, reply);
              }
              return failure == null ? answered(admission, due, reply, deadline) : failed(failure);
            })
        .thenCompose(next -> next);
  }

  private static void deliverOrGiveBack(
      Dispatcher dispatcher, Admission admission, @Nullable Reply reply) {
    if (reply instanceof Reply.Admitted admitted && admitted.lease() != null) {
      ExecutionState born = Leases.born(admission, admitted.lease(), admitted.now());
      dispatcher.deliverBorn(new Claim(admitted.lease(), born, admitted.now()));
    } else {
      dispatcher.cancelReservation();
    }
  }

  private CompletableFuture<Void> answered(
      Admission admission, Due due, Reply reply, long deadline) {
    return switch (reply) {
      case Reply.Admitted ignored -> CompletableFuture.completedFuture(null);
      case Reply.Refused(var code, var message) ->
          code.equals(Reply.INTERNAL_ID_TAKEN)
              ? submit(admission.withInternalId(ids.internal()), due, deadline)
              : failed(new YieldstarException(code, message));
      case Reply other -> failed(new IllegalStateException("a start was answered with " + other));
    };
  }

  private static CompletableFuture<Void> failed(Throwable failure) {
    return CompletableFuture.failedFuture(failure);
  }

  private void awaitStart(String id, CompletableFuture<Void> start, long deadline) {
    try {
      start.get(left(deadline), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw unknown(id, "the backend has not answered within " + settings.startTimeout(), null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(id, "the thread was interrupted", e);
    } catch (ExecutionException e) {
      throw rethrown(id, e.getCause());
    }
  }

  private static StartOutcomeUnknown unknown(String id, String why, @Nullable Throwable cause) {
    return new StartOutcomeUnknown(
        "Whether execution '%s' was started is not known: %s. Start it again under this id to know."
            .formatted(id, why),
        cause);
  }

  private static RuntimeException rethrown(String id, @Nullable Throwable failure) {
    if (!(failure instanceof YieldstarException known) || isUncertain(failure)) {
      return unknown(id, "the engine could not commit it for sure", failure);
    }
    // Its stack is the committing thread's; the caller's is what helps.
    return new YieldstarException(
        known.code(), Objects.requireNonNullElse(known.getMessage(), ""), known);
  }

  private static boolean isUncertain(Throwable failure) {
    return failure instanceof BackendException backend
        && backend.fault() == BackendException.Fault.UNAVAILABLE;
  }

  @Override
  public <R extends @Nullable Object> Execution<R> execution(Workflow<?, R> workflow, String id) {
    return new ExecutionHandle<>(reader, id, payload -> decode(payload, workflow));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // decoded as the workflow's declared result type
  private <R extends @Nullable Object> R decode(
      dev.yieldstar.codec.Payload payload, Workflow<?, R> workflow) {
    return (R) values.decode(payload, workflow.result());
  }

  @Override
  public Execution<@Nullable String> execution(String id) {
    return new ExecutionHandle<>(reader, id, values::text);
  }
}
