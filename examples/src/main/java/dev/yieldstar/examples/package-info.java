/// Short programs, each a main class of its own.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.examples;
