package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// A poll used up its attempts.
public final class PollExhausted extends YieldstarException {
  private static final long serialVersionUID = 1;

  public PollExhausted(String message) {
    this(message, null);
  }

  public PollExhausted(String message, @Nullable Throwable cause) {
    super("POLL_EXHAUSTED", message, cause);
  }
}
