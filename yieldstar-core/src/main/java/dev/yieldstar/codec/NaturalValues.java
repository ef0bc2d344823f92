package dev.yieldstar.codec;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Values that say by themselves what they are, without a declared type: the values of JSON.
///
/// They are null, `String`, `Boolean`, whole numbers, decimal numbers, and `List` and `Map` of such
/// values, where the keys of a map are texts. They come back in their order, numbers with their
/// exact digits: whole ones as `Integer`, `Long` or `BigInteger`, whichever is large enough,
/// decimal ones as `BigDecimal`. Everything else (an `Instant`, a record, NaN) is refused.
public final class NaturalValues {
  /// The type of an execution's context: a map from text to natural value. null is encoded as the
  /// empty map, and decoded as one: no context is an empty context.
  public static final Type CONTEXT =
      new Type() {
        @Override
        public String getTypeName() {
          return "Map<String, natural value>";
        }

        @Override
        public String toString() {
          return getTypeName();
        }
      };

  private NaturalValues() {}

  /// Writes a context.
  static void write(@Nullable Object context, JsonGenerator generator) {
    if (context != null && !(context instanceof Map<?, ?>)) {
      throw new NotDurable("is a " + context.getClass().getName() + "; a context is a map");
    }
    value(context == null ? Map.of() : context, generator);
  }

  private static void value(@Nullable Object value, JsonGenerator generator) {
    switch (value) {
      case null -> generator.writeNull();
      case String text -> generator.writeString(text);
      case Boolean bool -> generator.writeBoolean(bool);
      case Integer number -> generator.writeNumber(number);
      case Long number -> generator.writeNumber(number);
      case Short number -> generator.writeNumber(number);
      case Byte number -> generator.writeNumber(number.shortValue());
      case Double number -> generator.writeNumber(number);
      case Float number -> generator.writeNumber(number);
      case BigInteger number -> generator.writeNumber(number);
      case BigDecimal number -> generator.writeNumber(number);
      case List<?> list -> list(list, generator);
      case Map<?, ?> map -> map(map, generator);
      default ->
          throw new NotDurable(
              "is a %s; without a declared type only null, texts, booleans, numbers, lists and maps are durable"
                  .formatted(value.getClass().getName()));
    }
  }

  private static void list(List<?> list, JsonGenerator generator) {
    generator.writeStartArray();
    for (Object element : list) {
      value(element, generator);
    }
    generator.writeEndArray();
  }

  private static void map(Map<?, ?> map, JsonGenerator generator) {
    generator.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new NotDurable(
            "has the key %s, which is no text; keys of a context are texts"
                .formatted(entry.getKey() == null ? "null" : "of " + entry.getKey().getClass()));
      }
      generator.writeName(key);
      value(entry.getValue(), generator);
    }
    generator.writeEndObject();
  }
}
