package dev.yieldstar.engine;

import dev.yieldstar.ExecutionInfo;
import org.slf4j.Logger;

/// What the operations of one delivery work with.
record StepTools(
    Session session,
    StepRunner runner,
    Waits waits,
    Values values,
    Ids ids,
    ExecutionInfo info,
    Logger logger) {}
