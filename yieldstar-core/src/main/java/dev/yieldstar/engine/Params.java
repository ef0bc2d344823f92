package dev.yieldstar.engine;

import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Codec;
import dev.yieldstar.codec.NaturalValues;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.codec.ValueRefused;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The params of executions: always a JSON object, or missing. A workflow declared over a scalar,
/// an array or a collection has its value wrapped as `{"value": ...}`; one declared over `Void` has
/// none.
final class Params {
  private static final String NOT_DURABLE = "INVALID_EXECUTION_EVENT";
  static final String INVALID = "INVALID_START_PARAMETERS";

  private Params() {}

  /// How a value that is no object is wrapped.
  record Wrapped<T extends @Nullable Object>(T value) {}

  private record WrappedType(Type value) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return new Type[] {value};
    }

    @Override
    public Type getRawType() {
      return Wrapped.class;
    }

    @Override
    public Type getOwnerType() {
      return Params.class;
    }

    @Override
    public String getTypeName() {
      return value.getTypeName();
    }
  }

  /// The encoded params; null where the workflow takes none.
  ///
  /// @throws YieldstarException INVALID_START_PARAMETERS, INVALID_EXECUTION_EVENT
  static @Nullable Payload encode(
      Codec codec, String workflow, @Nullable Object params, Type type) {
    if (type == Void.class && params == null) {
      return null;
    }
    if (params == null) {
      throw new YieldstarException(
          INVALID,
          "Workflow '%s' takes a %s, and null was given. Use an Optional inside its params, or declare it over Void."
              .formatted(workflow, type.getTypeName()));
    }
    try {
      codec.check(type);
      Payload payload =
          isWrapped(type)
              ? codec.encode(new Wrapped<>(params), new WrappedType(type))
              : codec.encode(params, type);
      return checkedObject(codec, workflow, payload);
    } catch (ValueRefused e) {
      throw new YieldstarException(
          NOT_DURABLE,
          "The params of workflow '%s' are not durable: %s".formatted(workflow, e.getMessage()),
          e);
    }
  }

  private static Payload checkedObject(Codec codec, String workflow, Payload payload) {
    if (!codec.text(payload).startsWith("{")) {
      throw new YieldstarException(
          INVALID,
          "The params of workflow '%s' encode to something that is no JSON object. Declare a record, or wrap the value in one."
              .formatted(workflow));
    }
    return payload;
  }

  /// @throws ValueRefused if the payload is no value of that type
  static @Nullable Object decode(Codec codec, @Nullable Payload payload, Type type) {
    if (payload == null) {
      if (type == Void.class) {
        return null;
      }
      throw new ValueRefused(
          ValueRefused.UNDECODABLE,
          "there are none, and a " + type.getTypeName() + " is wanted",
          null);
    }
    if (!isWrapped(type)) {
      return codec.decode(payload, type);
    }
    var wrapped = (Wrapped<?>) Objects.requireNonNull(codec.decode(payload, new WrappedType(type)));
    return wrapped.value();
  }

  private static boolean isWrapped(Type type) {
    if (type instanceof ParameterizedType parameterized) {
      return isWrapped(parameterized.getRawType());
    }
    if (!(type instanceof Class<?> raw)) {
      return true;
    }
    boolean ofTheLanguage = raw.getName().startsWith("java.") && !Map.class.isAssignableFrom(raw);
    return raw.isArray() || raw.isEnum() || raw.isPrimitive() || ofTheLanguage;
  }

  /// @throws YieldstarException INVALID_EXECUTION_EVENT
  static Payload encodeContext(
      Codec codec, String workflow, Map<String, @Nullable Object> context) {
    try {
      return codec.encode(context, NaturalValues.CONTEXT);
    } catch (ValueRefused e) {
      throw new YieldstarException(
          NOT_DURABLE,
          "The context for workflow '%s' is not durable: %s".formatted(workflow, e.getMessage()),
          e);
    }
  }

  /// A missing context is an empty one.
  ///
  /// @throws ValueRefused if the payload is no context
  @SuppressWarnings("unchecked") // what the type says
  static Map<String, @Nullable Object> context(Codec codec, @Nullable Payload payload) {
    return payload == null
        ? Map.of()
        : (Map<String, @Nullable Object>)
            Objects.requireNonNull(codec.decode(payload, NaturalValues.CONTEXT));
  }
}
