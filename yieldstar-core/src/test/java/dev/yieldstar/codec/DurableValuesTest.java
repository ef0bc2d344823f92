package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.yieldstar.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What round-trips.
class DurableValuesTest extends CodecSupport {

  record Line(String sku, int quantity) {}

  record Outcome<T>(@Nullable T ok, @Nullable String error) {}

  record Address(String street, String town) {}

  record Account(String name, Optional<String> email, Address address) {
    Account {
      if (name.isBlank()) {
        throw new IllegalArgumentException("an account has a name");
      }
    }

    /// Not a component: must not appear in the data.
    boolean isComplete() {
      return email.isPresent();
    }

    String getGreeting() {
      return "Dear " + name;
    }
  }

  record Nothing() {}

  enum Size {
    SMALL,
    LARGE {
      @Override
      public String toString() {
        return "very large";
      }
    }
  }

  @Nested
  class Records {
    @Test
    @DisplayName("COD-01 a list of records comes back as a list of records, at any depth")
    void aListOfRecordsComesBackAsOne() {
      List<Line> lines = List.of(new Line("a", 1), new Line("b", 2));
      List<Line> back = thereAndBack(lines, new TypeRef<List<Line>>() {});
      assertThat(back).isEqualTo(lines);
      assertThat(back.get(1).quantity()).isEqualTo(2);

      Map<String, List<Line>> byCustomer = Map.of("eve", lines);
      Map<String, List<Line>> mapBack =
          thereAndBack(byCustomer, new TypeRef<Map<String, List<Line>>>() {});
      assertThat(mapBack).isEqualTo(byCustomer);

      Outcome<List<Line>> outcome = new Outcome<>(lines, null);
      Outcome<List<Line>> outcomeBack =
          thereAndBack(outcome, new TypeRef<Outcome<List<Line>>>() {});
      assertThat(outcomeBack).isEqualTo(outcome);
    }

    @Test
    @DisplayName("COD-02 records come back through their canonical constructor")
    void recordsComeBackThroughTheirConstructor() {
      comesBack(new Account("Ada", Optional.of("ada@example.org"), new Address("1 Main St", "X")));
      comesBack(new Account("Bob", Optional.empty(), new Address("", "")));
      comesBack(new Nothing());
      assertThat(json(new Nothing(), Nothing.class)).isEqualTo("{}");
    }

    @Test
    @DisplayName(
        "COD-02 a value that the constructor rejects now is a decode error that says where")
    void aValueThatTheConstructorRejectsSaysWhere() {
      String json =
          "[{\"name\":\" \",\"email\":null,\"address\":{\"street\":\"s\",\"town\":\"t\"}}]";
      assertThat(refusedToDecode(json, new TypeRef<List<Account>>() {}.type()))
          .hasMessageContaining("$[0]")
          .hasMessageContaining("an account has a name");
    }

    @Test
    void onlyComponentsAreRecordedInTheirOrder() {
      assertThat(json(new Account("Ada", Optional.empty(), new Address("s", "t")), Account.class))
          .isEqualTo(
              "{\"name\":\"Ada\",\"email\":null,\"address\":{\"street\":\"s\",\"town\":\"t\"}}");
    }

    @Test
    void aComponentThatWasNotRecordedIsNullOrEmpty() {
      assertThat(read("{\"error\":\"e\"}", new TypeRef<Outcome<String>>() {}.type()))
          .isEqualTo(new Outcome<>(null, "e"));
      assertThat(
              read(
                  "{\"name\":\"Ada\",\"address\":{\"street\":\"s\",\"town\":\"t\"}}",
                  Account.class))
          .isEqualTo(new Account("Ada", Optional.empty(), new Address("s", "t")));
    }

    @Test
    void aPrimitiveComponentThatWasNotRecordedIsRefused() {
      assertThat(refusedToDecode("{\"sku\":\"a\"}", Line.class)).hasMessageContaining("quantity");
      assertThat(refusedToDecode("{\"sku\":\"a\",\"quantity\":null}", Line.class))
          .hasMessageContaining("quantity");
    }

