package dev.yieldstar.execution;

/// Who started an execution from within a workflow: the caller's execution id and the key of its
/// step.
public record ParentLink(String executionId, String stepKey) {}
