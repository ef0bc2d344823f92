package dev.yieldstar.codec;

import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.RecordedFailure;
import dev.yieldstar.YieldstarException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The ways in which an error of some class can be made from what was recorded of it.
///
/// Public constructors `(String)`, `(String, Throwable)` (or with a narrower cause) and `()`; for
/// errors of the library also `(code, message)` and `(code, message, cause)`.
final class ErrorShapes {
  /// One way. Throws what the constructor throws.
  interface Shape {
    Throwable make(RecordedError recorded, @Nullable Throwable cause)
        throws ReflectiveOperationException;
  }

  private static final Pattern OURS = Pattern.compile("dev\\.yieldstar\\.(codec\\.)?[A-Z]\\w*");
  private static final Class<?>[] TEXT = {String.class};
  private static final Class<?>[] CODED = {String.class, String.class};
  private static final Class<?>[] CODED_CAUSED = {String.class, String.class, Throwable.class};

  private ErrorShapes() {}

  /// The ways for the class of this name, those that take a cause first. None if it isn't seen, is
  /// no Throwable, or has no fitting constructor. The class is not initialised here.
  static List<Shape> of(String name, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      if (type == InvalidStepValue.class) {
        return List.of(ErrorShapes::invalidStepValue);
      }
      boolean rebuildable =
          Throwable.class.isAssignableFrom(type)
              && !Modifier.isAbstract(type.getModifiers())
              && type != RecordedFailure.class;
      return rebuildable ? shapes(type) : List.of();
    } catch (ClassNotFoundException | LinkageError | SecurityException e) {
      return List.of();
    }
  }

  /// The ways for an error of the library itself, which is known everywhere; none for other names.
  static List<Shape> ofTheLibrary(String name) {
    return OURS.matcher(name).matches() ? of(name, ErrorShapes.class.getClassLoader()) : List.of();
  }

  private static Throwable invalidStepValue(RecordedError recorded, @Nullable Throwable cause) {
    return new InvalidStepValue(
        Objects.requireNonNull(recorded.code()),
        Objects.requireNonNull(recorded.details().get(ErrorRecorder.STEP_KEY)),
        Objects.requireNonNull(recorded.message()),
        cause);
  }

  /// Is there a Throwable of this name that could be caught by its class?
  static boolean isVisible(String name, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      return Throwable.class.isAssignableFrom(type) && !type.isAnonymousClass();
    } catch (ClassNotFoundException | LinkageError | SecurityException e) {
      return false;
    }
  }

  private static List<Shape> shapes(Class<?> type) {
    List<Constructor<?>> found = new ArrayList<>(Arrays.asList(type.getConstructors()));
    found.removeIf(constructor -> !constructor.trySetAccessible());
    List<Shape> caused = new ArrayList<>();
    List<Shape> plain = new ArrayList<>();
    List<Shape> empty = new ArrayList<>();
    boolean ours = YieldstarException.class.isAssignableFrom(type);
    for (Constructor<?> constructor : found) {
      Class<?>[] parameters = constructor.getParameterTypes();
      if (Arrays.equals(parameters, TEXT)) {
        plain.add((recorded, cause) -> make(constructor, recorded.message()));
      } else if (parameters.length == 0) {
        empty.add((recorded, cause) -> make(constructor));
      } else if (ours && Arrays.equals(parameters, CODED_CAUSED)) {
        caused.add(
            (recorded, cause) -> make(constructor, recorded.code(), recorded.message(), cause));
      } else if (ours && Arrays.equals(parameters, CODED)) {
        plain.add((recorded, cause) -> make(constructor, recorded.code(), recorded.message()));
      } else if (isCaused(parameters)) {
        caused.add((recorded, cause) -> make(constructor, recorded.message(), cause));
      }
    }
    caused.addAll(plain);
    caused.addAll(empty);
    return List.copyOf(caused);
  }

  private static boolean isCaused(Class<?>[] parameters) {
    return parameters.length == 2
        && parameters[0] == String.class
        && Throwable.class.isAssignableFrom(parameters[1]);
  }

  private static Throwable make(Constructor<?> constructor, @Nullable Object... arguments)
      throws ReflectiveOperationException {
    return (Throwable) constructor.newInstance(arguments);
  }
}
