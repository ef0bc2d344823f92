/// `yieldstar demo`: an order workflow on SQLite, in a process that is killed in the middle and
/// started again. [DemoCommand] directs and proves; [DemoWorker] is the process that is killed;
/// what the steps really did stands in the [Ledger].
@org.jspecify.annotations.NullMarked
package dev.yieldstar.cli.demo;
