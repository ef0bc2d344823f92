package dev.yieldstar;

import java.time.Duration;

/// Thrown by the body of a step: try again. It takes the place of the step's own policy for this
/// attempt.
public class RetryableException extends RuntimeException implements RetryAfter {
  private static final long serialVersionUID = 1;
  private final int maxAttempts;
  private final Duration retryIn;

  /// @param maxAttempts how often the step is tried in all, the first attempt counted; at least 1
  /// @param retryIn the pause before the next attempt
  public RetryableException(String message, int maxAttempts, Duration retryIn) {
    super(message);
    Retry.checkAttempts(maxAttempts);
    this.maxAttempts = maxAttempts;
    this.retryIn = Retry.checkPause("retryIn", retryIn);
  }

  /// As one comes back from the journal: it is not tried again.
  public RetryableException(String message) {
    this(message, 1, Duration.ZERO);
  }

  public int maxAttempts() {
    return maxAttempts;
  }

  @Override
  public Duration retryAfter() {
    return retryIn;
  }
}
