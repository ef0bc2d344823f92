package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.yieldstar.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.POJONode;

/// Values that are refused, and how it is said.
class RefusedValuesTest extends CodecSupport {

  record Line(String sku, double price) {}

  record Order(String id, List<Line> lines) {}

  @Test
  @DisplayName("COD-04 NaN and infinities are refused, wherever they are")
  void nanAndInfinitiesAreRefused() {
    for (double number :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      refusedToEncode(number, double.class);
      refusedToEncode((float) number, Float.class);
      refusedToEncode(new double[] {0, number}, double[].class);
      refusedToEncode(new float[] {(float) number}, float[].class);
      refusedToEncode(new Double[] {number}, Double[].class);
      assertThat(
              refusedToEncode(
                  new Order("o", List.of(new Line("a", 1), new Line("b", number))), Order.class))
          .hasMessageContaining("$.lines[1].price")
          .hasMessageContaining(String.valueOf(number));
    }
  }

  @Test
  void halfCharactersAreRefused() {
    for (String text : List.of("\ud800", "a\udc00b", "\udc00\ud800", "x\ud83d")) {
      assertThat(refusedToEncode(List.of("ok", text), new TypeRef<List<String>>() {}.type()))
          .hasMessageContaining("$[1]");
      refusedToEncode(Map.of(text, 1), new TypeRef<Map<String, Integer>>() {}.type());
      refusedToEncode(text.toCharArray(), char[].class);
      refusedToEncode(new String[] {text}, String[].class);
    }
    refusedToEncode('\ud800', char.class);
    comesBack("\ud83d\ude00");
  }

  @Test
  void numbersOutOfBoundsAreRefused() {
    refusedToEncode(new BigDecimal("1E+10001"), BigDecimal.class);
    refusedToEncode(new BigDecimal("1E-10001"), BigDecimal.class);
    refusedToEncode(new BigDecimal("1E+999999999"), BigDecimal.class);
    refusedToEncode(new BigDecimal("0E+999999999"), BigDecimal.class);
    refusedToEncode(BigInteger.TEN.pow(10_001), BigInteger.class);
    comesBack(new BigDecimal("1E+10000"));
    comesBack(new BigDecimal("1E-10000"));
    comesBack(BigInteger.TEN.pow(9_999));
    comesBack(new BigDecimal(BigInteger.TEN.pow(9_999).add(BigInteger.ONE), 10_000));
  }

  static class Wide {
    public String name = "";
  }

  static final class Wider extends Wide {
    public String more = "";
  }

  @Test
  @DisplayName("COD-01 elements of another class than declared are refused when they are recorded")
  void elementsOfAnotherClassAreRefused() {
    List<Object> mixed = new ArrayList<>(List.of(1, "two"));
    assertThat(refusedToEncode(mixed, new TypeRef<List<Integer>>() {}.type()))
        .hasMessageContaining("$[1]")
        .hasMessageContaining("java.lang.String")
        .hasMessageContaining("java.lang.Integer");
    refusedToEncode(mixed, new TypeRef<List<String>>() {}.type());
    assertThat(refusedToEncode(List.of(1), new TypeRef<List<Long>>() {}.type()))
        .hasMessageContaining("$[0]");
    refusedToEncode(List.of("a"), new TypeRef<List<Line>>() {}.type());
    refusedToEncode(Map.of(1, 1), new TypeRef<Map<String, Integer>>() {}.type());
    refusedToEncode(Map.of("a", 1), new TypeRef<Map<String, Double>>() {}.type());
    refusedToEncode(Map.of("a", 1), new TypeRef<Map<Integer, Integer>>() {}.type());
    refusedToEncode(Set.of(new int[0]), new TypeRef<Set<List<String>>>() {}.type());
    assertThat(refusedToEncode("text", Integer.class)).hasMessageContaining("java.lang.String");
    assertThat(refusedToEncode(new Wider(), Wide.class))
        .hasMessageContaining(Wider.class.getName());
    assertThat(
            refusedToEncode(List.of(new Wide(), new Wider()), new TypeRef<List<Wide>>() {}.type()))
        .hasMessageContaining("$[1]");
    assertThat(there(List.of(new Wide()), new TypeRef<List<Wide>>() {}.type()))
        .usingRecursiveComparison()
        .isEqualTo(List.of(new Wide()));
  }

