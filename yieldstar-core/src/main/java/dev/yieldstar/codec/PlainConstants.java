package dev.yieldstar.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;

/// Reads constants of an enum in a sealed family, where the enum itself is declared, without their
/// tag too: the enum may have joined its family after they were recorded.
final class PlainConstants extends ValueDeserializerModifier {
  private static final long serialVersionUID = 1;

  @Override
  public ValueDeserializer<?> modifyEnumDeserializer(
      DeserializationConfig config,
      JavaType type,
      BeanDescription.Supplier description,
      ValueDeserializer<?> own) {
    return Families.tagged(type.getRawClass()) ? new Lenient(own) : own;
  }

  private static final class Lenient extends DelegatingDeserializer {
    Lenient(ValueDeserializer<?> own) {
      super(own);
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> own) {
      return new Lenient(own);
    }

    @Override
    public @Nullable Object deserializeWithType(
        JsonParser parser, DeserializationContext context, TypeDeserializer type) {
      return parser.hasToken(JsonToken.VALUE_STRING)
          ? deserialize(parser, context)
          : super.deserializeWithType(parser, context, type);
    }
  }
}
