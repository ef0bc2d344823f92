/// The log of a test run, kept in memory so that tests can ask what was said.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.verification.logs;
