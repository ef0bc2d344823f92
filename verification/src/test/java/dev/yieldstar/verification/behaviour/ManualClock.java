package dev.yieldstar.verification.behaviour;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// A backend's clock that stands until a test moves it. Thread-safe.
final class ManualClock implements InstantSource {
  private final AtomicLong millis = new AtomicLong();

  ManualClock(Instant start) {
    millis.set(start.toEpochMilli());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  void set(Instant instant) {
    millis.set(instant.toEpochMilli());
  }

  void advance(Duration by) {
    millis.addAndGet(by.toMillis());
  }
}
