package dev.yieldstar.execution;

import org.jspecify.annotations.Nullable;

/// What has been asked of an execution while a delivery held its lease.
///
/// @param cancelReason set where a cancellation was accepted
/// @param paused whether it is to stop when the delivery ends
/// @param wakes how often it has been woken in all
public record Standing(@Nullable String cancelReason, boolean paused, long wakes) {
  static Standing of(Run run) {
    return new Standing(run.cancelReason(), run.paused(), run.wakes());
  }

  public boolean cancelled() {
    return cancelReason != null;
  }
}
