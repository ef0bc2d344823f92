package dev.yieldstar;

/// One try of a step, handed to a body that asks for it. Immutable.
public interface Attempt {
  /// 1 for the first. Only attempts whose failure was recorded count: one that was cut off by a
  /// crash is made again under its number.
  int number();

  /// The same for every attempt of this step, in every delivery; different for every other step,
  /// incarnation and execution. 32 characters.
  String idempotencyKey();

  /// The fencing token: grows with every claim, for systems that can refuse an older one.
  long token();
}
