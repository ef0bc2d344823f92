package dev.yieldstar.execution;

import java.time.Instant;

/// One recorded attempt of a step. The first record of (key, attempt) stays.
///
/// @param key as it is stored: within its scope
/// @param attempt 1 for the first
/// @param position the order in which its execution came to it, for people
/// @param type the name of the declared type, for people: nothing is decoded by it
/// @param startedAt when the attempt began, by the backend's clock as far as its delivery knew it,
///   in whole milliseconds
/// @param recordedAt by the backend's clock
public record StepRecord(
    String key,
    int attempt,
    int position,
    StepKind kind,
    String type,
    StepResult result,
    Instant startedAt,
    Instant recordedAt) {
  public StepRecord {
    startedAt = Instant.ofEpochMilli(startedAt.toEpochMilli());
  }
}
