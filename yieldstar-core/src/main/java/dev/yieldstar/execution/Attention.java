package dev.yieldstar.execution;

import org.jspecify.annotations.Nullable;

/// Why an execution needs somebody's attention. It is not stopped: it is tried again every ten
/// minutes, at once when resumed, and when a process registers another version of its workflow.
///
/// @param code `REDELIVERY_BUDGET`, or the code of what blocked it
/// @param message for people
/// @param version the definition version under which it was blocked; null where the author gave
///   none
public record Attention(String code, String message, @Nullable String version) {
  /// Too many deliveries ended without an outcome and without recording anything.
  public static final String REDELIVERY_BUDGET = "REDELIVERY_BUDGET";
}
