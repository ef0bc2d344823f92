package dev.yieldstar.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/// The part of [TypeCheck] that is about classes of the application: can one be made again of what
/// is recorded of it, and is everything that it keeps recorded?
final class BeanCheck {
  private final TypeCheck types;
  private final SerializationContext writing;
  private final DeserializationContext reading;
  private final AnnotationIntrospector annotations;

  BeanCheck(JsonMapper mapper, TypeCheck types) {
    this.types = types;
    this.writing = mapper._serializationContext();
    this.reading = mapper._deserializationContext();
    this.annotations = mapper.serializationConfig().getAnnotationIntrospector();
  }

  /// Do values of this type carry a name that tells which subtype they are?
  boolean isNamed(JavaType type) {
    AnnotatedClass annotated = writing.introspectClassAnnotations(type);
    return annotations.findPolymorphicTypeInfo(writing.getConfig(), annotated) != null;
  }

  /// The types that values of a named type can have.
  Collection<NamedType> members(JavaType type) {
    AnnotatedClass annotated = writing.introspectClassAnnotations(type);
    return writing
        .getConfig()
        .getSubtypeResolver()
        .collectAndResolveSubtypesByClass(writing.getConfig(), annotated)
        .stream()
        .filter(
            member ->
                !Modifier.isAbstract(member.getType().getModifiers()) || member.getType().isEnum())
        .filter(member -> type.getRawClass().isAssignableFrom(member.getType()))
        .toList();
  }

  /// Is a collection of the application's read by a deserializer made for it?
  boolean hasOwnForm(JavaType type) {
    ValueDeserializer<?> reader = reading.findNonContextualValueDeserializer(type);
    return !(reader instanceof CollectionDeserializer || reader instanceof MapDeserializer);
  }

