/// That the contract passes where it should, and fails where it should.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.testkit;
