package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// What a step or a workflow returned is not durable: it can't be encoded, would not come back the
/// same, or is too large. Recorded as the step's error, so that its body does not run again.
public final class InvalidStepValue extends YieldstarException {
  private static final long serialVersionUID = 1;

  /// The step key under which the result of a workflow itself is reported.
  public static final String WORKFLOW_RESULT = "$$workflow-result$$";

  private final String stepKey;

  /// @param code `INVALID_STEP_VALUE` or `PAYLOAD_TOO_LARGE`
  public InvalidStepValue(String code, String stepKey, String message, @Nullable Throwable cause) {
    super(code, message, cause);
    this.stepKey = stepKey;
  }

  /// The key of the step whose value it is.
  public String stepKey() {
    return stepKey;
  }
}