  /// Can keys of this type be written as text, and read from it?
  boolean hasKeyForm(JavaType key) {
    AnnotatedClass annotated = writing.introspectClassAnnotations(key);
    var description = writing.introspectBeanDescription(key, annotated);
    if (description.findJsonKeyAccessor() == null && description.findJsonValueAccessor() == null) {
      return false;
    }
    try {
      reading.findKeyDeserializer(key, null);
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }

  void visit(JavaType type, String where, int depth) {
    Class<?> raw = type.getRawClass();
    if (raw.isAnonymousClass() || raw.isHidden() || raw.isSynthetic()) {
      throw TypeCheck.refused(where, raw.getName() + " has no name to declare. Write a record.");
    }
    boolean inner = raw.getEnclosingClass() != null && !Modifier.isStatic(raw.getModifiers());
    if (inner && !raw.isInterface() && !raw.isRecord()) {
      throw TypeCheck.refused(
          where,
          raw.getName()
              + " is an inner class, bound to another object. Make it static, or a record.");
    }
    ValueSerializer<?> writer;
    ValueDeserializer<?> reader;
    try {
      writer = writing.findValueSerializer(type);
      reader = reading.findRootValueDeserializer(type);
    } catch (JacksonException e) {
      throw TypeCheck.refused(where, why(e));
    }
    while (reader.getDelegatee() != null && !(reader instanceof BeanDeserializerBase)) {
      reader = reader.getDelegatee();
    }
    while (writer.getDelegatee() != null) {
      writer = writer.getDelegatee();
    }
    if (reader instanceof tools.jackson.databind.deser.AbstractDeserializer) {
      throw TypeCheck.refused(
          where,
          "%s is %s that isn't sealed, so nothing tells which class to make. Make it a sealed interface over records, or annotate it (@JsonDeserialize(as = ...))."
              .formatted(raw.getName(), raw.isInterface() ? "an interface" : "an abstract class"));
    }
    if (!(writer instanceof BeanSerializerBase) || !type.isConcrete()) {
      types.judge();
    }
    properties(type, writer, reader, where, depth);
  }

  private void properties(
      JavaType type,
      ValueSerializer<?> writer,
      ValueDeserializer<?> reader,
      String where,
      int depth) {
    Set<String> written = new HashSet<>();
    Set<String> read = new HashSet<>();
    Iterator<PropertyWriter> writers = writer.properties();
    while (writers.hasNext()) {
      PropertyWriter property = writers.next();
      written.add(property.getName());
      if (!hasOwnForm(property.getMember()) && !isIgnoredType(property)) {
        types.visit(property.getType(), where + ValuePath.component(property.getName()), depth + 1);
      }
    }
    if (!(reader instanceof BeanDeserializerBase bean)) {
      return;
    }
    if (!bean.getValueInstantiator().canInstantiate()) {
      throw TypeCheck.refused(
          where,
          "%s has no constructor by which it could be made again. Make it a record, or give it a constructor without parameters, or one marked @JsonCreator."
              .formatted(type.getRawClass().getName()));
    }
    Iterator<SettableBeanProperty> readers = bean.properties();
    while (readers.hasNext()) {
      SettableBeanProperty property = readers.next();
      read.add(property.getName());
      if (!hasOwnForm(property.getMember()) && !property.isIgnorable()) {
        types.visit(property.getType(), where + ValuePath.component(property.getName()), depth + 1);
      }
    }
    if (writer instanceof BeanSerializerBase
        && type.isConcrete()
        && !type.getRawClass().isRecord()) {
      nothingLost(type.getRawClass(), written, read, where);
    }
  }

  private static boolean isIgnoredType(PropertyWriter property) {
    return !(property instanceof BeanPropertyWriter);
  }

  /// Is a property written and read by what annotations on it name?
  private boolean hasOwnForm(@Nullable AnnotatedMember member) {
    return member != null
        && (annotations.findSerializer(writing.getConfig(), member) != null
            || annotations.findDeserializer(reading.getConfig(), member) != null);
  }

  /// Every field that keeps something is recorded, and put back.
  private static void nothingLost(
      Class<?> type, Set<String> written, Set<String> read, String where) {
    Set<String> names = new HashSet<>();
    written.forEach(name -> names.add(plain(name)));
    for (Class<?> at = type; at != null && !JdkTypes.isJdk(at); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers)
            || Modifier.isTransient(modifiers)
            || field.isSynthetic()
            || isIgnored(field)) {
          continue;
        }
        if (!names.contains(plain(field.getName()))) {
          throw TypeCheck.refused(
              where,
              "the field %s of %s would be lost. Make the class a record, give the field a getter and a setter, or mark it transient or @JsonIgnore if it need not come back."
                  .formatted(field.getName(), at.getName()));
        }
        if (written.contains(field.getName()) && !read.contains(field.getName())) {
          throw TypeCheck.refused(
              where,
              "the field %s of %s is recorded, but nothing puts it back. Make the class a record, give the field a setter, or a constructor a parameter for it (@JsonCreator)."
                  .formatted(field.getName(), at.getName()));
        }
      }
    }
  }

  private static boolean isIgnored(Field field) {
    return field.isAnnotationPresent(com.fasterxml.jackson.annotation.JsonIgnore.class)
        || field.isAnnotationPresent(com.fasterxml.jackson.annotation.JsonProperty.class);
  }

  /// A field's name without the ornaments of naming habits.
  private static String plain(String name) {
    String bare = name.toLowerCase(Locale.ROOT).replace("_", "");
    for (String prefix : List.of("is", "m")) {
      if (name.length() > prefix.length()
          && name.startsWith(prefix)
          && !Character.isLowerCase(name.charAt(prefix.length()))) {
        return bare.substring(prefix.length());
      }
    }
    return bare;
  }

  /// What Jackson says of a type, in one line.
  static String why(JacksonException e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof ValueRefused refused) {
        return String.valueOf(refused.getMessage());
      }
    }
    return Texts.clipped(e.getOriginalMessage().replaceAll("\\s+", " "), 400);
  }
}
