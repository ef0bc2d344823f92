package dev.yieldstar.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands until it is moved.
final class HandClock implements InstantSource {
  private final AtomicLong millis =
      new AtomicLong(Instant.parse("2026-12-01T00:00:00Z").toEpochMilli());

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  void advance(Duration by) {
    millis.addAndGet(by.toMillis());
  }
}
