package dev.yieldstar.codec;

import java.lang.reflect.Type;
import java.util.stream.Collectors;
import tools.jackson.databind.JavaType;

/// How types are called in messages.
final class Names {
  private Names() {}

  static String of(Type type) {
    return type.getTypeName().replaceAll("\\bjava\\.(lang|util)\\.(?=[A-Z])", "");
  }

  /// With its type arguments.
  static String of(JavaType type) {
    if (type.isArrayType()) {
      return of(type.getContentType()) + "[]";
    }
    String name = of((Type) type.getRawClass());
    if (!type.hasGenericTypes()) {
      return name;
    }
    return name
        + type.getBindings().getTypeParameters().stream()
            .map(Names::of)
            .collect(Collectors.joining(", ", "<", ">"));
  }

  /// What to write instead of a type of the JDK that isn't durable.
  static String instead(Class<?> type) {
    String name = type.getName();
    if (type == Number.class) {
      return "Number is no type of its own. Declare Integer, Long, Double, BigDecimal or BigInteger.";
    }
    if (type == CharSequence.class) {
      return "CharSequence is no type of its own. Declare String.";
    }
    if (type == Record.class
        || type == Enum.class
        || type == java.io.Serializable.class
        || type == Comparable.class
        || type == Cloneable.class) {
      return "%s is only what different types have in common. Declare the type that is meant: where they are yours, a sealed interface over them."
          .formatted(of(type));
    }
    if (Iterable.class.isAssignableFrom(type)
        || java.util.Iterator.class.isAssignableFrom(type)
        || name.startsWith("java.util.stream.")) {
      return "%s can be read only once, or in no known order. Declare a List.".formatted(of(type));
    }
    if (java.util.concurrent.Future.class.isAssignableFrom(type)
        || java.util.concurrent.CompletionStage.class.isAssignableFrom(type)) {
      return "%s is work under way, not a value. Wait for it in the step, and return what it gives."
          .formatted(of(type));
    }
    if (name.startsWith("java.util.function.")
        || type == Runnable.class
        || type == java.util.concurrent.Callable.class
        || name.startsWith("java.lang.invoke.")) {
      return "%s is code, not a value. Call it in the step, and return what it gives."
          .formatted(of(type));
    }
    if (type == java.util.Calendar.class || type == java.util.GregorianCalendar.class) {
      return "a calendar loses its zone. Declare ZonedDateTime.";
    }
    if (name.startsWith("java.sql.")) {
      return "%s belongs to a database driver. Declare Instant, LocalDateTime, LocalDate, byte[] or String."
          .formatted(of(type));
    }
    return "%s has no durable form. Keep what it is made of: texts, numbers, times, byte[], or a record of them."
        .formatted(of(type));
  }
}
