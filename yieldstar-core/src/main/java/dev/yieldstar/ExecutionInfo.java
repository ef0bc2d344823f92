package dev.yieldstar;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an execution knows about itself; the same on every replay of an incarnation.
///
/// @param id the execution id
/// @param workflow the name of its workflow
/// @param version the definition version it was started under, if its author gave one
/// @param incarnation 1, and one more after each continue-as-new
/// @param startedAt when it was admitted, by the backend's clock
/// @param parentId the execution that started it, if one did
/// @param context what its starter passed along, in order
public record ExecutionInfo(
    String id,
    String workflow,
    Optional<String> version,
    int incarnation,
    Instant startedAt,
    Optional<String> parentId,
    Map<String, @Nullable Object> context) {
  public ExecutionInfo {
    context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
  }
}
