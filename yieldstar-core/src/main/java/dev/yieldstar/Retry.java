package dev.yieldstar;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How a step is tried: how often, with which pauses, for how long, after which errors. Immutable,
/// meant to be a shared constant: `Retry.exponential(ofMillis(200)).maxAttempts(5)`.
///
/// Attempts count the first. What an error says itself ([RetryableException], [RetryAfter]) wins
/// over the policy. Pauses grow without a limit of their own up to [maxDelay][#maxDelay(Duration)],
/// a minute unless said otherwise.
public final class Retry {
  private static final int STANDARD_ATTEMPTS = 3;
  private static final Duration STANDARD_CAP = Duration.ofMinutes(1);
  private static final double STANDARD_JITTER = 0.2;
  private static final Duration LONGEST = Duration.ofDays(36500);

  private static final Retry NEVER =
      new Retry(1, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO, 0, null, error -> true);

  private final int maxAttempts;
  private final Duration firstDelay;
  private final double factor;
  private final Duration increment;
  private final Duration maxDelay;
  private final double jitter;
  private final @Nullable Duration totalLimit;
  private final Predicate<? super Throwable> retryOn;

  private Retry(
      int maxAttempts,
      Duration firstDelay,
      double factor,
      Duration increment,
      Duration maxDelay,
      double jitter,
      @Nullable Duration totalLimit,
      Predicate<? super Throwable> retryOn) {
    this.maxAttempts = checkAttempts(maxAttempts);
    this.firstDelay = checkPause("the first delay", firstDelay);
    this.factor = factor;
    this.increment = checkPause("the increment", increment);
    this.maxDelay = checkPause("maxDelay", maxDelay);
    this.jitter = jitter;
    this.totalLimit = totalLimit;
    this.retryOn = retryOn;
    if (!(factor >= 1 && factor <= 1000)) {
      throw refused("the factor must be between 1 and 1,000, not " + factor);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw refused("jitter must be between 0 and 1, not " + jitter);
    }
    if (maxDelay.compareTo(firstDelay) < 0) {
      throw refused(
          "maxDelay %s is shorter than the first delay %s".formatted(maxDelay, firstDelay));
    }
    if (totalLimit != null && !totalLimit.isPositive()) {
      throw refused("totalLimit must be positive, not " + totalLimit);
    }
  }

  /// One attempt: an error is final.
  public static Retry never() {
    return NEVER;
  }

  /// Three attempts with this pause between them, no jitter.
  public static Retry fixed(Duration delay) {
    return new Retry(
        STANDARD_ATTEMPTS, delay, 1, Duration.ZERO, capFor(delay), 0, null, error -> true);
  }

  /// Three attempts; the pause is `delay`, then twice, three times as long, up to a minute; no
  /// jitter.
  public static Retry linear(Duration delay) {
    return new Retry(STANDARD_ATTEMPTS, delay, 1, delay, capFor(delay), 0, null, error -> true);
  }

  /// Three attempts; the pause doubles from `firstDelay` up to a minute; a fifth of each is random.
  public static Retry exponential(Duration firstDelay) {
    return new Retry(
        STANDARD_ATTEMPTS,
        firstDelay,
        2,
        Duration.ZERO,
        capFor(firstDelay),
        STANDARD_JITTER,
        null,
        error -> true);
  }

  /// How often the step is tried in all, the first attempt counted; at least 1.
  ///
  /// @throws YieldstarException INVALID_RETRY for 0 and less
  public Retry maxAttempts(int attempts) {
    return new Retry(
        attempts, firstDelay, factor, increment, maxDelay, jitter, totalLimit, retryOn);
  }

  /// Until it works, the total limit ends it, or somebody cancels.
  public Retry forever() {
    return maxAttempts(Integer.MAX_VALUE);
  }

  /// What each pause of an exponential policy is multiplied by, 1 to 1,000.
  public Retry factor(double multiplier) {
    return new Retry(
        maxAttempts, firstDelay, multiplier, increment, maxDelay, jitter, totalLimit, retryOn);
  }

