package dev.yieldstar.codec;

import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.type.ArrayType;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/// Sees to it that values have the classes that are declared for them, so that what is decoded
/// later has them too.
final class ExactClasses extends ValueSerializerModifier {
  private static final long serialVersionUID = 1;

  @Override
  public ValueSerializer<?> modifySerializer(
      SerializationConfig config, BeanDescription.Supplier description, ValueSerializer<?> own) {
    JavaType type = description.getType();
    Class<?> raw = type.getRawClass();
    if (own instanceof ErrorForm.Writer || raw.isEnum() || type.isPrimitive()) {
      return own;
    }
    if (JdkTypes.isJdk(raw)) {
      if (raw == Date.class) {
        return new Guards.Exact(raw, own);
      }
      boolean guessed = own instanceof BeanSerializerBase || own instanceof UnknownSerializer;
      return guessed ? new Guards.Unknown(raw) : own;
    }
    AnnotationIntrospector introspector = config.getAnnotationIntrospector();
    AnnotatedClass annotated = description.getClassInfo();
    boolean named = introspector.findPolymorphicTypeInfo(config, annotated) != null;
    boolean plain = own instanceof BeanSerializerBase || own instanceof UnknownSerializer;
    if (plain && (!type.isConcrete() || (named && !type.isFinal()))) {
      ValueSerializer<?> exact = type.isConcrete() ? new Guards.Exact(raw, own) : null;
      return new SubtypeSerializer(type, exact, only(config, introspector, annotated, type));
    }
    return own instanceof BeanSerializerBase ? new Guards.Exact(raw, own) : own;
  }

  /// The one class as which values of an abstract type come back, where the application names one.
  private static @Nullable Class<?> only(
      SerializationConfig config,
      AnnotationIntrospector introspector,
      AnnotatedClass annotated,
      JavaType type) {
    if (type.isConcrete()) {
      return null;
    }
    Class<?> refined =
        introspector.refineDeserializationType(config, annotated, type).getRawClass();
    return refined == type.getRawClass() ? null : refined;
  }

  @Override
  public List<BeanPropertyWriter> changeProperties(
      SerializationConfig config,
      BeanDescription.Supplier description,
      List<BeanPropertyWriter> properties) {
    for (BeanPropertyWriter property : properties) {
      if (isOptional(property.getType()) && !property.hasNullSerializer()) {
        property.assignNullSerializer(Guards.NO_NULL);
      }
    }
    return properties;
  }

  @Override
  public ValueSerializer<?> modifyCollectionSerializer(
      SerializationConfig config,
      CollectionType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> own) {
    return guarded(type, own);
  }

  @Override
  public ValueSerializer<?> modifyMapSerializer(
      SerializationConfig config,
      MapType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> own) {
    return guarded(type, own);
  }

  @Override
  public ValueSerializer<?> modifyArraySerializer(
      SerializationConfig config,
      ArrayType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> own) {
    return guarded(type, own);
  }

  private static ValueSerializer<?> guarded(JavaType type, ValueSerializer<?> own) {
    ValueSerializer<?> guarded = own;
    if (JdkTypes.isSorted(type.getRawClass())) {
      guarded = new Guards.NaturalOrder(guarded);
    }
    if (type.getContentType() != null && isOptional(type.getContentType())) {
      guarded = new Guards.NoNulls(guarded);
    }
    return guarded;
  }

  private static boolean isOptional(JavaType type) {
    Class<?> raw = type.getRawClass();
    return isOptional(raw);
  }

  /// A type whose empty value is recorded as JSON null: null itself can't be told from it.
  static boolean isOptional(Class<?> raw) {
    return raw == Optional.class
        || raw == OptionalInt.class
        || raw == OptionalLong.class
        || raw == OptionalDouble.class;
  }
}