  @Test
  void aDateOfADatabaseDriverIsNoDate() {
    assertThat(refusedToEncode(new java.sql.Timestamp(5), java.util.Date.class))
        .hasMessageContaining("java.sql.Timestamp");
  }

  @Test
  void nullIsNoPrimitive() {
    refusedToEncode(null, int.class);
    refusedToDecode("null", int.class);
    refusedToDecode("[1,null]", int[].class);
  }

  @Test
  void sortedCollectionsOfAnotherOrderAreRefused() {
    TreeSet<String> set = new TreeSet<>(Comparator.<String>reverseOrder());
    set.addAll(List.of("a", "b"));
    assertThat(refusedToEncode(set, new TypeRef<TreeSet<String>>() {}.type()))
        .hasMessageContaining("comparator");
    TreeMap<String, Integer> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    map.put("a", 1);
    refusedToEncode(map, new TypeRef<TreeMap<String, Integer>>() {}.type());
    comesBack(map, new TypeRef<Map<String, Integer>>() {});
    assertThat(thereAndBack(set, new TypeRef<Set<String>>() {})).containsExactly("b", "a");
  }

  @Test
  @SuppressWarnings("IdentityHashMapUsage") // what a careless caller does
  void nullKeysAndKeysWrittenAlikeAreRefused() {
    Map<String, Integer> map = new HashMap<>();
    map.put(null, 1);
    assertThat(refusedToEncode(map, new TypeRef<Map<String, Integer>>() {}.type()))
        .hasMessageContaining("the key null");
    Map<String, Integer> twins = new IdentityHashMap<>();
    twins.put(new String("a"), 1);
    twins.put(new String("a"), 2);
    assertThat(refusedToEncode(twins, new TypeRef<Map<String, Integer>>() {}.type()))
        .hasMessageContaining("alike");
  }

  static final class Node {
    public @Nullable Node next;
    public List<Node> others = new ArrayList<>();
  }

  @Test
  void cyclesAreRefused() {
    Node self = new Node();
    self.next = self;
    refusedToEncode(self, Node.class);
    Node one = new Node();
    Node two = new Node();
    one.next = two;
    two.next = one;
    assertThat(refusedToEncode(one, Node.class)).hasMessageContaining("$.next.next");
    Node list = new Node();
    list.others.add(list);
    list.others.add(list);
    assertThat(refusedToEncode(list, Node.class)).hasMessageContaining("contains itself");
  }

  record Chain(@Nullable Chain next) {}

  @Test
  void nestingHasABound() throws InterruptedException {
    Chain deep = new Chain(null);
    for (int i = 1; i < 500; i++) {
      deep = new Chain(deep);
    }
    Chain most = deep;
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    Thread thread = Thread.ofVirtual().unstarted(() -> comesBack(most));
    thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
    thread.start();
    thread.join();
    assertThat(failures).isEmpty();
    assertThat(refusedToEncode(new Chain(deep), Chain.class)).hasMessageContaining("500");
  }

  record Pair(@Nullable Object left) {}

  @Test
  @DisplayName(
      "COD-21 a value that multiplies itself is refused at its bound, not in an OutOfMemoryError")
  void aValueThatMultipliesItselfIsRefused() {
    List<Object> list = new ArrayList<>(List.of("x"));
    for (int i = 0; i < 40; i++) {
      list = List.of(list, list);
    }
    Map<String, Object> context = Map.of("bomb", list);
    JacksonCodec codec = JacksonCodec.standard().withMaxBytes(100_000);
    ValueRefused refused =
        catchThrowableOfType(
            ValueRefused.class, () -> codec.encode(context, NaturalValues.CONTEXT));
    assertThat(refused.code()).isEqualTo(ValueRefused.TOO_LARGE);
    assertThat(refused).hasMessageContaining("100,000");
    String fits = "x".repeat(100_000 - 2);
    assertThat(codec.encode(fits, String.class).body()).hasSize(100_000);
    assertThat(
            catchThrowableOfType(ValueRefused.class, () -> codec.encode(fits + "x", String.class))
                .code())
        .isEqualTo(ValueRefused.TOO_LARGE);
  }

