package dev.yieldstar.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00Z,           2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.001Z,       2026-01-01T00:00:00.001Z",
    "2026-01-01T00:00:00.000000001Z, 2026-01-01T00:00:00.001Z",
    "2026-01-01T00:00:00.999999999Z, 2026-01-01T00:00:01Z",
    "1969-12-31T23:59:59.999000001Z, 1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.998500000Z, 1969-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59.999999999Z, +10000-01-01T00:00:00Z",
  })
  @DisplayName("TIM-04 a time is rounded up to milliseconds")
  void aTimeIsRoundedUpToMilliseconds(Instant given, Instant expected) {
    assertThat(Times.roundedUp(given)).isEqualTo(expected);
  }

  @Test
  @DisplayName("TIM-01 what lies beyond the range of milliseconds is cut to it")
  void whatLiesBeyondIsCut() {
    assertThat(Times.roundedUp(Instant.MAX)).isEqualTo(LATEST);
    assertThat(Times.roundedUp(LATEST.plusNanos(1))).isEqualTo(LATEST);
    assertThat(Times.roundedUp(LATEST)).isEqualTo(LATEST);
    assertThat(Times.roundedUp(LATEST.minusNanos(1))).isEqualTo(LATEST);
    assertThat(Times.roundedUp(LATEST.minusMillis(1))).isEqualTo(LATEST.minusMillis(1));
    assertThat(Times.roundedUp(Instant.MIN)).isEqualTo(EARLIEST);
    assertThat(Times.roundedUp(EARLIEST)).isEqualTo(EARLIEST);
    assertThat(Times.roundedUp(EARLIEST.plusNanos(1))).isEqualTo(EARLIEST.plusMillis(1));
  }

  @Test
  void aRoundedTimeIsNeverEarlierAndLessThanAMillisecondLater() {
    var random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      Instant given = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));

      Instant rounded = Times.roundedUp(given);

      assertThat(Duration.between(given, rounded))
          .isBetween(Duration.ZERO, Duration.ofNanos(999_999));
      assertThat(Instant.ofEpochMilli(rounded.toEpochMilli())).isEqualTo(rounded);
    }
  }

  @Test
  @DisplayName("TIM-01 a sum beyond the range is cut to it")
  void aSumBeyondTheRangeIsCut() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(Times.plus(now, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))).isEqualTo(LATEST);
    assertThat(Times.plus(now, Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(EARLIEST);
    assertThat(Times.plus(LATEST, Duration.ofNanos(1))).isEqualTo(LATEST);
    assertThat(Times.plus(Instant.MAX, Duration.ofDays(1))).isEqualTo(LATEST);
    assertThat(Times.plus(Instant.MIN, Duration.ofDays(-1))).isEqualTo(EARLIEST);
    assertThat(Times.plus(now, Duration.ofDays(365L * 300))).isEqualTo("2325-10-21T00:00:00Z");
  }

  @Test
  void aSumIsRoundedUpOnce() {
    Instant now = Instant.parse("2026-01-01T00:00:00.000000500Z");

    assertThat(Times.plus(now, Duration.ofNanos(999_500))).isEqualTo("2026-01-01T00:00:00.001Z");
    assertThat(Times.plus(now, Duration.ofNanos(999_501))).isEqualTo("2026-01-01T00:00:00.002Z");
    assertThat(Times.plus(now, Duration.ofSeconds(-1))).isEqualTo("2025-12-31T23:59:59.001Z");
  }
}
