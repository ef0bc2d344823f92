package dev.yieldstar.engine;

/// The commands of one delivery, in the order in which it submits them. Once one of them is refused
/// as lost, answered with another value or fails as data, every later one answers lost without
/// being sent. Torn by the lane that commits them, read by anybody.
final class Chain {
  private volatile boolean broken;

  boolean isBroken() {
    return broken;
  }

  void tear() {
    broken = true;
  }
}
