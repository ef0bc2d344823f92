package dev.yieldstar.engine;

import dev.yieldstar.YieldstarException;
import java.time.Duration;

/// The settings of an engine. Values that can't be are refused when they are set.
///
/// @param concurrency how many deliveries run at once
/// @param leaseDuration how long a lease lasts unless renewed
/// @param renewInterval between two renewals of a lease
/// @param abortGracePeriod how long a delivery may take to stop before it is abandoned
/// @param pollInterval the longest pause between two looks for what is due
/// @param linger the longest wait that is waited in place
/// @param shutdownTimeout how long running deliveries may go on after `stop`
/// @param startTimeout how long a start waits for the backend
/// @param maxPayload the largest encoded value in bytes
/// @param maxParked how many deliveries may wait in place at once
/// @param keepAlive whether a started dispatcher keeps the process alive
public record EngineSettings(
    int concurrency,
    Duration leaseDuration,
    Duration renewInterval,
    Duration abortGracePeriod,
    Duration pollInterval,
    Duration linger,
    Duration shutdownTimeout,
    Duration startTimeout,
    int maxPayload,
    int maxParked,
    boolean keepAlive) {

  public EngineSettings {
    if (concurrency < 1) {
      throw refused("concurrency must be a positive integer, not " + concurrency);
    }
    positive("leaseDuration", leaseDuration);
    if (!renewInterval.isPositive() || renewInterval.compareTo(leaseDuration) >= 0) {
      throw refused(
          "renewInterval must be positive and shorter than leaseDuration (%s), not %s"
              .formatted(leaseDuration, renewInterval));
    }
    notNegative("abortGracePeriod", abortGracePeriod);
    positive("pollInterval", pollInterval);
    notNegative("linger", linger);
    notNegative("shutdownTimeout", shutdownTimeout);
    positive("startTimeout", startTimeout);
    if (maxPayload < 1024) {
      throw refused("maxPayload must be at least 1,024 bytes, not " + maxPayload);
    }
    if (maxParked < 0) {
      throw refused("maxParked must not be negative, but is " + maxParked);
    }
  }

  public static EngineSettings standard() {
    return new EngineSettings(
        256,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        Duration.ofMillis(10),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        2 * 1024 * 1024,
        10_000,
        true);
  }

  public EngineSettings withConcurrency(int deliveries) {
    return new EngineSettings(
        deliveries,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  /// The renewal interval becomes a third of it.
  public EngineSettings withLeaseDuration(Duration duration) {
    positive("leaseDuration", duration);
    return new EngineSettings(
        concurrency,
        duration,
        duration.dividedBy(3),
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withRenewInterval(Duration interval) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        interval,
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withAbortGracePeriod(Duration period) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        period,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withPollInterval(Duration interval) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        interval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withLinger(Duration longest) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        longest,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withShutdownTimeout(Duration timeout) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        linger,
        timeout,
        startTimeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withStartTimeout(Duration timeout) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        timeout,
        maxPayload,
        maxParked,
        keepAlive);
  }

  public EngineSettings withMaxPayload(int bytes) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        bytes,
        maxParked,
        keepAlive);
  }

  public EngineSettings withMaxParked(int deliveries) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        deliveries,
        keepAlive);
  }

  public EngineSettings withKeepAlive(boolean alive) {
    return new EngineSettings(
        concurrency,
        leaseDuration,
        renewInterval,
        abortGracePeriod,
        pollInterval,
        linger,
        shutdownTimeout,
        startTimeout,
        maxPayload,
        maxParked,
        alive);
  }

  private static void positive(String name, Duration duration) {
    if (!duration.isPositive()) {
      throw refused(name + " must be positive, not " + duration);
    }
  }

  private static void notNegative(String name, Duration duration) {
    if (duration.isNegative()) {
      throw refused(name + " must not be negative, but is " + duration);
    }
  }

  private static YieldstarException refused(String what) {
    return new YieldstarException("INVALID_SETTING", "This setting can't be: " + what + ".");
  }
}
