package dev.yieldstar.engine;

import dev.yieldstar.ExecutionView;
import dev.yieldstar.StepView;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.Incarnation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Reads executions for clients, and waits for their ends. Thread-safe.
record ExecutionReader(Backend backend, Values values, Views views, Outcomes outcomes) {

  /// @throws YieldstarException EXECUTION_NOT_FOUND
  ExecutionState state(String id) {
    return backend.find(id).orElseThrow(() -> notFound(id));
  }

  ExecutionView view(String id) {
    return views.execution(state(id));
  }

  /// Why an execution has not ended yet, for people.
  String standing(String id) {
    ExecutionView view;
    try {
      view = view(id);
    } catch (RuntimeException e) {
      return "How it stands can't be read: " + e.getMessage();
    }
    if (view.attention().isPresent()) {
      return "It needs attention: %s: %s"
          .formatted(view.attention().get().code(), view.attention().get().message());
    }
    return switch (view.status()) {
      case ADMITTED ->
          "It has not been delivered yet; a process that has workflow '%s' registered must run for that."
              .formatted(view.workflow());
      case RUNNING -> "It is being delivered.";
      case SUSPENDED ->
          "It waits%s%s."
              .formatted(
                  view.waitingFor().map(" at step '%s'"::formatted).orElse(""),
                  view.due().map(" until %s"::formatted).orElse(""));
      case COMPLETED, FAILED, CANCELLED -> "It has ended just now.";
    };
  }

  List<StepView> journal(String id) {
    ExecutionState state = state(id);
    var incarnation = new Incarnation(state.key(), state.incarnation());
    return Journals.of(backend, incarnation).stream().map(views::step).toList();
  }

  /// The end of an execution, once it has one. Cancel the future to wait no more.
  CompletableFuture<Terminal> end(String id) {
    CompletableFuture<Terminal> end = outcomes.await(id);
    try {
      backend
          .find(id)
          .ifPresentOrElse(
              state -> completeIfEnded(end, state), () -> end.completeExceptionally(notFound(id)));
    } catch (RuntimeException e) {
      return end; // the poll asks again, and a caller's limit ends the wait
    }
    return end;
  }

  private static void completeIfEnded(CompletableFuture<Terminal> end, ExecutionState state) {
    if (state.terminal() != null) {
      end.complete(state.terminal());
    }
  }

  private static YieldstarException notFound(String id) {
    return new YieldstarException(
        "EXECUTION_NOT_FOUND", "There is no execution '%s'.".formatted(id));
  }
}
