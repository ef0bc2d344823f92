package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yieldstar.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Payloads that nobody encoded: broken, enormous, or made to do harm.
@Timeout(30)
class HostileInputTest extends CodecSupport {

  record Line(String sku, int quantity) {}

  record Node(@Nullable Node next) {}

  sealed interface Shape {}

  record Circle(double size) implements Shape {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "x",
        "{\"sku\":\"a\",\"quantity\":1}}",
        "{\"sku\":\"a\",\"quantity\":1} 2",
        "{\"sku\":\"a\",\"quantity\":1,}",
        "{\"sku\":\"a\",\"sku\":\"b\",\"quantity\":1}",
        "{\"sku\":\"a\",\"quantity\":1.0}",
        "{\"sku\":\"a\",\"quantity\":\"1\"}",
        "{\"sku\":\"a\",\"quantity\":true}",
        "{\"sku\":1,\"quantity\":1}",
        "{\"sku\":{},\"quantity\":1}",
        "{\"sku\":\"a\",\"quantity\":2147483648}",
        "{\"sku\":\"a\",\"quantity\":1e999999999}",
        "{'sku':'a','quantity':1}",
        "[1,2]",
        "\"text\"",
        "{\"sku\":\"\\ud800\",\"quantity\":1}",
        "\uFEFF{\"sku\":\"a\",\"quantity\":1}",
        "{\"sku\":\"a\",\"quantity\":1,\"@class\":\"x\"}",
        "{\"SKU\":\"a\",\"quantity\":1}",
        "{\"sku\":NaN,\"quantity\":1}",
        "// c\n{}",
        "{}",
        "[]",
        "1",
        "true"
      })
  void whatIsNoLineIsRefusedInOneWay(String json) {
    assertThat(refusedToDecode(json, Line.class).getMessage()).hasSizeLessThan(900);
  }

  static List<Class<?>> types() {
    return List.of(
        Line.class,
        int.class,
        Long.class,
        double.class,
        String.class,
        BigDecimal.class,
        BigInteger.class,
        Instant.class,
        ZonedDateTime.class,
        LocalDate.class,
        Duration.class,
        UUID.class,
        byte[].class,
        long[].class,
        char.class,
        boolean.class,
        JsonNode.class,
        Shape.class,
        Node.class,
        Throwable.class,
        RecordedError.class,
        Thread.State.class,
        Void.class);
  }

  @ParameterizedTest
  @MethodSource("types")
  void whateverComesInOnlyValueRefusedComesOut(Class<?> type) {
    long seed =
        System.getProperty("seed", "").isBlank() ? new Random().nextLong() : Long.getLong("seed");
    Random random = new Random(seed);
    List<String> seeds =
        List.of(
            "null",
            "0",
            "-1.5e3",
            "\"\"",
            "\"2026-01-01T00:00:00Z\"",
            "[]",
            "{}",
            "[[],{}]",
            "true",
            "{\"sku\":\"a\",\"quantity\":1}",
            "{\"next\":{\"next\":null}}",
            "{\"@type\":\"Circle\",\"size\":1}",
            "{\"type\":\"java.lang.Error\",\"message\":\"m\",\"stack\":[\"a.b(c:1)\"],\"cause\":{\"type\":\"x\"}}");
    for (int i = 0; i < 400; i++) {
      byte[] bytes =
          seeds.get(random.nextInt(seeds.size())).getBytes(StandardCharsets.UTF_8).clone();
      for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] =
            (byte) random.nextInt(random.nextBoolean() ? 128 : 256);
      }
      Payload payload = Payload.of(JacksonCodec.FORMAT, bytes);
      Throwable thrown = catchThrowable(() -> CODEC.decode(payload, type));
      if (thrown != null) {
        assertThat(thrown).as("seed %d", seed).isInstanceOf(ValueRefused.class);
      }
      Throwable text = catchThrowable(() -> CanonicalJson.of(CODEC.text(payload)));
      if (text != null) {
        assertThat(text).as("seed %d", seed).isInstanceOf(ValueRefused.class);
      }
    }
  }

  @Test
  void deepNestingIsRefusedNotOverflowed() throws InterruptedException {
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  refusedToDecode("{\"next\":".repeat(100_000), Node.class);
                  refusedToDecode("[".repeat(1_000_000), JsonNode.class);
                  refusedToDecode("[".repeat(501) + "]".repeat(501), JsonNode.class);
                  refusedToDecode("{\"cause\":".repeat(100_000), Throwable.class);
                  refusedToDecode("[".repeat(100_000), NaturalValues.CONTEXT);
                });
    thread.join();
    assertThat(read("[".repeat(500) + "]".repeat(500), JsonNode.class)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e-999999999", "1e99999999999999999999", "-1E+20002"})
  void absurdExponentsAreRefusedEverywhere(String number) {
    for (Class<?> type :
        List.of(
            BigDecimal.class,
            BigInteger.class,
            double.class,
            long.class,
            JsonNode.class,
            Instant.class)) {
      refusedToDecode(number, type);
    }
    refusedToDecode("{\"a\":" + number + "}", NaturalValues.CONTEXT);
    refusedToDecode("[" + number + "]", new TypeRef<List<Optional<BigDecimal>>>() {}.type());
  }

  @Test
  void numbersOfAnyLengthAreBounded() {
    refusedToDecode("9".repeat(1_000_000), BigInteger.class);
    refusedToDecode("0." + "9".repeat(1_000_000), BigDecimal.class);
    refusedToDecode("9".repeat(1_000_000), JsonNode.class);
    assertThat(read("9".repeat(10_000), BigInteger.class))
        .isEqualTo(new BigInteger("9".repeat(10_000)));
  }

  @Test
  void aNumberThatADoubleCannotHoldIsRefused() {
    refusedToDecode("1e400", double.class);
    refusedToDecode("-1e400", Double.class);
    refusedToDecode("[1e400]", double[].class);
    refusedToDecode("1e39", float.class);
    refusedToDecode("\"NaN\"", double.class);
    refusedToDecode("\"\\u004eaN\"", double.class);
    refusedToDecode("[1, \"+INF\"]", float[].class);
    refusedToDecode("9".repeat(400), double.class);
    refusedToDecode("{\"size\":1e400,\"@type\":\"Circle\"}", Shape.class);
    refusedToDecode("\"Infinity\"", Double.class);
  }

  @Test
  void onlyUtf8IsRead() {
    for (Charset charset :
        List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16)) {
      bytesRefused("{\"a\":\"b\"}".getBytes(charset));
    }
    bytesRefused("\"\u00e9\"".getBytes(StandardCharsets.ISO_8859_1));
    bytesRefused(new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'}); // NUL, written too long
    bytesRefused(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}); // half a character
    bytesRefused(
        new byte[] {'"', (byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80, '"'}); // too large
    bytesRefused(new byte[] {'"', (byte) 0xE2, (byte) 0x82}); // cut off
    bytesRefused(new byte[] {'"', 'a', 0, '"'});
    bytesRefused(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, '1'});
    bytesRefused(new byte[] {(byte) 0xEF});
  }

  private static void bytesRefused(byte[] bytes) {
    Payload payload = Payload.of(JacksonCodec.FORMAT, bytes);
    assertThat(
            catchThrowableOfType(ValueRefused.class, () -> CODEC.decode(payload, JsonNode.class))
                .code())
        .isEqualTo(ValueRefused.UNDECODABLE);
    assertThat(catchThrowableOfType(ValueRefused.class, () -> CODEC.text(payload)).code())
        .isEqualTo(ValueRefused.UNDECODABLE);
  }

  @Test
  void aPayloadOfAnotherFormatIsRefused() {
    Payload foreign = Payload.of((byte) 77, "1".getBytes(StandardCharsets.UTF_8));
    assertThat(catchThrowableOfType(ValueRefused.class, () -> CODEC.decode(foreign, int.class)))
        .hasMessageContaining("77");
    assertThat(catchThrowableOfType(ValueRefused.class, () -> CODEC.text(foreign)).code())
        .isEqualTo(ValueRefused.UNDECODABLE);
  }

  @Test
  void manyKeysOfTheSameHashAreHarmless() {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < 1 << 14; i++) {
      StringBuilder key = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      json.append(i == 0 ? "\"" : ",\"").append(key).append("\":1");
    }
    json.append('}');
    assertThat((Map<?, ?>) read(json.toString(), new TypeRef<Map<String, Integer>>() {}.type()))
        .hasSize(1 << 14);
    assertThat(CanonicalJson.of(json.toString())).hasSameSizeAs(json);
  }

  @Test
  @DisplayName("COD-12 escaped and plain texts are told apart when they are read")
  void escapesAreReadExactly() {
    assertThat(read("\"\\\\ud800\"", String.class)).isEqualTo("\\ud800");
    assertThat(read("\"\\ud83d\\ude00\"", String.class)).isEqualTo("\uD83D\uDE00");
    assertThat(read("\"\\\\\\ud83d\\ude00\"", String.class)).isEqualTo("\\\uD83D\uDE00");
    refusedToDecode("\"\\\\\\ud83d\"", String.class);
    refusedToDecode("\"\\ud83d\\u0041\"", String.class);
  }
}
