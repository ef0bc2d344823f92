package dev.yieldstar.verification.logs;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// Everything that was logged since it was last cleared. Thread-safe.
public final class LogBook {
  private static final Queue<Line> LINES = new ConcurrentLinkedQueue<>();

  private LogBook() {}

  /// One thing that was logged.
  ///
  /// @param fields the key-value pairs
  /// @param context what stood in the MDC
  public record Line(
      Level level,
      String logger,
      String message,
      Map<String, Object> fields,
      Map<String, String> context,
      @Nullable Throwable error) {}

  static void add(Line line) {
    LINES.add(line);
  }

  public static void clear() {
    LINES.clear();
  }

  public static List<Line> lines() {
    return List.copyOf(LINES);
  }

  /// What was said at this level or above and has this text in it.
  public static List<Line> lines(Level level, String text) {
    return LINES.stream()
        .filter(line -> line.level().toInt() >= level.toInt() && line.message().contains(text))
        .toList();
  }

  /// What workflow code of this workflow said.
  public static List<Line> ofWorkflow(String workflow) {
    return LINES.stream().filter(line -> line.logger().equals("workflow." + workflow)).toList();
  }
}
