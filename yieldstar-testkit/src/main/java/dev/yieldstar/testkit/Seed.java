package dev.yieldstar.testkit;

import java.util.Random;

/// Seeds of random tests: what `-Dseed=` says, so that a failure can be replayed, else a new one.
final class Seed {
  private Seed() {}

  static long next() {
    String given = System.getProperty("seed", "");
    return given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
  }
}
