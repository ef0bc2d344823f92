package dev.yieldstar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "back\\slash", "naïve \uD83D\uDE00", "tab\t\u001F"})
  void whatADatabaseKeepsIsStoredAsItIs(String text) {
    assertThat(Texts.stored(text)).isSameAs(text);
    assertThat(Texts.read(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0000",
        "a\u0000b\\u0000",
        "\uD800",
        "x\uDC00",
        "\uDC00\uD800",
        "\uD83D\uDE00\uD83D",
        "\u0001",
        "\u0001\\0000",
        "\uD83D\uDE00\u0000\\"
      })
  void whatNoDatabaseKeepsComesBackExactly(String text) {
    String stored = Texts.stored(text);
    assertThat(stored).doesNotContain("\u0000");
    assertThat(new String(bytes(stored), StandardCharsets.UTF_8)).isEqualTo(stored);
    assertThat(Texts.read(stored)).isEqualTo(text);
  }

  private static byte[] bytes(@Nullable String text) {
    return Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void noTextStaysNoText() {
    assertThat(Texts.stored(null)).isNull();
    assertThat(Texts.read(null)).isNull();
  }
}