  /// The longest pause.
  public Retry maxDelay(Duration longest) {
    return new Retry(
        maxAttempts, firstDelay, factor, increment, longest, jitter, totalLimit, retryOn);
  }

  /// The part of each pause that is random, 0 to 1: a pause is never longer than without it.
  public Retry jitter(double part) {
    return new Retry(
        maxAttempts, firstDelay, factor, increment, maxDelay, part, totalLimit, retryOn);
  }

  /// The time that all attempts and pauses may take together: no attempt begins after it.
  public Retry totalLimit(Duration limit) {
    return new Retry(maxAttempts, firstDelay, factor, increment, maxDelay, jitter, limit, retryOn);
  }

  /// Tries again only after these errors. A wrapper (`ExecutionException`, `CompletionException`,
  /// `InvocationTargetException`, `UncheckedIOException`) is judged by what it wraps.
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public final Retry on(Class<? extends Throwable>... errors) {
    var classes = List.of(errors);
    return on(error -> isAny(classes, error));
  }

  /// Never tries again after these errors; otherwise as before.
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public final Retry except(Class<? extends Throwable>... errors) {
    var classes = List.of(errors);
    Predicate<? super Throwable> before = retryOn;
    return on(error -> !isAny(classes, error) && before.test(error));
  }

  /// Tries again only after errors that this says yes to. Only the error itself is asked about,
  /// never its causes; wrappers are taken off.
  public Retry on(Predicate<? super Throwable> errors) {
    return new Retry(
        maxAttempts, firstDelay, factor, increment, maxDelay, jitter, totalLimit, errors);
  }

  /// How often the step is tried in all.
  public int maxAttempts() {
    return maxAttempts;
  }

  /// The time that all attempts may take together.
  public Optional<Duration> totalLimit() {
    return Optional.ofNullable(totalLimit);
  }

  /// The pause after the `failures`th failed attempt.
  ///
  /// @param random 0 to 1, decides the random part
  public Duration delayAfter(int failures, double random) {
    double millis = firstDelay.toNanos() / 1e6 * Math.pow(factor, failures - 1);
    millis += increment.toNanos() / 1e6 * (failures - 1);
    double capped = Math.min(millis, maxDelay.toNanos() / 1e6);
    double jittered = capped * (1 - jitter * random);
    return Duration.ofNanos(Math.round(Math.ceil(jittered * 1e6)));
  }

  /// Whether the policy tries again after this error, attempts aside.
  public boolean retriesAfter(Throwable error) {
    return retryOn.test(unwrapped(error));
  }

  /// The error without the wrappers that only carry another one.
  private static Throwable unwrapped(Throwable error) {
    Throwable inner = error;
    while (isWrapper(inner) && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  private static boolean isWrapper(Throwable error) {
    return error instanceof java.util.concurrent.ExecutionException
        || error instanceof java.util.concurrent.CompletionException
        || error instanceof java.lang.reflect.InvocationTargetException
        || error instanceof java.io.UncheckedIOException;
  }

  private static boolean isAny(List<Class<? extends Throwable>> classes, Throwable error) {
    return classes.stream().anyMatch(type -> type.isInstance(error));
  }

  private static Duration capFor(Duration delay) {
    return delay.compareTo(STANDARD_CAP) > 0 ? delay : STANDARD_CAP;
  }

  static int checkAttempts(int attempts) {
    if (attempts < 1) {
      throw refused(
          "maxAttempts counts the first attempt and must be at least 1, not %d; for no limit there is forever()"
              .formatted(attempts));
    }
    return attempts;
  }

  static Duration checkPause(String name, Duration pause) {
    if (pause.isNegative() || pause.compareTo(LONGEST) > 0) {
      throw refused(
          "%s must be between zero and %d days, not %s".formatted(name, LONGEST.toDays(), pause));
    }
    return pause;
  }

  private static YieldstarException refused(String what) {
    return new YieldstarException("INVALID_RETRY", "This retry policy can't be: " + what + ".");
  }
}
