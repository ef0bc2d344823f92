package dev.yieldstar.codec;

import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.RecordedFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Takes down what a Throwable says of itself. Whatever its methods do, there is a record at the
/// end, and it is small.
final class ErrorRecorder {
  static final int CAUSES = 32;
  static final int SUPPRESSED = 8;
  static final int ERRORS = 64;
  static final int FRAMES = 200;
  static final int ALL_FRAMES = 1_000;
  static final int MESSAGE = 16 * 1024;
  static final int TEXT = 64 * 1024;
  static final int STACK_TEXT = 128 * 1024;
  static final String STEP_KEY = "stepKey";
  private static final int NAME = 1_000;

  private final Set<Throwable> path = Collections.newSetFromMap(new IdentityHashMap<>());
  private int errors;
  private int frames;
  private int text;
  private int stackText;

  private ErrorRecorder() {}

  static RecordedError record(Throwable error) {
    return new ErrorRecorder().recorded(error, 0);
  }

  private RecordedError recorded(Throwable error, int depth) {
    errors++;
    path.add(error);
    String type = Texts.storable(Texts.clipped(typeOf(error), NAME));
    String message = message(error);
    String code = code(error);
    List<String> stack = stack(error);
    RecordedError cause = related(asked(error::getCause), depth);
    List<RecordedError> suppressed = suppressed(error, depth);
    path.remove(error);
    return new RecordedError(type, message, code, details(error), stack, cause, suppressed);
  }

  private @Nullable RecordedError related(@Nullable Throwable related, int depth) {
    if (related == null) {
      return null;
    }
    if (path.contains(related)) {
      return marker(RecordedError.CIRCULAR, typeOf(related));
    }
    if (depth + 1 >= CAUSES || errors >= ERRORS) {
      return marker(RecordedError.OMITTED, "more errors than are recorded: " + typeOf(related));
    }
    return recorded(related, depth + 1);
  }

  private List<RecordedError> suppressed(Throwable error, int depth) {
    Throwable[] all = asked(error::getSuppressed);
    if (all == null) {
      return List.of();
    }
    List<RecordedError> recorded = new ArrayList<>();
    for (Throwable one : all) {
      if (recorded.size() == SUPPRESSED || errors >= ERRORS) {
        recorded.add(
            marker(
                RecordedError.OMITTED, (all.length - recorded.size()) + " more suppressed errors"));
        break;
      }
      RecordedError record = related(one, depth);
      if (record != null) {
        recorded.add(record);
      }
    }
    return recorded;
  }

  private RecordedError marker(String kind, String message) {
    return new RecordedError(
        kind,
        Texts.storable(Texts.clipped(message, NAME)),
        null,
        Map.of(),
        List.of(),
        null,
        List.of());
  }

  private @Nullable String message(Throwable error) {
    try {
      String message = error.getMessage();
      if (message == null
          || (error instanceof RecordedFailure failure
              && message.equals(failure.originalClass()))) {
        return null; // a RecordedFailure is called after its class when there was no message
      }
      return spend(Texts.storable(Texts.clipped(message, MESSAGE)));
    } catch (Throwable e) {
      survive(e);
      return "[no message: getMessage() threw " + e.getClass().getName() + "]";
    }
  }

  private @Nullable String code(Throwable error) {
    String code = asked(() -> ErrorCode.of(error));
    return code == null ? null : spend(Texts.storable(Texts.clipped(code, NAME)));
  }

  private static Map<String, String> details(Throwable error) {
    return error instanceof InvalidStepValue invalid
        ? Map.of(STEP_KEY, Texts.storable(Texts.clipped(invalid.stepKey(), NAME)))
        : Map.of();
  }

  private List<String> stack(Throwable error) {
    StackTraceElement[] elements = asked(error::getStackTrace);
    List<String> lines = new ArrayList<>();
    for (int i = 0; elements != null && i < elements.length && i < FRAMES; i++) {
      String line = StackLine.of(elements[i]);
      if (++frames > ALL_FRAMES || (stackText += line.length()) > STACK_TEXT) {
        break;
      }
      lines.add(line);
    }
    return lines;
  }

  /// What the error answers; null when it throws instead.
  private static <T> @Nullable T asked(Callable<@Nullable T> question) {
    try {
      return question.call();
    } catch (Throwable e) {
      survive(e);
      return null;
    }
  }

  /// What a broken error throws is no reason to lose it. What says that this process is broken
  /// passes.
  static void survive(Throwable e) {
    if (e instanceof VirtualMachineError broken && !(e instanceof StackOverflowError)) {
      throw broken;
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }

  /// The text, or what is left of it in the budget for all texts of this record.
  private String spend(String given) {
    String kept =
        given.length() <= TEXT - text ? given : Texts.clipped(given, Math.max(0, TEXT - text));
    text += kept.length();
    return kept;
  }

  private static String typeOf(Throwable error) {
    return error instanceof RecordedFailure recorded
        ? recorded.originalClass()
        : error.getClass().getName();
  }
}
