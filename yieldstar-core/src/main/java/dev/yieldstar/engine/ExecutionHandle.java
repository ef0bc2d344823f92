package dev.yieldstar.engine;

import dev.yieldstar.Execution;
import dev.yieldstar.ExecutionCancelled;
import dev.yieldstar.ExecutionFailed;
import dev.yieldstar.ExecutionView;
import dev.yieldstar.ResultTimeout;
import dev.yieldstar.Status;
import dev.yieldstar.StepView;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.codec.ValueRefused;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An execution as a client sees it.
///
/// @param decode turns the encoded result into what the caller knows it as
record ExecutionHandle<R extends @Nullable Object>(
    ExecutionReader reader, String id, Function<Payload, R> decode) implements Execution<R> {

  @Override
  public R result(Duration limit) {
    CompletableFuture<Terminal> end = reader.end(id);
    try {
      return outcome(end.get(Math.max(0, Clamped.nanos(limit)), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw new ResultTimeout(
          "Execution '%s' has not ended within %s; it goes on. %s"
              .formatted(id, limit, reader.standing(id)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new YieldstarException(
          "INTERRUPTED",
          "Interrupted while waiting for execution '%s'; it goes on.".formatted(id),
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof YieldstarException known
          ? known
          : new YieldstarException(
              "INTERNAL", "Waiting for execution '%s' failed.".formatted(id), e);
    } finally {
      end.cancel(false);
    }
  }

  @Override
  public CompletionStage<R> outcome() {
    return reader.end(id).thenApply(this::outcome).minimalCompletionStage();
  }

  private R outcome(Terminal end) {
    return switch (end.outcome()) {
      case Outcome.Completed(var result) -> decoded(result);
      case Outcome.Failed(var error) -> throw failed(error);
      case Outcome.Cancelled(var reason) ->
          throw new ExecutionCancelled("Execution '%s' was cancelled: %s".formatted(id, reason));
    };
  }

  private R decoded(Payload result) {
    try {
      return decode.apply(result);
    } catch (ValueRefused e) {
      throw new YieldstarException(
          e.code(),
          "The result of execution '%s' can't be read as what its workflow declares here: %s"
              .formatted(id, e.getMessage()),
          e);
    }
  }

  private ExecutionFailed failed(Payload error) {
    Throwable cause = reader.values().decodeError(error);
    return new ExecutionFailed(
        "Execution '%s' failed: %s".formatted(id, reader.values().summary(error)), cause);
  }

  @Override
  public Status status() {
    return reader.state(id).status();
  }

  @Override
  public ExecutionView view() {
    return reader.view(id);
  }

  @Override
  public List<StepView> journal() {
    return reader.journal(id);
  }
}
