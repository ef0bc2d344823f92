package dev.yieldstar.codec;

import dev.yieldstar.Coded;
import dev.yieldstar.RecordedFailure;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The code that an error carries: as a [Coded], or by a public `code()` or `getCode()` without
/// arguments that answers a text, a number, a character, a boolean or an enum constant.
final class ErrorCode {
  private static final ClassValue<Optional<Method>> METHODS =
      new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
          return find(type, "code").or(() -> find(type, "getCode"));
        }
      };

  private ErrorCode() {}

  /// The code, or null if the error has none. Throws whatever the error's own method throws.
  static @Nullable String of(Throwable error) throws ReflectiveOperationException {
    if (error instanceof RecordedFailure recorded) {
      return recorded.originalCode().orElse(null);
    }
    if (error instanceof Coded coded) {
      return coded.code();
    }
    Optional<Method> method = METHODS.get(error.getClass());
    if (method.isEmpty()) {
      return null;
    }
    Object code = method.get().invoke(error);
    return code instanceof Enum<?> constant
        ? constant.name()
        : code == null ? null : code.toString();
  }

  private static Optional<Method> find(Class<?> type, String name) {
    try {
      Method method = type.getMethod(name);
      boolean usable =
          !Modifier.isStatic(method.getModifiers())
              && isCode(method.getReturnType())
              && method.trySetAccessible();
      return usable ? Optional.of(method) : Optional.empty();
    } catch (NoSuchMethodException | LinkageError | SecurityException e) {
      return Optional.empty();
    }
  }

  private static boolean isCode(Class<?> type) {
    return (type.isPrimitive() && type != void.class)
        || type == String.class
        || type == Character.class
        || type == Boolean.class
        || type.isEnum()
        || Number.class.isAssignableFrom(type);
  }
}
