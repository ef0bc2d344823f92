package dev.yieldstar.codec;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.std.DelegatingSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/// Serializers that look at a value before another one writes it.
final class Guards {
  static final ValueSerializer<Object> NO_NULL = new NoNull();
  static final ValueSerializer<Object> NO_NULL_KEY = new NoNullKey();

  private Guards() {}

  /// Passes a value on, or refuses it.
  abstract static class Guard extends DelegatingSerializer {
    Guard(ValueSerializer<?> own) {
      super(own);
    }

    abstract void look(Object value);

    @Override
    public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
      look(value);
      super.serialize(value, generator, context);
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator generator, SerializationContext context, TypeSerializer type) {
      look(value);
      super.serializeWithType(value, generator, context, type);
    }
  }

  /// Only values of the declared class itself: of a subclass only the declared part would come
  /// back.
  static final class Exact extends Guard {
    private final Class<?> declared;

    Exact(Class<?> declared, ValueSerializer<?> own) {
      super(own);
      this.declared = declared;
    }

    @Override
    void look(Object value) {
      if (value.getClass() != declared) {
        throw new NotDurable(
            "is a %s where %s is declared, and would not come back as one; declare what it is, or make %s a sealed type"
                .formatted(
                    value.getClass().getName(), declared.getName(), declared.getSimpleName()));
      }
    }

    @Override
    protected ValueSerializer<Object> newDelegatingInstance(ValueSerializer<?> own) {
      return new Exact(declared, own);
    }
  }

  /// Only sorted collections in natural order: another comparator would not come back.
  static final class NaturalOrder extends Guard {
    NaturalOrder(ValueSerializer<?> own) {
      super(own);
    }

    @Override
    void look(Object value) {
      Comparator<?> comparator = null;
      if (value instanceof SortedSet<?> set) {
        comparator = set.comparator();
      } else if (value instanceof SortedMap<?, ?> map) {
        comparator = map.comparator();
      }
      if (comparator != null && !comparator.equals(Comparator.naturalOrder())) {
        throw new NotDurable(
            "is sorted by a comparator, which would not come back; declare a List, Set or Map: they keep their order");
      }
    }

    @Override
    protected ValueSerializer<Object> newDelegatingInstance(ValueSerializer<?> own) {
      return new NaturalOrder(own);
    }
  }

  /// No null among optionals: it would come back as an empty one.
  static final class NoNulls extends Guard {
    NoNulls(ValueSerializer<?> own) {
      super(own);
    }

    @Override
    void look(Object value) {
      Collection<?> elements =
          switch (value) {
            case Collection<?> collection -> collection;
            case Map<?, ?> map -> map.values();
            case Object[] array -> Arrays.asList(array);
            default ->
                throw new NotDurable(
                    "is a " + value.getClass().getName() + ", which is no container");
          };
      for (Object element : elements) {
        if (element == null) {
          throw nullOptional("has an element that");
        }
      }
    }

    @Override
    protected ValueSerializer<Object> newDelegatingInstance(ValueSerializer<?> own) {
      return new NoNulls(own);
    }
  }

  /// A type of the JDK that nothing is known about: it is met where a serializer asks for it by
  /// itself.
  static final class Unknown extends StdSerializer<Object> {
    private final Class<?> type;

    Unknown(Class<?> type) {
      super(Object.class);
      this.type = type;
    }

    @Override
    public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
      throw new NotDurable("is a " + type.getName() + ", which is not durable");
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator generator, SerializationContext context, TypeSerializer typed) {
      serialize(value, generator, context);
    }
  }

  private static final class NoNullKey extends StdSerializer<Object> {
    NoNullKey() {
      super(Object.class);
    }

    @Override
    public void serialize(
        @Nullable Object value, JsonGenerator generator, SerializationContext context) {
      throw new NotDurable("has the key null, which can't be told from text");
    }
  }

  private static final class NoNull extends StdSerializer<Object> {
    NoNull() {
      super(Object.class);
    }

    @Override
    public void serialize(
        @Nullable Object value, JsonGenerator generator, SerializationContext context) {
      throw nullOptional("");
    }
  }

  static NotDurable nullOptional(String what) {
    return new NotDurable(
        (what
                + " is null where an Optional is declared, and would come back empty; use Optional.empty()")
            .strip());
  }
}
