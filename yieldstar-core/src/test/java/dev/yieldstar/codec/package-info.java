/// Tests of durable values.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.codec;