    @Test
    void aPropertyThatTheClassDoesNotHaveIsRefusedWithItsCure() {
      assertThat(refusedToDecode("{\"sku\":\"a\",\"quantity\":1,\"note\":\"n\"}", Line.class))
          .hasMessageContaining("$.note")
          .hasMessageContaining("@JsonIgnoreProperties(\"note\")");
    }
  }

  @Nested
  class Scalars {
    @Test
    @DisplayName("COD-07 numbers keep their digits: 64 bits, any size, and the scale of decimals")
    void numbersKeepTheirDigits() {
      comesBack(9007199254740993L);
      comesBack(Long.MIN_VALUE);
      comesBack(new BigDecimal("10.00"));
      comesBack(new BigDecimal("1E+3"));
      comesBack(new BigDecimal("0E-20"));
      comesBack(new BigDecimal("-0.000000000000000000000000000000123"));
      comesBack(new BigInteger("123456789012345678901234567890"));
      comesBack(BigInteger.ONE.shiftLeft(33_000));
      comesBack((byte) -128);
      comesBack(Short.MAX_VALUE);
      comesBack(0.1);
      comesBack(Double.MIN_VALUE);
      comesBack(Double.MAX_VALUE);
      comesBack(0.1f);
      comesBack(Float.MIN_VALUE);
      assertThat(json(new BigDecimal("10.00"), BigDecimal.class)).isEqualTo("10.00");
      assertThat(json(9007199254740993L, long.class)).isEqualTo("9007199254740993");
    }

    @Test
    @DisplayName("COD-07 the same number as Integer or Long has the same fingerprint")
    void theSameNumberHasTheSameFingerprint() {
      assertThat(Fingerprint.of(json(5, Integer.class)))
          .isEqualTo(Fingerprint.of(json(5L, Long.class)))
          .isEqualTo(Fingerprint.of(json(new BigDecimal("5.00"), BigDecimal.class)));
    }

    @Test
    @DisplayName("S07 negative zero becomes zero")
    void negativeZeroBecomesZero() {
      assertThat(there(-0.0, Double.class)).isEqualTo(0.0);
      assertThat(there(-0.0f, float.class)).isEqualTo(0.0f);
      assertThat((double[]) there(new double[] {-0.0, 1}, double[].class))
          .containsExactly(0.0, 1.0);
      assertThat(json(-0.0, double.class)).isEqualTo("0.0");
    }

    @Test
    void textsComeBackCharacterByCharacter() {
      comesBack("");
      comesBack("ünïcödé 😀 \u2028 \uFFFF \u007F");
      comesBack(' ');
      comesBack('\0');
    }

    @Test
    @DisplayName("COD-09 NUL comes back exactly, in texts and keys, and never as a zero byte")
    void nulComesBackExactly() {
      comesBack("a\u0000b");
      comesBack(Map.of("k\u0000", "a\u0000b"), new TypeRef<Map<String, String>>() {});
      assertThat(CODEC.encode("a\u0000b", String.class).body()).doesNotContain((byte) 0);
    }

    @Test
    @DisplayName("COD-12 text that merely looks like an escape stays as it is")
    void textThatLooksLikeAnEscapeStays() {
      comesBack("[^\\ud800-\\udfff]");
      comesBack("C:\\u0000.txt");
      comesBack("\\\\u0000");
      comesBack(List.of("\\", "\\\"", "\\n"), new TypeRef<List<String>>() {});
    }

