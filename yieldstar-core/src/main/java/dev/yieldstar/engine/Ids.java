package dev.yieldstar.engine;

import dev.yieldstar.execution.Lease;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Makes ids. Thread-safe.
final class Ids {
  /// What internal ids count from, so that 41 bits of milliseconds last until 2096.
  private static final long EPOCH = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  private static final int RANDOM_BITS = 22;

  private final SecureRandom random = new SecureRandom();
  private final AtomicLong lastInternal = new AtomicLong();

  /// An execution id: a UUID of version 7, in the order of time.
  String executionId() {
    long millis = System.currentTimeMillis();
    long high = (millis << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }

  /// An internal id: milliseconds and random bits, growing within a process, so that new rows lie
  /// together. Two processes may draw the same one; the admission that finds it taken draws again.
  long internal() {
    long fresh =
        (Math.max(0, System.currentTimeMillis() - EPOCH) << RANDOM_BITS)
            | random.nextInt(1 << RANDOM_BITS);
    return lastInternal.updateAndGet(last -> fresh > last ? fresh : last + 1);
  }

  /// A lease id.
  long lease() {
    long id = random.nextLong();
    return id == Lease.NONE ? 1 : id;
  }

  UUID randomUuid() {
    return UUID.randomUUID();
  }

  double random() {
    return random.nextDouble();
  }
}
