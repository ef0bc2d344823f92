package dev.yieldstar.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import tools.jackson.databind.jsontype.impl.TypeIdResolverBase;

/// Writes the name of a subtype only if it is one of those that can be read back. (Jackson would
/// name any class that it meets.)
final class NamedSubtypes extends StdTypeResolverBuilder {
  NamedSubtypes(JsonTypeInfo.Value settings, @Nullable JavaType detectedBase) {
    super(settings, detectedBase);
  }

  private NamedSubtypes(NamedSubtypes from, Class<?> defaultSubtype) {
    super(from, defaultSubtype);
  }

  @Override
  public StdTypeResolverBuilder withDefaultImpl(Class<?> defaultSubtype) {
    return new NamedSubtypes(this, defaultSubtype);
  }

  @Override
  protected TypeIdResolver idResolver(
      DatabindContext context,
      JavaType declared,
      PolymorphicTypeValidator validator,
      @Nullable Collection<NamedType> subtypes,
      boolean writing,
      boolean reading) {
    if (_customIdResolver != null || subtypes == null) {
      return super.idResolver(context, declared, validator, subtypes, writing, reading);
    }
    List<NamedType> possible =
        subtypes.stream()
            .filter(
                subtype ->
                    Families.under(declared, subtype.getType(), context.getTypeFactory()) != null)
            .toList();
    if (!writing) {
      return super.idResolver(context, declared, validator, possible, false, reading);
    }
    Map<Class<?>, String> names = new HashMap<>();
    for (NamedType subtype : possible) {
      names.putIfAbsent(
          subtype.getType(),
          subtype.hasName() ? subtype.getName() : Families.name(subtype.getType()));
    }
    return new Writing(declared, Map.copyOf(names));
  }

  private static final class Writing extends TypeIdResolverBase {
    private static final long serialVersionUID = 1;
    private final JavaType declared;
    private final transient Map<Class<?>, String> names;

    Writing(JavaType declared, Map<Class<?>, String> names) {
      super(declared);
      this.declared = declared;
      this.names = names;
    }

    @Override
    public String idFromValue(DatabindContext context, Object value) {
      Class<?> actual =
          value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
      String name = names.get(actual);
      if (name == null) {
        throw new NotDurable(
            "is a %s where %s is declared, and would not come back as one: it is not named among its subtypes"
                .formatted(actual.getName(), declared.getRawClass().getName()));
      }
      return name;
    }

    @Override
    public String idFromValueAndType(
        DatabindContext context, @Nullable Object value, Class<?> type) {
      String name = value != null ? idFromValue(context, value) : names.get(type);
      return name != null ? name : Families.name(type);
    }

    @Override
    public JsonTypeInfo.Id getMechanism() {
      return JsonTypeInfo.Id.NAME;
    }
  }
}
