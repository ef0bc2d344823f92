/// What needs to see everything at once.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.verification;
