/// The demo, run for real.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.cli.demo;
