package dev.yieldstar.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// What the library logs while this is open. Thread-safe.
final class CapturedLog implements AutoCloseable {
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.yieldstar");
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.getFormattedMessage(); // now, while its arguments are what they were
          events.add(event);
        }
      };

  CapturedLog() {
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
  }

  List<String> warnings() {
    return at(Level.WARN);
  }

  List<String> errors() {
    return at(Level.ERROR);
  }

  private List<String> at(Level level) {
    return events.stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    appender.stop();
  }
}
