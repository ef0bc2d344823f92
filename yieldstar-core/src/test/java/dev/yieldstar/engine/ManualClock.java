package dev.yieldstar.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands still until a test moves it. Moved by one thread, read by any.
final class ManualClock implements InstantSource {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private volatile Instant now = NOON;

  @Override
  public Instant instant() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