    @Test
    void enumsComeBackByName() {
      comesBack(Size.LARGE, new TypeRef<Size>() {});
      assertThat(json(Size.LARGE, Size.class)).isEqualTo("\"LARGE\"");
      comesBack(DayOfWeek.MONDAY);
      assertThat(refusedToDecode("\"HUGE\"", Size.class)).hasMessageContaining("HUGE");
      refusedToDecode("0", Size.class);
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // old applications have them
    void timesComeBackExactly() {
      comesBack(Instant.parse("2026-02-03T04:05:06.123456789Z"));
      comesBack(Instant.MAX);
      comesBack(Instant.MIN);
      comesBack(Instant.EPOCH);
      comesBack(LocalDate.of(2026, 2, 28));
      comesBack(LocalDate.MAX);
      comesBack(LocalDateTime.of(2026, 1, 1, 0, 0));
      comesBack(LocalTime.of(1, 2, 3, 4));
      comesBack(LocalTime.MIDNIGHT);
      comesBack(OffsetDateTime.parse("2026-01-01T00:00+05:45"));
      comesBack(OffsetDateTime.parse("2026-01-01T00:00Z"));
      comesBack(OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofHours(-3)));
      comesBack(Duration.ofSeconds(-1, 5));
      comesBack(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
      comesBack(Period.of(1, -2, 3));
      comesBack(Year.of(-44));
      comesBack(YearMonth.of(2026, 2));
      comesBack(MonthDay.of(2, 29));
      comesBack(ZoneOffset.ofHoursMinutesSeconds(1, 2, 3));
      comesBack(ZoneId.of("Europe/Berlin"), new TypeRef<ZoneId>() {});
      comesBack(new Date(1_234_567_890_123L));
    }

    @Test
    void zonesAreKept() {
      for (String zone :
          List.of("Europe/Berlin", "UTC", "Z", "GMT", "GMT+2", "+01:00", "Etc/UTC")) {
        comesBack(ZonedDateTime.of(2026, 7, 1, 12, 0, 0, 1, ZoneId.of(zone)));
      }
      ZonedDateTime summer =
          ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"));
      comesBack(summer.withEarlierOffsetAtOverlap());
      comesBack(summer.withLaterOffsetAtOverlap());
      comesBack(
          ZonedDateTime.now(ZoneId.of("America/New_York")).truncatedTo(ChronoUnit.MICROS),
          new TypeRef<ZonedDateTime>() {});
    }

    @Test
    void otherScalarsComeBack() {
      comesBack(UUID.fromString("00000000-0000-0000-0000-000000000001"));
      comesBack(URI.create("https://example.org/a?b=c#d"));
      comesBack(URI.create(""));
      comesBack(Locale.forLanguageTag("de-CH-1996"));
      comesBack(Locale.ROOT);
      comesBack(Currency.getInstance("CHF"));
      comesBack(true);
    }
  }

  @Nested
  class Containers {
    @Test
    @DisplayName("COD-04 primitive, nested and byte arrays come back with their type")
    void arraysComeBack() {
      assertThat(there(new double[] {0.0, Double.MIN_VALUE}, double[].class))
          .isEqualTo(new double[] {0.0, Double.MIN_VALUE});
      assertThat(there(new byte[] {0, -1, 127}, byte[].class)).isEqualTo(new byte[] {0, -1, 127});
      assertThat(there(new long[][] {{1}, {}}, long[][].class)).isEqualTo(new long[][] {{1}, {}});
      assertThat(there(new char[] {'a', '"', '\0'}, char[].class))
          .isEqualTo(new char[] {'a', '"', '\0'});
      assertThat(there(new boolean[] {true}, boolean[].class)).isEqualTo(new boolean[] {true});
      assertThat(there(new float[] {1.5f}, float[].class)).isEqualTo(new float[] {1.5f});
      assertThat(there(new short[] {-1}, short[].class)).isEqualTo(new short[] {-1});
      assertThat(there(new int[0], int[].class)).isEqualTo(new int[0]);
      assertThat(there(new Line[] {new Line("a", 1)}, Line[].class))
          .isEqualTo(new Line[] {new Line("a", 1)});
      assertThat(there(new String[] {"a", null}, String[].class))
          .isEqualTo(new String[] {"a", null});
      assertThat(json(new byte[] {0, -1, 127}, byte[].class)).isEqualTo("\"AP9/\"");
    }

