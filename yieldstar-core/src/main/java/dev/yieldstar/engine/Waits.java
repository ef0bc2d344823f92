package dev.yieldstar.engine;

import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import java.time.Duration;
import java.time.Instant;

/// Waits for a time: recorded once, when they begin.
record Waits(Session session) {

  void sleep(String stored, Duration duration) {
    wait(stored, new Due.After(duration.isNegative() ? Duration.ZERO : duration));
  }

  void sleepUntil(String stored, Instant instant) {
    wait(stored, new Due.At(instant));
  }

  private void wait(String stored, Due due) {
    session.enter(stored);
    try {
      session.waitUntil(stored, recordedEnd(stored, due));
    } finally {
      session.exit();
    }
  }

  private Instant recordedEnd(String stored, Due due) {
    StepRecord recorded = session.recorded(stored, StepKind.SLEEP);
    if (recorded == null) {
      session.beforeNewStep(stored);
      recorded =
          session.record(stored, 1, StepKind.SLEEP, "", new StepEntry.Wait(due), session.now());
    }
    if (!(recorded.result() instanceof StepResult.Wait(var until))) {
      throw new IllegalStateException("sleep '" + stored + "' is recorded as " + recorded.result());
    }
    return until;
  }
}
