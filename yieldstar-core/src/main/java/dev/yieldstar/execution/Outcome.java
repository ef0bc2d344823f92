package dev.yieldstar.execution;

import dev.yieldstar.Status;
import dev.yieldstar.codec.Payload;

/// How an execution ended.
public sealed interface Outcome {
  record Completed(Payload result) implements Outcome {}

  record Failed(Payload error) implements Outcome {}

  record Cancelled(String reason) implements Outcome {}

  default Status status() {
    return switch (this) {
      case Completed ignored -> Status.COMPLETED;
      case Failed ignored -> Status.FAILED;
      case Cancelled ignored -> Status.CANCELLED;
    };
  }
}
