/// The shell: performs what the pure core decides. Not exported.
///
/// [Engine] puts it together. [Committer] turns commands into durable batches; [Dispatcher] claims
/// what is due and sees each delivery through, with [LeaseKeeper] renewing its lease;
/// [LocalInvoker] runs a delivery's workflow function on a virtual thread, where [RecordedSteps]
/// replays and records. [LocalClient] is the way in from outside.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.engine;
