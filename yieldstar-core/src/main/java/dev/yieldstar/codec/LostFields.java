package dev.yieldstar.codec;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds fields that a plain class keeps and its properties don't: what is in them would be lost
/// without a word.
final class LostFields {
  private LostFields() {}

  /// Every field that keeps something is recorded, and put back.
  static void refuse(Class<?> type, Set<String> written, Set<String> read, String where) {
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
          throw ValueRefused.ofType(
              where,
              "the field %s of %s would be lost. Make the class a record, give the field a getter and a setter, or mark it transient or @JsonIgnore if it need not come back."
                  .formatted(field.getName(), at.getName()));
        }
        if (written.contains(field.getName()) && !read.contains(field.getName())) {
          throw ValueRefused.ofType(
              where,
              "the field %s of %s is recorded, but nothing puts it back. Make the class a record, give the field a setter, or a constructor a parameter for it (@JsonCreator)."
                  .formatted(field.getName(), at.getName()));
        }
      }
    }
  }

  private static boolean isIgnored(Field field) {
    return field.isAnnotationPresent(JsonIgnore.class)
        || field.isAnnotationPresent(JsonProperty.class);
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
}
