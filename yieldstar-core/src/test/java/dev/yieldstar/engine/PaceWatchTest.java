package dev.yieldstar.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Leases;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PaceWatchTest {
  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");

  private final Committer committer = new Committer(new MemoryBackend(), certain -> {});
  private final Session session = session();

  @AfterEach
  void close() {
    committer.close(Duration.ofSeconds(5));
  }

  @Test
  void codeThatReachesNoStepIsToldOfOnceForEachStretch() {
    var pace = new PaceWatch(Duration.ZERO);
    pace.watch(session);
    try (var log = new CapturedLog()) {
      pace.look();
      pace.look();
      assertThat(log.warnings()).singleElement().asString().contains("execution 'slow'");

      session.enter("step");
      pace.look();
      assertThat(log.warnings()).as("inside a step").hasSize(1);

      session.exit();
      pace.look();
      assertThat(log.warnings()).as("after the step").hasSize(2);

      pace.forget(session);
      session.exit();
      pace.look();
      assertThat(log.warnings()).as("after its end").hasSize(2);
    }
  }

  @Test
  void codeWithinTheLimitIsNotToldOf() {
    var pace = new PaceWatch(Duration.ofHours(1));
    pace.watch(session);
    try (var log = new CapturedLog()) {
      pace.look();
      assertThat(log.warnings()).isEmpty();
    }
  }

  private Session session() {
    var admission = Admission.request(1, "slow", "w", null, null, "-", null, Map.of());
    var lease = new Lease(1, 1, 1, 7);
    var signal = new Signal();
    var state = Leases.born(admission, lease, NOW);
    var slots =
        new Delivery.Slots() {
          @Override
          public boolean park() {
            return false;
          }

          @Override
          public boolean unpark() {
            return false;
          }
        };
    var delivery = new Delivery(lease, state, List.of(), NOW, signal, slots);
    return new Session(
        delivery,
        committer,
        EngineSettings.standard(),
        null,
        new Interrupts(signal, null),
        end -> {});
  }
}
