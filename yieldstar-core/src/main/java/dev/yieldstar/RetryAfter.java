package dev.yieldstar;

import java.time.Duration;

/// An error that says when trying again makes sense: its pause takes the place of the policy's, the
/// number of attempts does not change.
public interface RetryAfter {
  Duration retryAfter();
}
