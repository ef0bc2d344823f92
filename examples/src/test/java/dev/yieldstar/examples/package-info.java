/// Each example, run.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.examples;
