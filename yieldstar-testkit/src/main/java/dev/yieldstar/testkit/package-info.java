/// For tests. Users set time by hand with [ManualClock]; authors of a backend extend
/// [BackendContract], which says whether it answers as every backend must.
///
/// The contract's tests live in one class for each capability, and share [Bench], which opens the
/// backend, and [Commands].
@org.jspecify.annotations.NullMarked
package dev.yieldstar.testkit;
