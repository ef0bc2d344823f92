package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NaturalValuesTest extends CodecSupport {

  record Line(String sku) {}

  @Test
  @DisplayName("S08 a context comes back in its order, with its nulls and its numbers")
  void aContextComesBack() {
    Map<String, @Nullable Object> context = new LinkedHashMap<>();
    context.put("tenant", "acme");
    context.put("nothing", null);
    context.put("int", 1);
    context.put("long", 9007199254740993L);
    context.put("big", new BigInteger("123456789012345678901234567890"));
    context.put("amount", new BigDecimal("10.00"));
    context.put("flag", true);
    context.put("a list", Arrays.asList("x", null, List.of()));
    context.put("@type", Map.of("message", "no error"));
    Map<?, ?> back = (Map<?, ?>) Objects.requireNonNull(there(context, NaturalValues.CONTEXT));
    assertThat(back).isEqualTo(context);
    assertThat(List.<Object>copyOf(back.keySet())).isEqualTo(List.copyOf(context.keySet()));
  }

  @Test
  @DisplayName("S08 a missing context is an empty one")
  void aMissingContextIsEmpty() {
    assertThat(there(null, NaturalValues.CONTEXT)).isEqualTo(Map.of());
    assertThat(json(null, NaturalValues.CONTEXT)).isEqualTo("{}");
    assertThat(read("null", NaturalValues.CONTEXT)).isEqualTo(Map.of());
  }

  @Test
  void otherNumbersComeBackAsTheNumbersThatTheyAre() {
    assertThat(
            there(
                Map.of("d", 0.1, "f", 0.5f, "s", (short) 1, "b", (byte) 2, "z", -0.0),
                NaturalValues.CONTEXT))
        .isEqualTo(
            Map.of(
                "d",
                new BigDecimal("0.1"),
                "f",
                new BigDecimal("0.5"),
                "s",
                1,
                "b",
                2,
                "z",
                new BigDecimal("0.0")));
  }

  @Test
  @DisplayName("S09 what is no natural value is refused, and where it is")
  void whatIsNoNaturalValueIsRefused() {
    for (Object value :
        List.of(
            Instant.EPOCH,
            new Line("a"),
            Double.NaN,
            Float.POSITIVE_INFINITY,
            Thread.currentThread(),
            Optional.empty(),
            Set.of("a"),
            new int[0],
            'c',
            new Object(),
            Map.of(1, "a"),
            "\ud800")) {
      assertThat(refusedToEncode(Map.of("a", List.of(1, value)), NaturalValues.CONTEXT))
          .hasMessageContaining("$.a[1]");
    }
    assertThat(refusedToEncode(List.of(), NaturalValues.CONTEXT)).hasMessageContaining("context");
    refusedToDecode("[]", NaturalValues.CONTEXT);
    refusedToDecode("1", NaturalValues.CONTEXT);
  }

  @Test
  void aContextThatContainsItselfIsRefused() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    list.add(list);
    assertThat(refusedToEncode(Map.of("l", list), NaturalValues.CONTEXT))
        .hasMessageContaining("contains itself");
  }
}
