package dev.yieldstar.engine;

import dev.yieldstar.Retry;
import dev.yieldstar.RetryAfter;
import dev.yieldstar.RetryableException;
import dev.yieldstar.execution.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides whether a step is tried again after a failure, and when: by what the error says of
/// itself, else by the step's policy.
final class Retries {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Retry policy;
  private final Instant began;

  /// @param policy the step's
  /// @param began when its first attempt began
  Retries(Retry policy, Instant began) {
    this.policy = policy;
    this.began = began;
  }

  /// The pause before the next attempt; empty where there is none. What the user's predicate or
  /// error throws when it is asked comes through.
  ///
  /// @param attempt the one that failed
  /// @param random from 0 to 1, for the random part of a pause
  Optional<Duration> pauseAfter(int attempt, Throwable error, Instant now, double random) {
    if (attempt >= maxAttempts(error)
        || !(error instanceof RetryableException || policy.retriesAfter(error))) {
      return Optional.empty();
    }
    Duration pause = pause(attempt, error, random);
    return isWithinTotalLimit(now, pause) ? Optional.of(pause) : Optional.empty();
  }

  int maxAttempts(Throwable error) {
    return error instanceof RetryableException retryable
        ? retryable.maxAttempts()
        : policy.maxAttempts();
  }

  private Duration pause(int attempt, Throwable error, double random) {
    Duration asked = asked(error);
    if (asked == null || asked.compareTo(LONGEST) > 0) {
      return policy.delayAfter(attempt, random);
    }
    return asked.isNegative() ? Duration.ZERO : asked;
  }

  private static @Nullable Duration asked(Throwable error) {
    return error instanceof RetryAfter after ? after.retryAfter() : null;
  }

  private boolean isWithinTotalLimit(Instant now, Duration pause) {
    return policy
        .totalLimit()
        .map(limit -> !Times.plus(now, pause).isAfter(Times.plus(began, limit)))
        .orElse(true);
  }
}
