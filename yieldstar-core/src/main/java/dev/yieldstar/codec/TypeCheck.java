package dev.yieldstar.codec;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Looks through a declared type for what could not be decoded again: erased, open or unknown types
/// in it, at any depth. One look, one thread.
final class TypeCheck implements BeanCheck.Parts {
  private static final int DEEPEST = 60;
  private static final String ENDLESS =
      "the type goes on without end: a generic type contains itself with ever larger arguments.";

  private final JsonMapper mapper;
  private final BeanCheck beans;
  private final Set<JavaType> seen = new HashSet<>();
  private boolean judged;
  private boolean floating;

  private TypeCheck(JsonMapper mapper) {
    this.mapper = mapper;
    this.beans = new BeanCheck(mapper, this);
  }

  /// What a look finds out: the type as Jackson has it, and whether each of its values has to be
  /// judged by encoding it twice, since classes are in it whose serializers promise nothing.
  record Found(JavaType type, boolean judged, boolean floating) {}

  /// @throws ValueRefused with code `TYPE_NOT_REIFIED`, if it can't be decoded again
  static Found of(Type declared, JsonMapper mapper) {
    reified(declared, declared);
    TypeCheck check = new TypeCheck(mapper);
    JavaType type = mapper.getTypeFactory().constructType(declared);
    try {
      check.visit(type, Names.of(type), 0);
    } catch (JacksonException e) {
      throw ValueRefused.ofType(Names.of(type), BeanCheck.why(e));
    } catch (IllegalArgumentException e) {
      throw ValueRefused.ofType(Names.of(type), String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw ValueRefused.ofType(Names.of(type), ENDLESS);
    }
    return new Found(type, check.judged, check.floating);
  }

  /// Refuses what stands for no type at run time, before Jackson puts its bound in its place.
  private static void reified(Type part, Type whole) {
    switch (part) {
      case Class<?> type -> {
        if (type.getTypeParameters().length > 0) {
          throw ValueRefused.ofType(
              Names.of(whole),
              "%s is a raw type: Java has erased what is in it. Write new TypeRef<%s<...>>() {}, with its arguments."
                  .formatted(type.getSimpleName(), type.getSimpleName()));
        }
        if (type.isArray()) {
          reified(type.getComponentType(), whole);
        }
      }
      case ParameterizedType type -> {
        for (Type argument : type.getActualTypeArguments()) {
          reified(argument, whole);
        }
      }
      case GenericArrayType type -> reified(type.getGenericComponentType(), whole);
      case WildcardType type
          when type.getLowerBounds().length == 0 && type.getUpperBounds()[0] != Object.class ->
          reified(type.getUpperBounds()[0], whole);
      default ->
          throw ValueRefused.ofType(
              Names.of(whole),
              "%s stands for no type at run time. Write the type itself; a generic helper takes it from its caller, as a TypeRef."
                  .formatted(part.getTypeName()));
    }
  }

  @Override
  public void visit(JavaType type, String where, int depth) {
    if (depth > DEEPEST) {
      throw ValueRefused.ofType(where, ENDLESS);
    }
    if (!seen.add(type)) {
      return;
    }
    Class<?> raw = type.getRawClass();
    floating |= JdkTypes.isFloating(raw);
    if (raw == Object.class) {
      throw ValueRefused.ofType(
          where,
          "it is declared as Object (or as a raw or unbounded generic type), which says nothing about what to decode. Declare what it is: a record, a sealed interface, or JsonNode for any JSON.");
    }
    if (JdkTypes.isScalar(raw)
        || (Throwable.class.isAssignableFrom(raw) && !Families.tagged(raw))) {
      return;
    }
    if (type.isArrayType()) {
      visit(type.getContentType(), where + "[]", depth + 1);
    } else if (type.isContainerType()) {
      container(type, where, depth);
    } else if (raw == Optional.class) {
      optional(type.getContentType(), where, depth);
    } else if (JsonNode.class.isAssignableFrom(raw)) {
      jsonNode(raw, where);
    } else if (JdkTypes.isJdk(raw) && !raw.isEnum()) {
      if (!beans.hasOwnForm(type)) {
        throw ValueRefused.ofType(where, Names.instead(raw));
      }
      judge();
    } else {
      application(type, where, depth);
    }
  }

  @Override
  public void judge() {
    judged = true;
  }

  private void container(JavaType type, String where, int depth) {
    Class<?> raw = type.getRawClass();
    if (!JdkTypes.isContainer(raw)) {
      if (JdkTypes.isJdk(raw) || !beans.hasOwnForm(type)) {
        throw ValueRefused.ofType(
            where,
            "%s is a collection of its own kind, which would not come back as such. Declare a List, Set or Map, or a record around one."
                .formatted(raw.getName()));
      }
      judge();
    }
    if (type.isMapLikeType()) {
      key(type.getKeyType(), where);
    }
    visit(type.getContentType(), where + (type.isMapLikeType() ? "{}" : "[]"), depth + 1);
  }

  private void key(JavaType key, String where) {
    Class<?> raw = key.getRawClass();
    if (!JdkTypes.isKey(raw)) {
      if (JdkTypes.isJdk(raw) || !beans.hasKeyForm(key)) {
        throw ValueRefused.ofType(
            where,
            "its keys are %s, and no key of that kind comes back from text. Keys are texts, whole numbers, enums, UUIDs, times, or classes with one @JsonValue (or @JsonKey) and a @JsonCreator; else keep a List of records."
                .formatted(Names.of(key)));
      }
      judge();
    }
  }

  private void optional(JavaType content, String where, int depth) {
    Class<?> raw = content.getRawClass();
    if (ExactClasses.isOptional(raw) || raw == Void.class || JsonNode.class.isAssignableFrom(raw)) {
      throw ValueRefused.ofType(
          where,
          "an Optional of %s can't tell its empty value from an empty one inside."
              .formatted(raw.getSimpleName()));
    }
    visit(content, where, depth + 1);
  }

  private static void jsonNode(Class<?> raw, String where) {
    if (raw != JsonNode.class && raw != ObjectNode.class && raw != ArrayNode.class) {
      throw ValueRefused.ofType(
          where,
          raw.getSimpleName() + " is too narrow: declare JsonNode, ObjectNode or ArrayNode.");
    }
  }

  private void application(JavaType type, String where, int depth) {
    Class<?> raw = type.getRawClass();
    if (!beans.isNamed(type)) {
      if (!raw.isEnum()) {
        beans.visit(type, where, depth);
      }
      return;
    }
    Map<String, Class<?>> names = new HashMap<>();
    for (NamedType member : beans.members(type)) {
      Class<?> other = names.putIfAbsent(Families.name(member.getType()), member.getType());
      if (other != null && other != member.getType()) {
        throw ValueRefused.ofType(
            where,
            "%s and %s would both be recorded as \"%s\". Give one of them a name by @JsonTypeName."
                .formatted(other.getName(), member.getType().getName(), Families.name(other)));
      }
      JavaType special = Families.under(type, member.getType(), mapper.getTypeFactory());
      if (special != null && (special.equals(type) || seen.add(special))) {
        member(special, where, depth);
      }
    }
  }

  private void member(JavaType member, String where, int depth) {
    Class<?> raw = member.getRawClass();
    if (raw.isEnum() || Throwable.class.isAssignableFrom(raw)) {
      return;
    }
    if (member.isContainerType()) {
      throw ValueRefused.ofType(
          where,
          raw.getName() + " is a collection, which carries no name. Make it a record around one.");
    }
    beans.visit(member, where + "(" + raw.getSimpleName() + ")", depth + 1);
  }
}
