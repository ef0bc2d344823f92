package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "0.000, 0",
    "0e999999999, 0",
    "-0.0e5, 0",
    "1, 1",
    "1.0, 1",
    "10e-1, 1",
    "100, 1e2",
    "1E2, 1e2",
    "1e+2, 1e2",
    "-1.50, -15e-1",
    "0.001, 1e-3",
    "123.4560, 123456e-3",
    "9007199254740993, 9007199254740993",
    "1e10000, 1e10000",
    "10e9999, 1e10000",
    "0.1e-9999, 1e-10000",
    "1.0e0000000000000000002, 1e2"
  })
  void aNumberIsItsDigitsAndItsExponent(String number, String canonical) {
    assertThat(CanonicalJson.of(number)).isEqualTo(canonical);
    assertThat(CanonicalJson.of(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e10001",
        "1e-10001",
        "10e10000",
        "1e999999999",
        "1e99999999999999999999999999",
        "-1e-99999999999999999999999999"
      })
  void anExponentBeyondTheBoundIsRefused(String number) {
    refused(number);
    refused("{\"a\":[" + number + "]}");
  }

  @Test
  @DisplayName("S04 null is kept apart from absent")
  void nullIsKeptApartFromAbsent() {
    assertThat(CanonicalJson.of("{\"a\":null}"))
        .isEqualTo("{\"a\":null}")
        .isNotEqualTo(CanonicalJson.of("{}"));
    assertThat(CanonicalJson.of("[null]")).isNotEqualTo(CanonicalJson.of("[]"));
  }

  @Test
  @DisplayName("S03 keys are sorted by UTF-16 code units at every depth, lists keep their order")
  void keysAreSorted() {
    assertThat(
            CanonicalJson.of(" { \"b\" : [ 2 , 1 ] , \"a\" : { \"z\" : true , \"y\" : \"\" } } "))
        .isEqualTo("{\"a\":{\"y\":\"\",\"z\":true},\"b\":[2,1]}");
    assertThat(CanonicalJson.of("{\"\uE000\":1,\"\uD83D\uDE00\":2,\"Z\":3,\"a\":4,\"\":5}"))
        .isEqualTo("{\"\":5,\"Z\":3,\"a\":4,\"\uD83D\uDE00\":2,\"\uE000\":1}");
  }

  @Test
  void textsAreTheSameHoweverTheyAreEscaped() {
    assertThat(CanonicalJson.of("\"\\u0041\\/\\n\\u000a\\ud83d\\ude00\\u0000\""))
        .isEqualTo("\"A/\\u000a\\u000a\uD83D\uDE00\\u0000\"");
    assertThat(CanonicalJson.of("\"e\u0301\"")).isNotEqualTo(CanonicalJson.of("\"\u00e9\""));
    assertThat(CanonicalJson.of("\"\\\\u0000\"")).isEqualTo("\"\\\\u0000\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{'a':1}",
        "nul",
        "NaN",
        "Infinity",
        "-Infinity",
        "+1",
        "01",
        "1.",
        ".5",
        "1e",
        "--1",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"",
        "1 2",
        "{} []",
        "[] x",
        "// c\n1",
        "/* c */ 1",
        "{\"a\":1,\"a\":1}",
        "{\"a\":1,\"\\u0061\":2}",
        "[{\"x\":{\"a\":1,\"b\":2,\"a\":1}}]",
        "\uFEFF{}",
        "{}\u0000",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud83d\":1}",
        "undefined",
        "1_000",
        "0x10"
      })
  void whatIsNoStrictJsonIsRefused(String json) {
    refused(json);
  }

  @Test
  void nestingIsBoundedAndHarmless() {
    assertThat(CanonicalJson.of("[".repeat(500) + "]".repeat(500))).hasSize(1_000);
    refused("[".repeat(501) + "]".repeat(501));
    refused("[".repeat(1_000_000));
    refused("{\"a\":".repeat(1_000_000));
  }

  @RepeatedTest(20)
  void theSameValueInAnyDressHasTheSameCanonicalText() {
    long seed =
        System.getProperty("seed", "").isBlank() ? new Random().nextLong() : Long.getLong("seed");
    Random random = new Random(seed);
    Object value = value(random, 4);
    String first = dressed(value, new Random(seed + 1));
    String second = dressed(value, new Random(seed + 2));
    assertThat(CanonicalJson.of(first)).as("seed %d", seed).isEqualTo(CanonicalJson.of(second));
    assertThat(CanonicalJson.of(CanonicalJson.of(first)))
        .as("seed %d", seed)
        .isEqualTo(CanonicalJson.of(first));
    assertThat(Fingerprint.of(first)).isEqualTo(Fingerprint.of(second));
  }

  @Test
  void aFingerprintIsSixtyFourHexadecimalDigits() {
    assertThat(Fingerprint.of("{}").hex())
        .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    assertThat(Fingerprint.of(" { } ")).isEqualTo(Fingerprint.of("{}"));
    assertThat(Fingerprint.of("null")).isNotEqualTo(Fingerprint.of("{}"));
    assertThatIllegalArgumentException().isThrownBy(() -> new Fingerprint("ABC"));
  }

  private static void refused(String json) {
    ValueRefused refused = catchThrowableOfType(ValueRefused.class, () -> CanonicalJson.of(json));
    assertThat(refused).as(Texts.clipped(json, 60)).isNotNull();
    assertThat(refused.code()).isEqualTo(ValueRefused.UNDECODABLE);
    assertThat(refused.getMessage()).hasSizeLessThan(500);
  }

  private record Member(String key, Object value) {}

  private record Members(List<Member> all) {}

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> BigDecimal.valueOf(random.nextInt(10_000) * 10L, random.nextInt(9) - 4);
      case 1 -> String.valueOf((char) (32 + random.nextInt(600)));
      case 2 -> random.nextBoolean();
      case 3 -> {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
      default -> {
        List<Member> members = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          members.add(new Member("k" + i, value(random, depth - 1)));
        }
        yield new Members(members);
      }
    };
  }

  private static String dressed(Object value, Random random) {
    String space = random.nextBoolean() ? " " : "\n";
    return switch (value) {
      case BigDecimal number -> random.nextBoolean() ? number.toPlainString() : number.toString();
      case String text ->
          random.nextBoolean() && text.charAt(0) != '"' && text.charAt(0) != '\\'
              ? '"' + text + '"'
              : "\"\\u%04x\"".formatted((int) text.charAt(0));
      case List<?> list -> {
        List<String> parts = new ArrayList<>();
        list.forEach(element -> parts.add(dressed(element, random) + space));
        yield "[" + String.join(",", parts) + "]";
      }
      case Members members -> {
        List<Member> shuffled = new ArrayList<>(members.all());
        Collections.shuffle(shuffled, random);
        List<String> parts = new ArrayList<>();
        shuffled.forEach(
            member ->
                parts.add(
                    '"' + member.key() + '"' + space + ":" + dressed(member.value(), random)));
        yield "{" + space + String.join(",", parts) + "}";
      }
      default -> String.valueOf(value);
    };
  }
}
