package dev.yieldstar.codec;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

/// Sealed families of the application's types, and the names by which their members are recorded.
///
/// A member's name is what `@JsonTypeName` or the family's `@JsonSubTypes` says, else its simple
/// class name: it survives a move to another package, and it is the same under every declared type.
final class Families {
  private Families() {}

  /// Is this type a member, or the head, of a sealed family? Then its values carry their name.
  static boolean tagged(Class<?> type) {
    return !type.isPrimitive() && !type.isArray() && !heads(type).isEmpty();
  }

  /// The sealed types that this one belongs to, itself included. Those of the JDK don't count, nor
  /// sealed exceptions and enums: they have forms of their own.
  private static Set<Class<?>> heads(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    ancestors(type, all);
    all.removeIf(
        ancestor ->
            !ancestor.isSealed()
                || ancestor.isEnum()
                || Throwable.class.isAssignableFrom(ancestor)
                || JdkTypes.isJdk(ancestor));
    return all;
  }

  private static void ancestors(@Nullable Class<?> type, Set<Class<?>> into) {
    if (type == null || !into.add(type)) {
      return;
    }
    ancestors(type.getSuperclass(), into);
    for (Class<?> parent : type.getInterfaces()) {
      ancestors(parent, into);
    }
  }

  /// A subtype with the type arguments that it has under a declared type; null if it can't have
  /// them: an `Expression<Integer>` is never declared as `Expression<String>`.
  static @Nullable JavaType under(JavaType declared, Class<?> subtype, TypeFactory types) {
    JavaType special;
    try {
      special = types.constructSpecializedType(declared, subtype);
    } catch (IllegalArgumentException e) {
      return null;
    }
    JavaType seen = special.findSuperType(declared.getRawClass());
    for (int i = 0; seen != null && i < declared.containedTypeCount(); i++) {
      if (!seen.containedTypeOrUnknown(i)
          .isTypeOrSubTypeOf(declared.containedType(i).getRawClass())) {
        return null;
      }
    }
    return special;
  }

  /// The name that values of this member carry.
  ///
  /// @throws ValueRefused if two families give it different names
  static String name(Class<?> member) {
    JsonTypeName own = member.getDeclaredAnnotation(JsonTypeName.class);
    if (own != null && !own.value().isEmpty()) {
      return own.value();
    }
    Set<String> given = new TreeSet<>();
    Set<Class<?>> ancestors = new LinkedHashSet<>();
    ancestors(member, ancestors);
    for (Class<?> ancestor : ancestors) {
      given.addAll(namesGiven(ancestor, member));
    }
    if (given.size() > 1) {
      throw new ValueRefused(
          ValueRefused.TYPE_NOT_REIFIED,
          "%s has the names %s in @JsonSubTypes; give it one, by @JsonTypeName on the class itself."
              .formatted(member.getName(), given),
          null);
    }
    return given.isEmpty() ? member.getSimpleName() : given.iterator().next();
  }

  private static List<String> namesGiven(Class<?> ancestor, Class<?> member) {
    List<String> names = new ArrayList<>();
    JsonSubTypes listed = ancestor.getDeclaredAnnotation(JsonSubTypes.class);
    if (listed != null) {
      for (JsonSubTypes.Type type : listed.value()) {
        if (type.value() == member && !type.name().isEmpty()) {
          names.add(type.name());
        }
      }
    }
    return names;
  }
}
