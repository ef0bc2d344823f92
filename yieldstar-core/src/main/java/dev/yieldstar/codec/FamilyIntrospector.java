package dev.yieldstar.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;

/// Tells Jackson how members of sealed families are named and tagged, and keeps Java class names
/// out of the data.
final class FamilyIntrospector extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1;

  /// The property that carries the name, where the application chose no other.
  static final String TAG = "@type";

  /// Not required of a member that is declared itself: it may have joined its family after the
  /// value was recorded.
  private static final JsonTypeInfo.Value TAGGED =
      JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, TAG, null, false, Boolean.FALSE, null);

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    JsonTypeInfo.Value given = super.findPolymorphicTypeInfo(config, annotated);
    if (given != null) {
      return switch (given.getIdType()) {
        case CLASS, MINIMAL_CLASS ->
            throw new ValueRefused(
                ValueRefused.TYPE_NOT_REIFIED,
                ("%s asks for Java class names in the data (@JsonTypeInfo). Use Id.NAME, or make the"
                        + " type sealed: its subtypes are then named without annotations.")
                    .formatted(annotated),
                null);
        case NONE, NAME, SIMPLE_NAME, DEDUCTION, CUSTOM -> given;
      };
    }
    return annotated instanceof AnnotatedClass && Families.tagged(annotated.getRawType())
        ? TAGGED
        : null;
  }

  @Override
  public @Nullable Object findTypeResolverBuilder(MapperConfig<?> config, Annotated annotated) {
    Object given = super.findTypeResolverBuilder(config, annotated);
    JsonTypeInfo.Value info = findPolymorphicTypeInfo(config, annotated);
    if (given != null || info == null || info.getIdType() != JsonTypeInfo.Id.NAME) {
      return given;
    }
    if (!(annotated instanceof AnnotatedClass type)) {
      return new NamedSubtypes(info, null);
    }
    boolean external = info.getInclusionType() == JsonTypeInfo.As.EXTERNAL_PROPERTY;
    return new NamedSubtypes(
        external ? info.withInclusionType(JsonTypeInfo.As.PROPERTY) : info,
        findPolymorphicBaseType(config, type, info, type.getType()));
  }

  @Override
  public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass type) {
    return Families.name(type.getRawType());
  }

  @Override
  public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
    List<NamedType> given = super.findSubtypes(config, annotated);
    if (!(annotated instanceof AnnotatedClass) || !annotated.getRawType().isSealed()) {
      return given;
    }
    if (annotated.getRawType().isEnum()) {
      return null; // "sealed" by its constants
    }
    List<NamedType> all = new ArrayList<>(given == null ? List.of() : given);
    Set<Class<?>> known = new LinkedHashSet<>();
    all.forEach(type -> known.add(type.getType()));
    for (Class<?> permitted : annotated.getRawType().getPermittedSubclasses()) {
      if (known.add(permitted)) {
        all.add(new NamedType(permitted));
      }
    }
    return all;
  }

  /// A primitive that was not recorded has no value: 0 would be made up.
  @Override
  public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
    Boolean given = super.hasRequiredMarker(config, member);
    boolean primitive = member instanceof AnnotatedParameter && member.getRawType().isPrimitive();
    return (given == null && primitive) ? Boolean.TRUE : given;
  }

  /// Sets and maps come back in the order in which they were recorded.
  @Override
  public JavaType refineDeserializationType(
      MapperConfig<?> config, Annotated annotated, JavaType type) {
    JavaType refined = super.refineDeserializationType(config, annotated, type);
    if (refined.hasRawClass(HashSet.class) || refined.hasRawClass(Set.class)) {
      return config.getTypeFactory().constructSpecializedType(refined, LinkedHashSet.class);
    }
    if (refined.hasRawClass(HashMap.class) || refined.hasRawClass(Map.class)) {
      return config.getTypeFactory().constructSpecializedType(refined, LinkedHashMap.class);
    }
    return refined;
  }
}
