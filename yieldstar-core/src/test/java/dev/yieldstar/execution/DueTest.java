package dev.yieldstar.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DueTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

  @Test
  void nowIsTheTimeOfTheBackend() {
    assertThat(Due.NOW.resolve(NOW)).isEqualTo(NOW);
  }

  @Test
  void aDelayCountsFromTheTimeOfTheBackend() {
    assertThat(new Due.After(Duration.ofMillis(877)).resolve(NOW))
        .isEqualTo("2026-01-01T00:00:01Z");
  }

  @Test
  void anInstantIsItselfWhateverTheTime() {
    Instant then = Instant.parse("2030-01-01T00:00:00Z");

    assertThat(new Due.At(then).resolve(NOW)).isEqualTo(then);
    assertThat(new Due.At(then).resolve(then.plusSeconds(1))).isEqualTo(then);
  }

  @Test
  @DisplayName("TIM-04 both are rounded up to milliseconds")
  void bothAreRoundedUp() {
    assertThat(new Due.After(Duration.ofNanos(1)).resolve(NOW)).isEqualTo(NOW.plusMillis(1));
    assertThat(new Due.At(NOW.plusNanos(1)).resolve(NOW)).isEqualTo(NOW.plusMillis(1));
  }

  @Test
  @DisplayName("TIM-05 a negative delay lies in the past")
  void aNegativeDelayLiesInThePast() {
    assertThat(new Due.After(Duration.ofSeconds(-1)).resolve(NOW)).isEqualTo(NOW.minusSeconds(1));
  }
}
