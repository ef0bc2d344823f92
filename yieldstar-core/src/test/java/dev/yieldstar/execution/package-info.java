/// The pure core, driven by hand.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.execution;