    @Test
    void setsAndMapsKeepTheirOrder() {
      List<String> many = IntStream.range(0, 1_000).mapToObj(i -> "k" + i * 7919 % 1_000).toList();
      Set<String> set = new LinkedHashSet<>(many);
      assertThat(thereAndBack(set, new TypeRef<Set<String>>() {})).containsExactlyElementsOf(set);
      Set<String> hashed = new HashSet<>(many);
      assertThat(thereAndBack(hashed, new TypeRef<Set<String>>() {}))
          .containsExactlyElementsOf(hashed);
      Map<String, Integer> map = new LinkedHashMap<>();
      many.forEach(key -> map.put(key, key.length()));
      assertThat(thereAndBack(map, new TypeRef<Map<String, Integer>>() {}))
          .containsExactlyEntriesOf(map);
      HashSet<String> declared = new HashSet<>(4, 10f);
      declared.addAll(many);
      assertThat(thereAndBack(declared, new TypeRef<HashSet<String>>() {}))
          .containsExactlyElementsOf(declared);
      HashMap<String, Integer> declaredMap = new HashMap<>(4, 10f);
      declaredMap.putAll(map);
      assertThat(thereAndBack(declaredMap, new TypeRef<HashMap<String, Integer>>() {}))
          .containsExactlyEntriesOf(declaredMap);
      comesBack(Set.of("a", "b", "c"), new TypeRef<Set<String>>() {});
    }

    @Test
    void setsAndMapsOfEnumsKeepTheirOrder() {
      Set<DayOfWeek> days = new LinkedHashSet<>(List.of(DayOfWeek.FRIDAY, DayOfWeek.MONDAY));
      assertThat(thereAndBack(days, new TypeRef<Set<DayOfWeek>>() {}))
          .containsExactlyElementsOf(days);
      Map<DayOfWeek, Integer> byDay = new LinkedHashMap<>();
      days.forEach(day -> byDay.put(day, 1));
      assertThat(thereAndBack(byDay, new TypeRef<Map<DayOfWeek, Integer>>() {}))
          .containsExactlyEntriesOf(byDay);
    }

    @Test
    void theCollectionsOfTheJdkComeBack() {
      comesBack(new ArrayList<>(List.of(1)), new TypeRef<ArrayList<Integer>>() {});
      comesBack(new ArrayList<>(List.of(1)), new TypeRef<Collection<Integer>>() {});
      comesBack(new ArrayList<>(List.of(1)), new TypeRef<SequencedCollection<Integer>>() {});
      comesBack(new LinkedHashSet<>(List.of(2, 1)), new TypeRef<SequencedSet<Integer>>() {});
      comesBack(
          new LinkedHashMap<>(Map.of("a", 1)), new TypeRef<SequencedMap<String, Integer>>() {});
      comesBack(new TreeSet<>(Set.of(3, 1, 2)), new TypeRef<TreeSet<Integer>>() {});
      comesBack(
          new TreeMap<>(Map.of(3, "c", 1, "a")), new TypeRef<SortedMap<Integer, String>>() {});
      comesBack(EnumSet.of(Size.LARGE), new TypeRef<EnumSet<Size>>() {});
      comesBack(EnumSet.of(Size.LARGE), new TypeRef<Set<Size>>() {});
      comesBack(new EnumMap<>(Map.of(Size.SMALL, 1)), new TypeRef<EnumMap<Size, Integer>>() {});
      Deque<Integer> deque =
          thereAndBack(new ArrayDeque<>(List.of(1, 2)), new TypeRef<Deque<Integer>>() {});
      assertThat(deque).containsExactly(1, 2);
    }

    @Test
    void keysThatAreNoTextsComeBack() {
      comesBack(Map.of(1, "a", -2, "b"), new TypeRef<Map<Integer, String>>() {});
      comesBack(Map.of(9007199254740993L, "a"), new TypeRef<Map<Long, String>>() {});
      comesBack(Map.of(Size.LARGE, 1), new TypeRef<Map<Size, Integer>>() {});
      comesBack(Map.of(UUID.randomUUID(), 1), new TypeRef<Map<UUID, Integer>>() {});
      comesBack(Map.of(LocalDate.EPOCH, 1), new TypeRef<Map<LocalDate, Integer>>() {});
      comesBack(Map.of(Instant.MAX, 1), new TypeRef<Map<Instant, Integer>>() {});
      comesBack(Map.of(Duration.ofMillis(1), 1), new TypeRef<Map<Duration, Integer>>() {});
      comesBack(
          Map.of(ZonedDateTime.of(2026, 1, 1, 1, 1, 1, 1, ZoneId.of("Europe/Berlin")), 1),
          new TypeRef<Map<ZonedDateTime, Integer>>() {});
      comesBack(Map.of('c', 1), new TypeRef<Map<Character, Integer>>() {});
      comesBack(Map.of(true, 1), new TypeRef<Map<Boolean, Integer>>() {});
      comesBack(Map.of(new BigDecimal("1.0"), 1), new TypeRef<Map<BigDecimal, Integer>>() {});
      comesBack(Map.of(new BigInteger("1"), 1), new TypeRef<Map<BigInteger, Integer>>() {});
      comesBack(Map.of(URI.create("a:b"), 1), new TypeRef<Map<URI, Integer>>() {});
      comesBack(Map.of(Locale.ENGLISH, 1), new TypeRef<Map<Locale, Integer>>() {});
      comesBack(Map.of(Currency.getInstance("EUR"), 1), new TypeRef<Map<Currency, Integer>>() {});
      comesBack(Map.of(ZoneId.of("Europe/Berlin"), 1), new TypeRef<Map<ZoneId, Integer>>() {});
      comesBack(Map.of(Year.of(2026), 1), new TypeRef<Map<Year, Integer>>() {});
      comesBack(Map.of((byte) 1, 1), new TypeRef<Map<Byte, Integer>>() {});
      comesBack(Map.of((short) 1, 1), new TypeRef<Map<Short, Integer>>() {});
    }

