/// The library as its users see it, on every backend. Start at [Behaviour], which all tests here
/// extend: it opens a backend, runs engines on it, restarts and kills them.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.verification.behaviour;