  @SuppressWarnings("DoNotCallSuggester")
  static final class Broken {
    public String getName() {
      throw new IllegalStateException("not now");
    }

    public void setName(String name) {}
  }

  @Test
  void aGetterThatThrowsIsNamed() {
    assertThat(refusedToEncode(new Broken(), Broken.class))
        .hasMessageContaining("$.name")
        .hasMessageContaining("not now");
  }

  record Asserted(int number) {
    Asserted {
      if (number > 5) {
        throw new AssertionError("too large");
      }
    }

    @JsonProperty
    public int number() {
      if (number == 0) {
        throw new AssertionError("zero");
      }
      return number;
    }
  }

  @Test
  void errorsThatClassesThrowAreAboutTheValue() {
    assertThat(refusedToEncode(new Asserted(0), Asserted.class)).hasMessageContaining("zero");
    assertThat(refusedToDecode("{\"number\":6}", Asserted.class)).hasMessageContaining("too large");
  }

  static final class Worse {
    public String getName() {
      RuntimeException one = new RuntimeException("one");
      RuntimeException two =
          new RuntimeException("two", one) {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
              throw new IllegalStateException();
            }
          };
      one.initCause(two);
      throw one;
    }

    public void setName(String name) {}
  }

  @Test
  @Timeout(30)
  void aGetterThatThrowsInCirclesIsRefusedToo() {
    refusedToEncode(new Worse(), Worse.class);
  }

  static final class Drifting {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private transient int base;

    public int getBase() {
      return base + COUNT.incrementAndGet();
    }

    public void setBase(int base) {
      this.base = base;
    }
  }

  @Test
  void aValueThatComesBackAsAnotherIsRefused() {
    assertThat(refusedToEncode(new Drifting(), Drifting.class))
        .hasMessageContaining("$.base")
        .hasMessageContaining("became");
  }

  record Trimmed(List<String> names) {
    Trimmed {
      names = names.size() < 2 ? names : names.subList(0, 1);
    }
  }

  record RawText(@JsonRawValue String json) {}

  @Test
  void rawJsonTextIsRefused() {
    assertThat(refusedToEncode(new RawText("{}"), RawText.class)).hasMessageContaining("JsonNode");
  }

  record Wrapper(@JsonValue Object any) {}

  @Test
  void whatAnnotationsLetThroughIsRefusedByItsValue() {
    assertThat(refusedToEncode(new POJONode(Thread.currentThread()), JsonNode.class))
        .hasMessageContaining("java.lang.Thread");
    assertThat(refusedType(Wrapper.class)).hasMessageContaining("Object");
  }

  @Test
  void aNormalisingConstructorIsNoReasonToRefuse() {
    comesBack(new Trimmed(List.of("a", "b")));
  }

  @Test
  void onlyTheFirstValuesOfATypeAreJudgedUnlessAllAre() {
    AtomicInteger decoded = Counted.DECODED;
    JacksonCodec codec = JacksonCodec.standard();
    decoded.set(0);
    for (int i = 0; i < 150; i++) {
      codec.encode(new Counted(i), Counted.class);
    }
    assertThat(decoded).hasValue(150 + 100);
    JacksonCodec always = codec.checkingAlways();
    decoded.set(0);
    for (int i = 0; i < 150; i++) {
      always.encode(new Counted(i), Counted.class);
    }
    assertThat(decoded).hasValue(150 + 150);
  }

  record Counted(int number) {
    static final AtomicInteger DECODED = new AtomicInteger();

    Counted {
      DECODED.incrementAndGet();
    }
  }

  @Test
  void arraysWithNullsComeBack() {
    assertThat(there(Arrays.asList(1, null), new TypeRef<List<Integer>>() {}.type()))
        .isEqualTo(Arrays.asList(1, null));
  }
}
