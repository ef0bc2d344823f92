package dev.yieldstar.execution;

import dev.yieldstar.codec.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is recorded of one attempt of a step.
public sealed interface StepResult {
  /// It returned this value: the step is over.
  record Value(Payload value) implements StepResult {}

  /// It threw this error, for good: the step is over.
  record Error(Payload error) implements StepResult {}

  /// It did not succeed and is tried again when due; a poll that found nothing has no error.
  record Retry(@Nullable Payload error, Instant due) implements StepResult {}

  /// It waits until then.
  record Wait(Instant until) implements StepResult {}

  /// It started this execution. `request` is what was asked for, to be compared with a repetition.
  record Started(String executionId, String request) implements StepResult {}

  /// What it asked for was refused: the step is over, with an error of this code.
  record Refused(String code, String message) implements StepResult {}

  /// Whether nothing more will be recorded of this step.
  default boolean isFinal() {
    return switch (this) {
      case Value ignored -> true;
      case Error ignored -> true;
      case Wait ignored -> true;
      case Started ignored -> true;
      case Refused ignored -> true;
      case Retry ignored -> false;
    };
  }
}
