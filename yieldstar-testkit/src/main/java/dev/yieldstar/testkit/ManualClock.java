package dev.yieldstar.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/// A clock that stands still until a test moves it, forwards or back. Thread-safe.
public final class ManualClock implements InstantSource {
  private final AtomicReference<Instant> now;

  public ManualClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get());
  }

  /// Moves it to this instant, which may lie before.
  public void set(Instant instant) {
    now.set(instant);
  }

  /// Moves it by this much, back if negative.
  ///
  /// @return the new time
  public Instant advance(Duration by) {
    return Objects.requireNonNull(now.updateAndGet(instant -> instant.plus(by)));
  }
}
