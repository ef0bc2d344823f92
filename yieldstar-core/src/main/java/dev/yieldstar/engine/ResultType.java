package dev.yieldstar.engine;

import dev.yieldstar.YieldstarException;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The result type that a call site left in its trailing `T... type`.
///
/// @param type what the codec is asked for; null where the call site says nothing: the body may
///   only throw or return null
record ResultType(@Nullable Type type) {
  static final String SAY_IT =
      "Say it: step.run(key, Shape.class, ...), or new TypeRef<List<Line>>() {}; a generic helper takes it from its caller.";

  /// The type that the array stands for.
  ///
  /// @throws YieldstarException STEP_ARGUMENTS, TYPE_NOT_REIFIED before the body runs
  static ResultType of(String key, @Nullable Object[] array) {
    noArguments(key, array);
    Class<?> found = array.getClass().getComponentType();
    if (found == Object.class) {
      return new ResultType(null);
    }
    Class<?> element = found;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element == Object.class) {
      throw new YieldstarException(
          "TYPE_NOT_REIFIED",
          "Step '%s' returns an array whose element type is lost at run time. %s"
              .formatted(key, SAY_IT));
    }
    if (element.getTypeParameters().length > 0) {
      throw new YieldstarException(
          "TYPE_NOT_REIFIED",
          "Step '%s' returns a %s, and Java has erased what is in it. Write step.run(\"%s\", new TypeRef<>() {}, ...); where the result doesn't matter, a body without one: () -> { f(); }."
              .formatted(key, element.getSimpleName(), key));
    }
    return new ResultType(found);
  }

  /// @throws YieldstarException STEP_ARGUMENTS if something was passed after the body
  static void noArguments(String key, @Nullable Object[] array) {
    if (array.length > 0) {
      throw new YieldstarException(
          "STEP_ARGUMENTS",
          "Step '%s' was given %s after its body. The trailing parameter is never passed; options go between key and body."
              .formatted(key, Arrays.toString(array)));
    }
  }

  String name() {
    return type == null ? "" : type.getTypeName();
  }
}