    record OrderId(@JsonValue String value) {
      @JsonCreator
      OrderId {}
    }

    @Test
    void aValueClassComesBackAsValueAndAsKey() {
      comesBack(new OrderId("o-1"));
      assertThat(json(new OrderId("o-1"), OrderId.class)).isEqualTo("\"o-1\"");
      comesBack(Map.of(new OrderId("o-1"), 1), new TypeRef<Map<OrderId, Integer>>() {});
    }

    @Test
    @DisplayName("COD-20 null, the empty text and empty containers are values of their own")
    void emptyValuesAreValues() {
      assertThat(there(null, String.class)).isNull();
      assertThat(there(null, Void.class)).isNull();
      assertThat(there(null, Line.class)).isNull();
      comesBack("");
      comesBack(List.of(), new TypeRef<List<String>>() {});
      comesBack(Map.of(), new TypeRef<Map<String, Integer>>() {});
      assertThat(List.of(json(null, String.class), json("", String.class)))
          .containsExactly("null", "\"\"");
    }

    @Test
    void nullElementsAndNullValuesComeBack() {
      comesBack(Arrays.asList("a", null), new TypeRef<List<String>>() {});
      Map<String, @Nullable Integer> map = new LinkedHashMap<>();
      map.put("b", null);
      map.put("a", 1);
      comesBack(map, new TypeRef<Map<String, @Nullable Integer>>() {});
    }

    @Test
    @DisplayName("S02 missing and {} differ")
    void nullAndAnEmptyObjectDiffer() {
      assertThat(Fingerprint.of(json(null, Nothing.class)))
          .isNotEqualTo(Fingerprint.of(json(new Nothing(), Nothing.class)));
      assertThat(there(null, Nothing.class)).isNull();
      assertThat(there(new Nothing(), Nothing.class)).isEqualTo(new Nothing());
    }

    @Test
    @DisplayName("S07 a map that looks like a tag or like an error comes back as that map")
    void aMapThatLooksLikeATagComesBack() {
      comesBack(Map.of("@type", "Circle", "$type", "x"), new TypeRef<Map<String, String>>() {});
      comesBack(
          Map.of("name", "Error", "message", "m", "stack", "s", "type", "java.lang.Error"),
          new TypeRef<Map<String, String>>() {});
    }

    @Test
    void aWildcardWithAnUpperBoundIsItsBound() {
      comesBack(List.of(new Line("a", 1)), new TypeRef<List<? extends Line>>() {});
    }
  }

  @Nested
  class Optionals {
    record Visit(Optional<Instant> at, OptionalInt count) {}

