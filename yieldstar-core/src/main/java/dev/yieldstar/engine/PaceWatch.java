package dev.yieldstar.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells of workflow code that takes long between two steps: what it does there is done again on
/// each delivery, and nobody else sees what it is at. It is warned of, once a stretch, and nothing
/// else is done about it. Thread-safe.
final class PaceWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PaceWatch.class);

  private final Map<Session, Boolean> sessions = new ConcurrentHashMap<>();
  private final Duration limit;

  /// @param limit how long code between two steps may take before it is told of
  PaceWatch(Duration limit) {
    this.limit = limit;
  }

  void watch(Session session) {
    sessions.put(session, true);
  }

  void forget(Session session) {
    sessions.remove(session);
  }

  /// Looks at all that run. Called about once a second by one thread.
  void look() {
    sessions.keySet().forEach(this::look);
  }

  private void look(Session session) {
    if (!session.tookLongerBetweenSteps(limit)) {
      return;
    }
    var stack = new Throwable("where the workflow's thread is");
    stack.setStackTrace(session.stack());
    LOG.warn(
        "The workflow code of {} has run for more than {} without reaching a step; what takes long belongs into one",
        session.owner(),
        limit,
        stack);
  }
}
