package dev.yieldstar.engine;

import dev.yieldstar.spi.DeliveryEnd;

/// Leaves a workflow function in the middle. Extends `Throwable` directly, so that code that
/// catches exceptions or errors lets it pass; where it is swallowed all the same, the next
/// operation throws it again, and whatever the function returns is discarded.
final class Unwind extends Throwable {
  private static final long serialVersionUID = 1;
  private final transient DeliveryEnd end;
  private final String at;

  /// @param at the key of the step at which the function is left, for messages
  Unwind(DeliveryEnd end, String at) {
    super("the workflow function is left at step '" + at + "'", null, false, false);
    this.end = end;
    this.at = at;
  }

  DeliveryEnd end() {
    return end;
  }

  String at() {
    return at;
  }
}
