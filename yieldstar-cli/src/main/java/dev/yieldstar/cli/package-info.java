/// The `yieldstar` command. [Main] is where it starts; each subcommand is a class beside it, or a
/// package of its own where it is more than that.
@org.jspecify.annotations.NullMarked
package dev.yieldstar.cli;
