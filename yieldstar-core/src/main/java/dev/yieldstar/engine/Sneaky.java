package dev.yieldstar.engine;

/// Throws what a signature does not declare: recorded errors come back as whatever they were.
final class Sneaky {
  private Sneaky() {}

  /// Never returns; the result type is for `throw Sneaky.raise(error)`.
  static RuntimeException raise(Throwable error) {
    throw Sneaky.<RuntimeException>as(error);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E as(Throwable error) throws E {
    throw (E) error;
  }
}
