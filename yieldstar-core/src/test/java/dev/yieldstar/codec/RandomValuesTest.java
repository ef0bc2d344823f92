package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.TypeRef;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Values of every shape at once, drawn by chance.
class RandomValuesTest extends CodecSupport {
  private static final Type TYPE =
      new TypeRef<Map<String, List<Result<Optional<Everything>>>>>() {}.type();
  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("Europe/Berlin"), ZoneId.of("UTC"), ZoneOffset.UTC, ZoneId.of("+05:45"));

  enum Color {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "RED";
      }
    }
  }

  sealed interface Result<T> {}

  record Success<T>(@Nullable T value) implements Result<T> {}

  record Failure<T>(String message, List<Result<T>> others) implements Result<T> {}

  record Everything(
      boolean flag,
      char letter,
      byte small,
      long number,
      double ratio,
      float fraction,
      @Nullable Integer box,
      @Nullable String text,
      BigDecimal amount,
      BigInteger big,
      Color color,
      Instant at,
      ZonedDateTime zoned,
      LocalDate date,
      Duration duration,
      UUID id,
      Optional<String> note,
      Set<Color> colors,
      Map<Color, List<@Nullable Long>> byColor,
      Map<Integer, Optional<LocalDate>> byNumber,
      List<Everything> children) {}

  private final long seed =
      System.getProperty("seed", "").isBlank() ? new Random().nextLong() : Long.getLong("seed");
  private final Random random = new Random(seed);

  @Test
  void randomValuesComeBack() {
    for (int i = 0; i < 40; i++) {
      Map<String, List<Result<Optional<Everything>>>> value =
          map(this::text, () -> list(() -> result(2), 3), 3);
      Payload payload = CODEC.encode(value, TYPE);
      assertThat(CODEC.decode(payload, TYPE)).as("seed %d", seed).isEqualTo(value);
      assertThat(Fingerprint.of(CODEC.text(payload)))
          .as("seed %d", seed)
          .isEqualTo(Fingerprint.of(CanonicalJson.of(CODEC.text(payload))));
    }
  }

  private Result<Optional<Everything>> result(int depth) {
    return random.nextInt(3) > 0
        ? new Success<>(random.nextBoolean() ? Optional.empty() : Optional.of(everything(depth)))
        : new Failure<>(text(), depth == 0 ? List.of() : list(() -> result(depth - 1), 2));
  }

  private Everything everything(int depth) {
    return new Everything(
        random.nextBoolean(),
        (char) random.nextInt(0xD800),
        (byte) random.nextInt(),
        random.nextLong() >> random.nextInt(64),
        number() + 0.0,
        (float) number() + 0.0f,
        random.nextBoolean() ? null : random.nextInt(),
        random.nextBoolean() ? null : text(),
        new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(60) - 30),
        new BigInteger(random.nextInt(300), random).negate(),
        color(),
        Instant.ofEpochSecond(random.nextLong() >> 30, random.nextInt(1_000_000_000)),
        Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))
            .atZone(ZONES.get(random.nextInt(ZONES.size()))),
        LocalDate.ofEpochDay(random.nextInt(1_000_000) - 500_000),
        Duration.ofSeconds(random.nextLong() >> 10, random.nextInt(1_000_000_000)),
        new UUID(random.nextLong(), random.nextLong()),
        random.nextBoolean() ? Optional.empty() : Optional.of(text()),
        new LinkedHashSet<>(list(this::color, 2)),
        map(this::color, () -> list(() -> random.nextBoolean() ? null : random.nextLong(), 3), 2),
        map(random::nextInt, () -> Optional.of(LocalDate.EPOCH), 2),
        depth == 0 ? List.of() : list(() -> everything(depth - 1), 2));
  }

  private double number() {
    return random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30);
  }

  private Color color() {
    return Color.values()[random.nextInt(2)];
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int point = random.nextInt(random.nextBoolean() ? 128 : 0x110000);
      text.appendCodePoint(
          Character.isBmpCodePoint(point) && Character.isSurrogate((char) point) ? '\\' : point);
    }
    return text.toString();
  }

  private <T extends @Nullable Object> List<T> list(Supplier<T> element, int most) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      list.add(element.get());
    }
    return list;
  }

  private <K, V> Map<K, V> map(Supplier<K> key, Supplier<V> value, int most) {
    Map<K, V> map = new LinkedHashMap<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      map.put(key.get(), value.get());
    }
    return map;
  }
}
