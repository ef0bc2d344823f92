package dev.yieldstar.execution;

/// What kind of operation a step is. A recorded key that is met by another kind blocks its
/// execution.
public enum StepKind {
  RUN(1),
  SLEEP(2),
  POLL(3),
  NOW(4),
  RANDOM_UUID(5),
  RANDOM(6),
  START(7),
  COMPENSATION(8);

  private final int code;

  StepKind(int code) {
    this.code = code;
  }

  /// The number that databases keep; never given to another kind.
  public int code() {
    return code;
  }

  public static StepKind ofCode(int code) {
    for (StepKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "no kind of step has the number "
            + code
            + "; it was recorded by a newer version of the library");
  }
}
