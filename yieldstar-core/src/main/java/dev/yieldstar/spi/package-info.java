/// What an extender implements: [Backend] (where everything is kept) and [Invoker] (what runs a
/// delivery), with the values that pass between them and the engine.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.spi;
