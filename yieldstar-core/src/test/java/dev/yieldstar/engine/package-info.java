/// Tests of the engine's parts. `DispatcherRig` puts a dispatcher together on a backend and an
/// invoker that a test scripts; `CapturedLog` shows what was logged.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.engine;
