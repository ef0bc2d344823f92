/// The pure core: what an execution is, and how each command changes it.
///
/// Nothing here reads a clock, draws a random number or makes an id: these are arguments. One
/// execution is one immutable [ExecutionState]; [Fold] applies a batch of [Command]s to the states
/// in a [Workspace] and answers each with a [Reply]. Every backend folds over these functions, so
/// that no rule is written twice. Start at [Fold], then [Leases], [Recording], [Admissions] and
/// [Operations].
@org.jspecify.annotations.NullMarked
package dev.yieldstar.execution;
