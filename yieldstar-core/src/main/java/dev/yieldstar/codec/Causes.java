package dev.yieldstar.codec;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;

/// What lies behind an exception that came out of data binding, which may be anything that the
/// application threw: its causes may go in circles, its methods may throw.
final class Causes {
  private static final int DEEPEST = 50;

  private Causes() {}

  /// Throws what says something about this process rather than about the value.
  static void passOn(Throwable error) {
    if (error instanceof VirtualMachineError broken && !(error instanceof StackOverflowError)) {
      throw broken;
    }
    if (error instanceof LinkageError broken) {
      throw broken;
    }
  }

  /// The exception and its causes, the outermost first.
  static List<Throwable> of(Throwable error) {
    List<Throwable> chain = new ArrayList<>();
    Throwable at = error;
    while (at != null && chain.size() < DEEPEST) {
      chain.add(at);
      try {
        at = at.getCause();
      } catch (RuntimeException | StackOverflowError e) {
        break;
      }
    }
    return chain;
  }

  /// What the innermost cause says, in one line.
  static String text(Throwable error) {
    Throwable root = of(error).getLast();
    return root instanceof JacksonException failure
        ? line(String.valueOf(failure.getOriginalMessage()))
        : ErrorRecorder.record(root).summary();
  }

  static String line(String text) {
    return Texts.clipped(text.replaceAll("\\s+", " "), 400);
  }
}
