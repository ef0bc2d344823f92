package dev.yieldstar.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yieldstar.YieldstarException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class EngineSettingsTest {
  private static final EngineSettings STANDARD = EngineSettings.standard();

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("impossible")
  @DisplayName("S14 a setting that can't be is refused, and the message names it")
  void aSettingThatCannotBeIsRefusedByName(
      String name, Object value, UnaryOperator<EngineSettings> change) {
    assertThatThrownBy(() -> change.apply(STANDARD))
        .isInstanceOf(YieldstarException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value.toString());
  }

  static Stream<Arguments> impossible() {
    Duration lease = STANDARD.leaseDuration();
    Duration less = Duration.ofMillis(-1);
    return Stream.of(
        refused("concurrency", 0, s -> s.withConcurrency(0)),
        refused("concurrency", -1, s -> s.withConcurrency(-1)),
        refused("leaseDuration", Duration.ZERO, s -> s.withLeaseDuration(Duration.ZERO)),
        refused("leaseDuration", less, s -> s.withLeaseDuration(less)),
        refused("renewInterval", Duration.ZERO, s -> s.withRenewInterval(Duration.ZERO)),
        refused("renewInterval", less, s -> s.withRenewInterval(less)),
        refused("renewInterval", lease, s -> s.withRenewInterval(lease)),
        refused("abortGracePeriod", less, s -> s.withAbortGracePeriod(less)),
        refused("pollInterval", Duration.ZERO, s -> s.withPollInterval(Duration.ZERO)),
        refused("linger", less, s -> s.withLinger(less)),
        refused("shutdownTimeout", less, s -> s.withShutdownTimeout(less)),
        refused("startTimeout", Duration.ZERO, s -> s.withStartTimeout(Duration.ZERO)),
        refused("maxPayload", 1023, s -> s.withMaxPayload(1023)),
        refused("maxParked", -1, s -> s.withMaxParked(-1)));
  }

  private static Arguments refused(
      String name, Object value, UnaryOperator<EngineSettings> change) {
    return Arguments.of(name, value, change);
  }

  @Test
  @DisplayName("S14 the smallest and the largest settings that can be are accepted")
  void theBoundsThemselvesAreAccepted() {
    EngineSettings small =
        STANDARD
            .withConcurrency(1)
            .withLeaseDuration(Duration.ofNanos(3))
            .withRenewInterval(Duration.ofNanos(2))
            .withAbortGracePeriod(Duration.ZERO)
            .withLinger(Duration.ZERO)
            .withShutdownTimeout(Duration.ZERO)
            .withMaxParked(0);
    assertThat(small.renewInterval()).isEqualTo(Duration.ofNanos(2));
  }

  @Test
  @DisplayName("S15 the defaults")
  void theDefaults() {
    assertThat(STANDARD)
        .extracting(
            EngineSettings::concurrency,
            EngineSettings::leaseDuration,
            EngineSettings::renewInterval,
            EngineSettings::abortGracePeriod,
            EngineSettings::pollInterval)
        .containsExactly(
            256,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofMillis(10));
    assertThat(STANDARD.keepAlive()).isTrue();
  }

  @Test
  @DisplayName("S15 the renewal interval follows the lease, a third of it")
  void theRenewalIntervalFollowsTheLease() {
    assertThat(STANDARD.withLeaseDuration(Duration.ofSeconds(6)).renewInterval())
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void eachSettingChangesItselfAlone() {
    Map<String, EngineSettings> changed =
        Map.of(
            "concurrency", STANDARD.withConcurrency(7),
            "abortGracePeriod", STANDARD.withAbortGracePeriod(Duration.ofSeconds(7)),
            "pollInterval", STANDARD.withPollInterval(Duration.ofSeconds(7)),
            "linger", STANDARD.withLinger(Duration.ofSeconds(7)),
            "shutdownTimeout", STANDARD.withShutdownTimeout(Duration.ofSeconds(7)),
            "startTimeout", STANDARD.withStartTimeout(Duration.ofSeconds(7)),
            "renewInterval", STANDARD.withRenewInterval(Duration.ofSeconds(7)),
            "maxPayload", STANDARD.withMaxPayload(7_000),
            "maxParked", STANDARD.withMaxParked(7),
            "keepAlive", STANDARD.withKeepAlive(false));
    changed.forEach(
        (name, settings) ->
            assertThat(settings)
                .usingRecursiveComparison()
                .ignoringFields(name)
                .isEqualTo(STANDARD));
    assertThat(changed.values()).doesNotContain(STANDARD).doesNotHaveDuplicates();
  }
}
