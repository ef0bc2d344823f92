package dev.yieldstar.engine;

import dev.yieldstar.ExecutionView;
import dev.yieldstar.StepView;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.ParentLink;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.execution.Terminal;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Shows executions and steps to people.
record Views(Values values) {

  ExecutionView execution(ExecutionState state) {
    Admission admission = state.admission();
    Run run = state.run();
    Outcome outcome = state.terminal() == null ? null : state.terminal().outcome();
    return new ExecutionView(
        admission.id(),
        admission.workflow(),
        Optional.ofNullable(admission.version()),
        state.status(),
        run != null && run.paused(),
        state.incarnation(),
        admission.admittedAt(),
        due(run),
        Optional.ofNullable(state.terminal()).map(Terminal::finishedAt),
        of(run, Run::waitingFor),
        of(run, Run::attention).map(Views::attention),
        cancelReason(run, outcome),
        Optional.ofNullable(admission.parent()).map(ParentLink::executionId),
        Optional.ofNullable(admission.forkedFrom()),
        admission.attributes(),
        Optional.ofNullable(state.params()).map(values::text),
        outcome instanceof Outcome.Completed(var result)
            ? Optional.of(values.text(result))
            : Optional.empty(),
        outcome instanceof Outcome.Failed(var error)
            ? Optional.of(values.summary(error))
            : Optional.empty());
  }

  private static Optional<Instant> due(@Nullable Run run) {
    return run == null || run.leased() || run.paused()
        ? Optional.empty()
        : Optional.ofNullable(run.at());
  }

  private static <T> Optional<T> of(@Nullable Run run, Function<Run, @Nullable T> part) {
    return run == null ? Optional.empty() : Optional.ofNullable(part.apply(run));
  }

  private static ExecutionView.Attention attention(Attention attention) {
    return new ExecutionView.Attention(attention.code(), attention.message());
  }

  private static Optional<String> cancelReason(@Nullable Run run, @Nullable Outcome outcome) {
    return outcome instanceof Outcome.Cancelled(var reason)
        ? Optional.of(reason)
        : of(run, Run::cancelReason);
  }

  StepView step(StepRecord record) {
    return new StepView(
        Keys.shown(record.key()),
        record.attempt(),
        Session.shown(record.kind()),
        state(record.result()),
        record.type(),
        record.startedAt(),
        record.recordedAt(),
        due(record.result()),
        value(record.result()),
        error(record.result()));
  }

  private static StepView.State state(StepResult result) {
    return switch (result) {
      case StepResult.Value ignored -> StepView.State.SUCCEEDED;
      case StepResult.Started ignored -> StepView.State.SUCCEEDED;
      case StepResult.Error ignored -> StepView.State.FAILED;
      case StepResult.Refused ignored -> StepView.State.FAILED;
      case StepResult.Retry ignored -> StepView.State.RETRYING;
      case StepResult.Wait ignored -> StepView.State.WAITING;
    };
  }

  private static Optional<Instant> due(StepResult result) {
    return switch (result) {
      case StepResult.Retry(var ignored, var due) -> Optional.of(due);
      case StepResult.Wait(var until) -> Optional.of(until);
      case StepResult.Value ignored -> Optional.empty();
      case StepResult.Started ignored -> Optional.empty();
      case StepResult.Error ignored -> Optional.empty();
      case StepResult.Refused ignored -> Optional.empty();
    };
  }

  private Optional<String> value(StepResult result) {
    if (result instanceof StepResult.Value(var value)) {
      return Optional.of(values.text(value));
    }
    return result instanceof StepResult.Started(var id, var ignored)
        ? Optional.of(id)
        : Optional.empty();
  }

  private Optional<String> error(StepResult result) {
    if (result instanceof StepResult.Refused(var code, var message)) {
      return Optional.of(code + ": " + message);
    }
    Payload error =
        switch (result) {
          case StepResult.Error(var failure) -> failure;
          case StepResult.Retry(var failure, var ignored) -> failure;
          case StepResult.Value ignored -> null;
          case StepResult.Wait ignored -> null;
          case StepResult.Started ignored -> null;
          case StepResult.Refused ignored -> null;
        };
    return Optional.ofNullable(error).map(values::summary);
  }
}
