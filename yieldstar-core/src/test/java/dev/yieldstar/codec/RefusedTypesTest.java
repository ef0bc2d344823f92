package dev.yieldstar.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.yieldstar.TypeRef;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// Declared types that are refused before anything runs.
class RefusedTypesTest extends CodecSupport {

  interface Open {}

  abstract static class Half {
    int id;
  }

  record Raw(@SuppressWarnings("rawtypes") List lines) {}

  record Deep(String name, List<Map<String, Raw>> inner) {}

  record Untyped(Object any) {}

  record Numeric(Number amount) {}

  record Generic<T>(T value) {}

  record Busy(Thread thread) {}

  record Endless<T>(@Nullable Endless<List<T>> next) {}

  @SuppressWarnings("ClassCanBeStatic") // that is what is wrong with it
  class Inner {
    int id;
  }

  static final class Secretive {
    private int shown;
    private int hidden;

    public int getShown() {
      return shown;
    }

    public void setShown(int shown) {
      this.shown = shown;
    }

    int next() {
      return hidden++;
    }
  }

  static final class Fixed {
    private final int id;

    Fixed(String text) {
      this.id = text.length();
    }

    public int getId() {
      return id;
    }
  }

  static final class Lines extends ArrayList<String> {
    private static final long serialVersionUID = 1;
    int more;
  }

  static final class Key {
    int id;
  }

  static <X> Type variable() {
    return new TypeRef<List<X>>() {}.type();
  }

  static List<Type> refused() {
    return List.of(
        List.class,
        Map.class,
        Optional.class,
        List[].class,
        Object.class,
        Object[].class,
        Record.class,
        Enum.class,
        Number.class,
        Serializable.class,
        Comparable.class,
        CharSequence.class,
        Runnable.class,
        Thread.class,
        Class.class,
        StringBuilder.class,
        InputStream.class,
        Calendar.class,
        Open.class,
        Half.class,
        Raw.class,
        Deep.class,
        Untyped.class,
        Numeric.class,
        Generic.class,
        Busy.class,
        Inner.class,
        Secretive.class,
        Fixed.class,
        Lines.class,
        StringNode.class,
        variable(),
        new TypeRef<List<?>>() {}.type(),
        new TypeRef<List<? super String>>() {}.type(),
        new TypeRef<List<Object>>() {}.type(),
        new TypeRef<Map<String, Object>>() {}.type(),
        new TypeRef<Map<Key, String>>() {}.type(),
        new TypeRef<Map<Double, String>>() {}.type(),
        new TypeRef<Map<Object, String>>() {}.type(),
        new TypeRef<Generic<Object>>() {}.type(),
        new TypeRef<Endless<String>>() {}.type(),
        new TypeRef<Supplier<String>>() {}.type(),
        new TypeRef<Stream<String>>() {}.type(),
        new TypeRef<Iterator<String>>() {}.type(),
        new TypeRef<Iterable<String>>() {}.type(),
        new TypeRef<CompletableFuture<String>>() {}.type(),
        new TypeRef<AtomicReference<String>>() {}.type(),
        new TypeRef<Optional<Optional<String>>>() {}.type(),
        new TypeRef<Optional<JsonNode>>() {}.type(),
        new TypeRef<Map.Entry<String, String>>() {}.type());
  }

  @ParameterizedTest
  @MethodSource("refused")
  @DisplayName("COD-22 types that can't be decoded again are refused before anything runs")
  void typesThatCannotBeDecodedAreRefused(Type type) {
    ValueRefused first = refusedType(type);
    ValueRefused second = refusedType(type);
    assertThat(second).hasMessage(first.getMessage());
    assertThat(first.getMessage()).hasSizeBetween(40, 600);
  }

  @Test
  void messagesSayWhereAndWhatToWriteInstead() {
    assertThat(refusedType(List.class)).hasMessageContaining("new TypeRef<List<...>>() {}");
    assertThat(refusedType(Deep.class)).hasMessageContaining(".inner[]{}.lines[]");
    assertThat(refusedType(Untyped.class))
        .hasMessageContaining(".any")
        .hasMessageContaining("JsonNode");
    assertThat(refusedType(Numeric.class))
        .hasMessageContaining(".amount")
        .hasMessageContaining("BigDecimal");
    assertThat(refusedType(Busy.class))
        .hasMessageContaining(".thread")
        .hasMessageContaining("Thread");
    assertThat(refusedType(Record.class)).hasMessageContaining("sealed");
    assertThat(refusedType(variable())).hasMessageContaining("X").hasMessageContaining("TypeRef");
    assertThat(refusedType(Open.class)).hasMessageContaining("sealed");
    assertThat(refusedType(Secretive.class)).hasMessageContaining("hidden");
    assertThat(refusedType(Inner.class)).hasMessageContaining("static");
    assertThat(refusedType(new TypeRef<CompletableFuture<String>>() {}.type()))
        .hasMessageContaining("Wait for it");
  }

  @Test
  void anAnonymousClassIsRefused() {
    Object anonymous = new Object() {};
    assertThat(refusedType(anonymous.getClass())).hasMessageContaining("record");
    Supplier<String> lambda = () -> "";
    assertThat(refusedType(lambda.getClass())).hasMessageContaining("record");
  }

  @Test
  void encodeAndDecodeRefuseTheSameTypes() {
    String message = String.valueOf(refusedType(Busy.class).getMessage());
    assertThatThrownBy(() -> CODEC.encode(null, Busy.class)).hasMessage(message);
    assertThatThrownBy(() -> CODEC.decode(payload("null"), Busy.class)).hasMessage(message);
  }

  record Tree(String name, List<Tree> children, Map<String, Tree> byName, Optional<Tree> parent) {}

  static final class Cached {
    public String name = "";
    private transient int hash;
    @JsonIgnore private final Map<String, Object> cache = new HashMap<>();

    int hash() {
      hash = name.hashCode() + cache.size();
      return hash;
    }
  }

  @Test
  void typesThatContainThemselvesAreAccepted() {
    CODEC.check(Tree.class);
    comesBack(
        new Tree(
            "a",
            List.of(new Tree("b", List.of(), Map.of(), Optional.empty())),
            Map.of(),
            Optional.empty()));
  }

  @Test
  void fieldsThatNeedNotComeBackAreSaidToBeSuch() {
    CODEC.check(Cached.class);
    assertThat(there(new Cached(), Cached.class)).isInstanceOf(Cached.class);
  }
}
