package dev.yieldstar.codec;

/// What serializers and the generator throw when they meet something that is not durable. The
/// encoder adds where it was met.
final class NotDurable extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String what;

  NotDurable(String what) {
    super(what, null, false, false);
    this.what = what;
  }

  /// What is wrong with the value, to be read after where it is.
  String what() {
    return what;
  }
}
