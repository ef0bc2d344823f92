package dev.yieldstar.codec;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/// Writes values declared as a type that has subtypes, each as what it is: a member of a sealed
/// family, a subtype that annotations name, or an implementation of an open interface. Type
/// arguments of the declared type reach the subtype.
final class SubtypeSerializer extends StdSerializer<Object> {
  private final JavaType declared;
  private final @Nullable ValueSerializer<Object> own;
  private final @Nullable Class<?> only;
  private final Map<Class<?>, ValueSerializer<Object>> known = new ConcurrentHashMap<>();

  /// `own` writes values of the declared class itself, if it is not abstract; where `only` is
  /// given, values have that class.
  @SuppressWarnings("unchecked") // a serializer of Object is what Jackson hands around
  SubtypeSerializer(JavaType declared, @Nullable ValueSerializer<?> own, @Nullable Class<?> only) {
    super(Object.class);
    this.declared = declared;
    this.own = (ValueSerializer<Object>) own;
    this.only = only;
  }

  @Override
  public @Nullable ValueSerializer<?> getDelegatee() {
    return own;
  }

  @Override
  public void resolve(SerializationContext context) {
    if (own != null) {
      own.resolve(context);
    }
  }

  @Override
  public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
    serializerOf(value, context).serialize(value, generator, context);
  }

  @Override
  public void serializeWithType(
      Object value, JsonGenerator generator, SerializationContext context, TypeSerializer type) {
    serializerOf(value, context).serializeWithType(value, generator, context, type);
  }

  private ValueSerializer<Object> serializerOf(Object value, SerializationContext context) {
    Class<?> actual =
        value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    ValueSerializer<Object> serializer = known.get(actual);
    if (serializer == null) {
      serializer = find(actual, context);
      known.put(actual, serializer);
    }
    return serializer;
  }

  private ValueSerializer<Object> find(Class<?> actual, SerializationContext context) {
    if (own != null && actual == declared.getRawClass()) {
      return own;
    }
    if (!declared.getRawClass().isAssignableFrom(actual)) {
      throw new NotDurable(
          "is a %s where %s is declared"
              .formatted(actual.getName(), declared.getRawClass().getName()));
    }
    if (only != null && actual != only) {
      throw new NotDurable(
          "is a %s where %s is declared, and would come back as %s"
              .formatted(actual.getName(), declared.getRawClass().getName(), only.getName()));
    }
    JavaType type = context.constructSpecializedType(declared, actual);
    return context.findPrimaryPropertySerializer(type, null);
  }
}
