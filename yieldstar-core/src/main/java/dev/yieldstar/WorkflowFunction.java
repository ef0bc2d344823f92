package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// What a workflow does. Runs again from the top after a crash or a long wait: what must not be
/// repeated is a step.
@FunctionalInterface
public interface WorkflowFunction<P extends @Nullable Object, R extends @Nullable Object> {
  R run(Steps step, P params) throws Exception;
}
