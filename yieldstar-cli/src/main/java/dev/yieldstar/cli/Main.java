package dev.yieldstar.cli;

import dev.yieldstar.cli.demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The `yieldstar` command. Exit codes: 0 done, 1 failed, 2 wrong usage.
@Command(
    name = "yieldstar",
    description = "Durable workflows for plain Java.",
    mixinStandardHelpOptions = true,
    version = "Yieldstar for Java 0.1.0-SNAPSHOT",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = DemoCommand.class)
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
