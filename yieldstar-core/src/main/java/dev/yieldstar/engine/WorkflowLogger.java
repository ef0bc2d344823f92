package dev.yieldstar.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.spi.LoggingEventBuilder;

/// The logger that workflow code is given: names execution and step as key-value pairs, and is
/// silent while recorded history is replayed. Its name is `workflow.` and the workflow's.
final class WorkflowLogger extends AbstractLogger {
  private static final long serialVersionUID = 1;
  private final transient Logger delegate;
  private final transient Session session;

  WorkflowLogger(String workflow, Session session) {
    this.name = "workflow." + workflow;
    this.delegate = LoggerFactory.getLogger(name);
    this.session = session;
  }

  private boolean speaks(Level level) {
    return delegate.isEnabledForLevel(level)
        && (session.runningStep() != null || !session.history().isReplaying());
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String message,
      @Nullable Object @Nullable [] arguments,
      @Nullable Throwable error) {
    if (!speaks(level)) {
      return;
    }
    LoggingEventBuilder event =
        delegate.atLevel(level).addKeyValue("execution", session.delivery().executionId());
    String step = session.runningStep();
    if (step != null) {
      event =
          event
              .addKeyValue("step", Keys.shown(step))
              .addKeyValue("attempt", session.runningAttempt());
    }
    if (marker != null) {
      event = event.addMarker(marker);
    }
    if (error != null) {
      event = event.setCause(error);
    }
    event.log(message, Objects.requireNonNullElse(arguments, new Object[0]));
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  public boolean isTraceEnabled() {
    return speaks(Level.TRACE);
  }

  @Override
  public boolean isTraceEnabled(Marker marker) {
    return speaks(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return speaks(Level.DEBUG);
  }

  @Override
  public boolean isDebugEnabled(Marker marker) {
    return speaks(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return speaks(Level.INFO);
  }

  @Override
  public boolean isInfoEnabled(Marker marker) {
    return speaks(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return speaks(Level.WARN);
  }

  @Override
  public boolean isWarnEnabled(Marker marker) {
    return speaks(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return speaks(Level.ERROR);
  }

  @Override
  public boolean isErrorEnabled(Marker marker) {
    return speaks(Level.ERROR);
  }
}
