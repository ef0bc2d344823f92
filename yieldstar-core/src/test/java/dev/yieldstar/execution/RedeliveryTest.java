package dev.yieldstar.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RedeliveryTest {
  @Test
  @DisplayName("S28 the delay is a second, doubled with each failure, up to a minute")
  void theDelayDoublesUpToAMinute() {
    assertThat(IntStream.rangeClosed(1, 8).mapToObj(Redelivery::delay))
        .containsExactly(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8),
            Duration.ofSeconds(16),
            Duration.ofSeconds(32),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1));
  }

  @Test
  void theLastDelayWithinTheBudgetIsAMinuteAndTheNextIsTenMinutes() {
    assertThat(Redelivery.delay(Redelivery.BUDGET)).isEqualTo(Duration.ofMinutes(1));
    assertThat(Redelivery.delay(Redelivery.BUDGET + 1)).isEqualTo(Duration.ofMinutes(10));
    assertThat(Redelivery.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  @DisplayName(
      "RET-03 no number of failures gives a delay that is not positive, or one that shrinks")
  void noDelayShrinks() {
    Duration before = Duration.ofNanos(1);
    for (int failures = -5; failures < 200; failures++) {
      Duration delay = Redelivery.delay(failures);
      assertThat(delay).isGreaterThanOrEqualTo(before);
      before = delay;
    }
  }
}
