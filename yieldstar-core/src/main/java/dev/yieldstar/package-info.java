/// Durable workflows as plain functions. Start at [Workflow] (what runs), [Steps] (what it can do)
/// and [Yieldstar] (where it runs). This package is all that an application imports; `spi` is for
/// those who extend the engine.
@org.jspecify.annotations.NullMarked
package dev.yieldstar;
