package dev.yieldstar;

/// An error with a code that programs can rely on. The code of a recorded error is kept with it.
public interface Coded {
  String code();
}
