package dev.yieldstar.codec;

import dev.yieldstar.RecordedFailure;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes errors of recorded ones: of their own class where that gives back message and code as they
/// were recorded, else a [RecordedFailure]. Never throws what a constructor throws. Thread-safe.
final class ErrorRebuilder {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorRebuilder.class);
  private static final int REMEMBERED = 1_000;

  private final ErrorTypes types;
  private final Map<String, List<ErrorShapes.Shape>> shapes = new ConcurrentHashMap<>();
  private final Map<String, Boolean> warned = new ConcurrentHashMap<>();

  ErrorRebuilder(ErrorTypes types) {
    this.types = types;
  }

  Throwable rebuild(RecordedError recorded) {
    Throwable cause = recorded.cause() == null ? null : rebuild(recorded.cause());
    Throwable error = ofOwnClass(recorded, cause);
    if (error == null) {
      error = new RecordedFailure(recorded.type(), recorded.message(), recorded.code(), cause);
    }
    complete(error, recorded, cause);
    return error;
  }

  private @Nullable Throwable ofOwnClass(RecordedError recorded, @Nullable Throwable cause) {
    Optional<ErrorTypes.Registered> registered = types.registered(recorded.type());
    if (registered.isPresent()) {
      ErrorTypes.Registered own = registered.get();
      return attempt((r, c) -> own.type().cast(own.rebuild().apply(r.message())), recorded, cause);
    }
    for (ErrorShapes.Shape shape : shapes(recorded.type())) {
      Throwable error = attempt(shape, recorded, cause);
      if (error != null) {
        return error;
      }
    }
    if (types.isTrusting()) {
      warn(recorded.type());
    }
    return null;
  }

  private List<ErrorShapes.Shape> shapes(String name) {
    List<ErrorShapes.Shape> known = shapes.get(name);
    if (known != null) {
      return known;
    }
    List<ErrorShapes.Shape> found =
        types.isTrusting() ? ErrorShapes.of(name, types.loader()) : ErrorShapes.ofTheLibrary(name);
    if (shapes.size() < REMEMBERED) {
      shapes.put(name, found);
    }
    return found;
  }

  /// The error made in this way, or null if it can't be, or says something else than was recorded.
  private static @Nullable Throwable attempt(
      ErrorShapes.Shape shape, RecordedError recorded, @Nullable Throwable cause) {
    try {
      Throwable error = shape.make(recorded, cause);
      boolean same =
          error != null
              && Objects.equals(error.getMessage(), recorded.message())
              && Objects.equals(ErrorCode.of(error), recorded.code());
      return same ? error : null;
    } catch (InvocationTargetException e) {
      ErrorRecorder.survive(e.getTargetException());
      return null;
    } catch (Throwable e) {
      ErrorRecorder.survive(e);
      return null;
    }
  }

  /// Puts in what no constructor takes. A cause that has no place as one is kept among the
  /// suppressed.
  @SuppressWarnings("ReferenceEquality") // is it this very cause?
  private void complete(Throwable error, RecordedError recorded, @Nullable Throwable cause) {
    try {
      error.setStackTrace(
          recorded.stack().stream().map(StackLine::parsed).toArray(StackTraceElement[]::new));
      if (cause != null && error.getCause() != cause) {
        attach(error, cause);
      }
      for (RecordedError suppressed : recorded.suppressed()) {
        error.addSuppressed(rebuild(suppressed));
      }
    } catch (RuntimeException e) {
      LOG.debug("The error {} could not be completed.", recorded.type(), e);
    }
  }

  private static void attach(Throwable error, Throwable cause) {
    try {
      error.initCause(cause);
    } catch (RuntimeException e) {
      error.addSuppressed(cause);
    }
  }

  private void warn(String name) {
    if (warned.size() < REMEMBERED
        && warned.putIfAbsent(name, true) == null
        && ErrorShapes.isVisible(name, types.loader())) {
      LOG.warn(
          "{} comes back as RecordedFailure, on first runs and replays alike: none of its public"
              + " constructors (String), (String, Throwable) and () gives back its message and code. To catch it"
              + " by its class, give it one that does, or register how it is rebuilt.",
          name);
    }
  }
}
