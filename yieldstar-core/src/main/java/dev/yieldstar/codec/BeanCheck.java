package dev.yieldstar.codec;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;

/// The part of the type check that is about classes of the application: can one be made again of
/// what is recorded of it, and is everything that it keeps recorded?
final class BeanCheck {
  private static final String JACKSON = "tools.jackson.databind.";

  private final Parts parts;
  private final SerializationContext writing;
  private final DeserializationContext reading;
  private final AnnotationIntrospector annotations;

  /// Who looks through the types that a class is made of.
  interface Parts {
    void visit(JavaType type, String where, int depth);

    /// Values of the type are judged one by one.
    void judge();
  }

  BeanCheck(JsonMapper mapper, Parts parts) {
    this.parts = parts;
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

  /// Is the type read by a deserializer that a further module brought for it?
  boolean hasOwnForm(JavaType type) {
    try {
      ValueDeserializer<?> reader = reading.findNonContextualValueDeserializer(type);
      return !reader.getClass().getName().startsWith(JACKSON);
    } catch (JacksonException e) {
      return false;
    }
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
      throw ValueRefused.ofType(where, raw.getName() + " has no name to declare. Write a record.");
    }
    boolean inner = raw.getEnclosingClass() != null && !Modifier.isStatic(raw.getModifiers());
    if (inner && !raw.isInterface() && !raw.isRecord()) {
      throw ValueRefused.ofType(
          where,
          raw.getName()
              + " is an inner class, bound to another object. Make it static, or a record.");
    }
    ValueSerializer<?> writer;
    ValueDeserializer<?> reader;
    try {
      writer = writing.findValueSerializer(type);
      reader = reading.findNonContextualValueDeserializer(type);
    } catch (JacksonException e) {
      throw ValueRefused.ofType(where, why(e));
    }
    while (reader.getDelegatee() != null && !(reader instanceof BeanDeserializerBase)) {
      reader = reader.getDelegatee();
    }
    while (writer.getDelegatee() != null) {
      writer = writer.getDelegatee();
    }
    if (reader instanceof AbstractDeserializer) {
      throw ValueRefused.ofType(
          where,
          "%s is %s that isn't sealed, so nothing tells which class to make. Make it a sealed interface over records, or annotate it (@JsonDeserialize(as = ...))."
              .formatted(raw.getName(), raw.isInterface() ? "an interface" : "an abstract class"));
    }
    if (!isPlain(writer) || !type.isConcrete()) {
      parts.judge();
    }
    stoodFor(type, where, depth);
    properties(type, writer, reader, where, depth);
  }

  /// What is written in the place of the object (@JsonValue) or beside its properties
  /// (@JsonAnyGetter).
  private void stoodFor(JavaType type, String where, int depth) {
    BeanDescription description =
        writing.introspectBeanDescription(type, writing.introspectClassAnnotations(type));
    for (AnnotatedMember member :
        Arrays.asList(description.findJsonValueAccessor(), description.findAnyGetter())) {
      if (member != null && !hasOwnForm(member)) {
        parts.visit(member.getType(), where + ValuePath.component(member.getName()), depth + 1);
      }
    }
  }

  private void properties(
      JavaType type,
      ValueSerializer<?> writer,
      ValueDeserializer<?> reader,
      String where,
      int depth) {
    Set<String> written = new HashSet<>();
    Iterator<PropertyWriter> writers = writer.properties();
    while (writers.hasNext()) {
      PropertyWriter property = writers.next();
      written.add(property.getName());
      if (property instanceof BeanPropertyWriter) {
        property(property.getName(), property.getType(), property.getMember(), where, depth);
      }
    }
    if (!(reader instanceof BeanDeserializerBase bean)) {
      return;
    }
    if (!canMake(bean.getValueInstantiator(), isPlain(writer))) {
      throw ValueRefused.ofType(
          where,
          "%s has no constructor by which it could be made again. Make it a record, or give it a constructor without parameters, or one marked @JsonCreator."
              .formatted(type.getRawClass().getName()));
    }
    Set<String> read = new HashSet<>();
    Iterator<SettableBeanProperty> readers = bean.properties();
    while (readers.hasNext()) {
      SettableBeanProperty property = readers.next();
      read.add(property.getName());
      if (!property.isIgnorable()) {
        property(property.getName(), property.getType(), property.getMember(), where, depth);
      }
    }
    if (isPlain(writer) && type.isConcrete() && !type.getRawClass().isRecord()) {
      LostFields.refuse(type.getRawClass(), written, read, where);
    }
  }

  private void property(
      String name, JavaType type, @Nullable AnnotatedMember member, String where, int depth) {
    String place = where + ValuePath.component(name);
    if (member != null && hasOwnForm(member)) {
      parts.judge();
    } else if (member != null
        && annotations.findPolymorphicTypeInfo(writing.getConfig(), member) != null) {
      parts.judge();
      List<NamedType> subtypes = annotations.findSubtypes(writing.getConfig(), member);
      for (NamedType subtype : subtypes == null ? List.<NamedType>of() : subtypes) {
        parts.visit(writing.constructType(subtype.getType()), place, depth + 1);
      }
    } else {
      parts.visit(type, place, depth + 1);
    }
  }

  private static boolean canMake(ValueInstantiator maker, boolean ofProperties) {
    return ofProperties
        ? maker.canCreateUsingDefault()
            || maker.canCreateFromObjectWith()
            || maker.canCreateUsingDelegate()
        : maker.canInstantiate();
  }

  /// Does Jackson write the class property by property, or as an empty object?
  private static boolean isPlain(ValueSerializer<?> writer) {
    return writer instanceof BeanSerializerBase || writer instanceof UnknownSerializer;
  }

  /// Is a property written and read by what annotations on it name?
  private boolean hasOwnForm(AnnotatedMember member) {
    return annotations.findSerializer(writing.getConfig(), member) != null
        || annotations.findDeserializer(reading.getConfig(), member) != null;
  }

  /// What Jackson says of a type, in one line.
  static String why(JacksonException e) {
    for (Throwable at : Causes.of(e)) {
      if (at instanceof ValueRefused refused) {
        return String.valueOf(refused.getMessage());
      }
    }
    return Causes.line(String.valueOf(e.getOriginalMessage()));
  }
}
