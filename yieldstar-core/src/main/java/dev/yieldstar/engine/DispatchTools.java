package dev.yieldstar.engine;

import dev.yieldstar.execution.Terminal;
import dev.yieldstar.spi.Invoker;
import java.util.function.BiConsumer;

/// What every dispatch works with.
///
/// @param emit tells whoever waits that an execution has ended
/// @param slotFreed tells the dispatcher that a slot is free
/// @param graceNanos how long a delivery may take to stop once it is told to
record DispatchTools(
    Invoker invoker,
    Committer committer,
    LeaseKeeper leases,
    Slots slots,
    BiConsumer<String, Terminal> emit,
    Runnable slotFreed,
    long graceNanos) {}
