package dev.yieldstar.execution;

import dev.yieldstar.codec.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a delivery asks to be recorded of an attempt; times are resolved by the backend's clock.
public sealed interface StepEntry {
  record Value(Payload value) implements StepEntry {}

  record Error(Payload error) implements StepEntry {}

  record Retry(@Nullable Payload error, Due due) implements StepEntry {}

  record Wait(Due until) implements StepEntry {}

  default StepResult resolve(Instant now) {
    return switch (this) {
      case Value(var value) -> new StepResult.Value(value);
      case Error(var error) -> new StepResult.Error(error);
      case Retry(var error, var due) -> new StepResult.Retry(error, due.resolve(now));
      case Wait(var until) -> new StepResult.Wait(until.resolve(now));
    };
  }

  /// Whether `recorded` is what this entry would have recorded, whenever that was.
  default boolean isRecordedAs(StepResult recorded) {
    return switch (this) {
      case Value(var value) ->
          recorded instanceof StepResult.Value(var first) && first.equals(value);
      case Error(var error) ->
          recorded instanceof StepResult.Error(var first) && first.equals(error);
      case Retry(var error, var ignored) ->
          recorded instanceof StepResult.Retry(var first, var at)
              && java.util.Objects.equals(first, error);
      case Wait ignored -> recorded instanceof StepResult.Wait;
    };
  }

  /// About how many bytes it takes.
  default int size() {
    return switch (this) {
      case Value(var value) -> value.size();
      case Error(var error) -> error.size();
      case Retry(var error, var ignored) -> error == null ? 0 : error.size();
      case Wait ignored -> 0;
    };
  }
}
