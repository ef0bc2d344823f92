package dev.yieldstar;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A recorded error whose own class cannot be rebuilt here. Its message, code, stack and cause are
/// the original's; [originalClass][#originalClass()] names the class that was thrown.
///
/// The same error comes back as the same type on the first run and on every replay. To get the
/// class itself, give it a public `(String)` constructor, or register how it is rebuilt.
public final class RecordedFailure extends YieldstarException {
  private static final long serialVersionUID = 1;
  private final String originalClass;
  private final @Nullable String originalCode;

  public RecordedFailure(
      String originalClass,
      @Nullable String message,
      @Nullable String originalCode,
      @Nullable Throwable cause) {
    super("RECORDED_FAILURE", message == null ? originalClass : message, cause);
    this.originalClass = originalClass;
    this.originalCode = originalCode;
  }

  /// The name of the class that was thrown.
  public String originalClass() {
    return originalClass;
  }

  /// The code that the original error carried, if it carried one.
  public Optional<String> originalCode() {
    return Optional.ofNullable(originalCode);
  }
}
