package dev.yieldstar;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// An execution as it stood when it was read.
///
/// @param version the definition version it was started under
/// @param due when it is delivered next, if that is known and it is neither leased nor paused
/// @param waitingFor the key of the step that it waits at
/// @param attention why it needs attention, if it does
/// @param cancelReason set once a cancellation was accepted
/// @param parentId the execution that started it
/// @param forkedFrom the execution that it repeats
/// @param params as JSON text
/// @param result of a completed one, as JSON text
/// @param error of a failed one, in one line
public record ExecutionView(
    String id,
    String workflow,
    Optional<String> version,
    Status status,
    boolean paused,
    int incarnation,
    Instant startedAt,
    Optional<Instant> due,
    Optional<Instant> finishedAt,
    Optional<String> waitingFor,
    Optional<Attention> attention,
    Optional<String> cancelReason,
    Optional<String> parentId,
    Optional<String> forkedFrom,
    Map<String, String> attributes,
    Optional<String> params,
    Optional<String> result,
    Optional<String> error) {
  public ExecutionView {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /// Why an execution needs attention: a stable code, and a text for people.
  public record Attention(String code, String message) {}
}
