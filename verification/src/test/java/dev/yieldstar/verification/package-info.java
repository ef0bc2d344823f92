/// What needs to see the whole library: architecture rules, and the page of behaviours. The
/// behaviours themselves are shown in the package `behaviour`.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.verification;
