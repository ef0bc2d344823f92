package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// A start's time ran out before the backend answered: the execution may exist. Starting it again
/// under the same id tells.
public final class StartOutcomeUnknown extends YieldstarException {
  private static final long serialVersionUID = 1;

  public StartOutcomeUnknown(String message) {
    this(message, null);
  }

  public StartOutcomeUnknown(String message, @Nullable Throwable cause) {
    super("START_OUTCOME_UNKNOWN", message, cause);
  }
}
