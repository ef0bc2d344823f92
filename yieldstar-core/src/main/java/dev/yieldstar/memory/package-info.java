/// The backend in memory: for tests, and the reference that every other backend answers like.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.memory;
