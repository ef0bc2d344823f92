package dev.yieldstar.codec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An error as it is kept: what a Throwable said of itself when it was recorded. Nothing of it is
/// code, so it can be read where the class that was thrown is unknown. Immutable.
///
/// Its size is bounded (see [ErrorCodec]); what was left out, and a cause that leads back to where
/// it came from, stand as an error of the type [#OMITTED] or [#CIRCULAR].
///
/// @param type name of the class that was thrown
/// @param message its message, in characters that every database keeps
/// @param code its code, if it had one
/// @param details what else is kept of an error of the library's own: the step key of an invalid
///   value
/// @param stack its stack elements, outermost call last, as a stack trace prints them
/// @param cause what caused it
/// @param suppressed what was suppressed for it
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true) // those of a later version of the library
public record RecordedError(
    String type,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String message,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String code,
    Map<String, String> details,
    List<String> stack,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RecordedError cause,
    List<RecordedError> suppressed) {

  /// Stands where an error is its own cause, or suppressed for itself: the message names it.
  public static final String CIRCULAR = "[circular reference]";

  /// Stands where errors were left out, since there were too many.
  public static final String OMITTED = "[omitted]";

  public RecordedError {
    Objects.requireNonNull(type, "a recorded error names the class that was thrown");
    details = details == null ? Map.of() : Map.copyOf(details);
    stack = stack == null ? List.of() : List.copyOf(stack);
    suppressed = suppressed == null ? List.of() : List.copyOf(suppressed);
  }

  /// The same with one more suppressed error.
  RecordedError withSuppressed(RecordedError other) {
    var all = new ArrayList<>(suppressed);
    all.add(other);
    return new RecordedError(type, message, code, details, stack, cause, all);
  }

  /// Class and message in one line, for lists and logs.
  public String summary() {
    if (message == null || message.isBlank()) {
      return type;
    }
    return type + ": " + Texts.clipped(message.strip().replaceAll("\\s*\\R\\s*", " "), 300);
  }
}
