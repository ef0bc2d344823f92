package dev.yieldstar.verification.behaviour;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Something that threads wait at until a test opens it. Thread-safe.
final class Gate {
  private static final int SECONDS = 20;
  private final CountDownLatch latch = new CountDownLatch(1);

  void open() {
    latch.countDown();
  }

  boolean isOpen() {
    return latch.getCount() == 0;
  }

  /// Waits as blocking code in the body of a step does.
  void pass() throws InterruptedException {
    if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("a gate was not opened within " + SECONDS + " s");
    }
  }

  /// Waits whatever happens.
  void await() {
    boolean interrupted = false;
    while (true) {
      try {
        pass();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
