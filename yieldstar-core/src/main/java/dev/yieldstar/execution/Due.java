package dev.yieldstar.execution;

import java.time.Duration;
import java.time.Instant;

/// When something is due, as a command says it. The backend's clock resolves it, never the
/// sender's.
public sealed interface Due {
  Due NOW = new After(Duration.ZERO);

  /// So long after the command was applied.
  record After(Duration delay) implements Due {}

  /// At this instant.
  record At(Instant instant) implements Due {}

  /// The instant itself, in whole milliseconds.
  default Instant resolve(Instant now) {
    return switch (this) {
      case After(var delay) -> Times.plus(now, delay);
      case At(var instant) -> Times.roundedUp(instant);
    };
  }
}
