package dev.yieldstar;

import org.jspecify.annotations.Nullable;

/// What a workflow without a result does.
@FunctionalInterface
public interface WorkflowAction<P extends @Nullable Object> {
  void run(Steps step, P params) throws Exception;
}