    @Test
    @DisplayName("COD-05 an empty Optional comes back empty, never null")
    void anEmptyOptionalComesBackEmpty() {
      comesBack(Optional.empty(), new TypeRef<Optional<String>>() {});
      comesBack(Optional.of(""), new TypeRef<Optional<String>>() {});
      comesBack(new Visit(Optional.empty(), OptionalInt.empty()));
      comesBack(new Visit(Optional.of(Instant.MAX), OptionalInt.of(0)));
      comesBack(
          List.of(Optional.empty(), Optional.of("")), new TypeRef<List<Optional<String>>>() {});
      comesBack(OptionalLong.of(Long.MAX_VALUE), new TypeRef<OptionalLong>() {});
      comesBack(OptionalDouble.empty(), new TypeRef<OptionalDouble>() {});
      comesBack(Optional.of(List.of(new Line("a", 1))), new TypeRef<Optional<List<Line>>>() {});
    }

    @Test
    @DisplayName("COD-05 null where an Optional is declared is refused at record time")
    @SuppressWarnings({"NullAway", "NullOptional"}) // what a careless caller does
    void nullWhereAnOptionalIsDeclaredIsRefused() {
      refusedToEncode(null, new TypeRef<Optional<String>>() {}.type());
      assertThat(refusedToEncode(new Visit(null, OptionalInt.empty()), Visit.class))
          .hasMessageContaining("$.at")
          .hasMessageContaining("Optional.empty()");
      refusedToEncode(new Visit(Optional.empty(), null), Visit.class);
      refusedToEncode(
          Arrays.asList(Optional.of("a"), null), new TypeRef<List<Optional<String>>>() {}.type());
      Map<String, Optional<String>> map = new HashMap<>();
      map.put("a", null);
      refusedToEncode(map, new TypeRef<Map<String, Optional<String>>>() {}.type());
      refusedToEncode(new OptionalInt[] {null}, OptionalInt[].class);
    }

    @Test
    @DisplayName("COD-05 an absent Optional component is an empty one")
    void anAbsentOptionalComponentIsEmpty() {
      assertThat(read("{}", Visit.class))
          .isEqualTo(new Visit(Optional.empty(), OptionalInt.empty()));
    }
  }

  @Nested
  class Beans {
    public static class Customer {
      private String name = "";
      private boolean active;
      private final List<Line> lines = new ArrayList<>();

      public String getName() {
        return name;
      }

      public void setName(String name) {
        this.name = name;
      }

      public boolean isActive() {
        return active;
      }

      public void setActive(boolean active) {
        this.active = active;
      }

      public List<Line> getLines() {
        return lines;
      }

      public void setLines(List<Line> lines) {
        this.lines.clear();
        this.lines.addAll(lines);
      }

      public int getTotal() {
        return lines.stream().mapToInt(Line::quantity).sum();
      }
    }

    public static final class Point {
      private final int x;
      private final int y;

      @JsonCreator
      public Point(@JsonProperty("x") int x, @JsonProperty("y") int y) {
        this.x = x;
        this.y = y;
      }

      public int getX() {
        return x;
      }

      public int getY() {
        return y;
      }
    }

    @Test
    void beansComeBack() {
      Customer customer = new Customer();
      customer.setName("Ada");
      customer.setActive(true);
      customer.setLines(List.of(new Line("a", 2)));
      Object back = there(customer, Customer.class);
      assertThat(back).usingRecursiveComparison().isEqualTo(customer);
      assertThat(there(new Point(1, 2), Point.class))
          .usingRecursiveComparison()
          .isEqualTo(new Point(1, 2));
    }
  }

  @Nested
  class RawJson {
    @Test
    @DisplayName("COD-07 raw JSON keeps its digits")
    void rawJsonKeepsItsDigits() {
      String json =
          "{\"id\":9007199254740993,\"amt\":10.00,\"big\":123456789012345678901234567890,"
              + "\"e\":1.50,\"n\":null,\"l\":[1,{}]}";
      Object node = read(json, JsonNode.class);
      assertThat(json(node, JsonNode.class)).isEqualTo(json);
      assertThat(there(node, JsonNode.class)).isEqualTo(node);
      assertThat(there(node, ObjectNode.class)).isEqualTo(node);
      assertThat(json(read(json, JsonNode.class), JsonNode.class)).isEqualTo(json);
    }

    record Request(String id, @Nullable JsonNode body) {}

    @Test
    void rawJsonInsideARecordComesBack() {
      comesBack(new Request("r", (JsonNode) read("{\"a\":[1.10,null]}", JsonNode.class)));
    }
  }
}
