package dev.yieldstar;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/// A generic type kept for run time: `List<Line> lines = step.run("reserve", new TypeRef<>() {},
/// ...)`; the compiler fills in what the step returns. Immutable.
///
/// A type that stands for nothing at run time (a type variable, a wildcard, a raw container) is
/// refused with `TYPE_NOT_REIFIED` by the operation that it is handed to.
public abstract class TypeRef<T extends @Nullable Object> {
  private final Type type;

  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
      throw new YieldstarException(
          "TYPE_NOT_REIFIED",
          "A TypeRef names its type: new TypeRef<List<Line>>() {}, not new TypeRef() {}.");
    }
    this.type = parameterized.getActualTypeArguments()[0];
  }

  private TypeRef(Type type) {
    this.type = type;
  }

  /// The type of a class without type parameters.
  public static <T extends @Nullable Object> TypeRef<T> of(Class<T> type) {
    return new TypeRef<>(type) {};
  }

  /// The type itself.
  public final Type type() {
    return type;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof TypeRef<?> ref && ref.type.equals(type);
  }

  @Override
  public final int hashCode() {
    return type.hashCode();
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}
