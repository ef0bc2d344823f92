package dev.yieldstar.verification.logs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.MDC;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/// Binds slf4j to the [LogBook]. Debug and trace are off.
public final class LogBookProvider implements SLF4JServiceProvider {
  private final Map<String, Recorder> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new BasicMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, Recorder::new);
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  private static final class Recorder extends LegacyAbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1;

    Recorder(String name) {
      this.name = name;
    }

    @Override
    public void log(LoggingEvent event) {
      var fields = new HashMap<String, Object>();
      List<KeyValuePair> pairs = event.getKeyValuePairs();
      if (pairs != null) {
        pairs.forEach(pair -> fields.put(pair.key, pair.value));
      }
      record(
          event.getLevel(),
          event.getMessage(),
          event.getArgumentArray(),
          event.getThrowable(),
          fields);
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        @Nullable Object @Nullable [] arguments,
        @Nullable Throwable error) {
      record(level, message, arguments, error, Map.of());
    }

    private void record(
        Level level,
        String message,
        @Nullable Object @Nullable [] arguments,
        @Nullable Throwable error,
        Map<String, Object> fields) {
      String text = MessageFormatter.basicArrayFormat(message, arguments);
      Map<String, String> context = Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
      LogBook.add(
          new LogBook.Line(level, name, text, Map.copyOf(fields), Map.copyOf(context), error));
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}
