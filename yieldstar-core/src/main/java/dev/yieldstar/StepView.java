package dev.yieldstar;

import java.time.Instant;
import java.util.Optional;

/// A recorded attempt of a step, for people.
///
/// @param key with its scopes, `scope/key`
/// @param kind `run`, `sleep`, `poll`, ...
/// @param state how the attempt ended
/// @param type the declared type's name
/// @param startedAt when the attempt began
/// @param recordedAt when its record was committed
/// @param due of a retry or a wait: when it goes on
/// @param value of a finished one, as JSON text
/// @param error of a failed one, in one line
public record StepView(
    String key,
    int attempt,
    String kind,
    State state,
    String type,
    Instant startedAt,
    Instant recordedAt,
    Optional<Instant> due,
    Optional<String> value,
    Optional<String> error) {

  /// How an attempt ended.
  public enum State {
    /// With a value: the step is over.
    SUCCEEDED,
    /// With an error that is final.
    FAILED,
    /// Without success; tried again when due.
    RETRYING,
    /// It is a wait, until it is due.
    WAITING
  }
}
