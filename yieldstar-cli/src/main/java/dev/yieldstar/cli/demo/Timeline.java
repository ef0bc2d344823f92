package dev.yieldstar.cli.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;

/// Prints what happened, line by line, with the time since the beginning.
record Timeline(PrintWriter out, Instant beginning, boolean colours) {
  private static final String DIM = "2";
  private static final String GREEN = "32";
  private static final String YELLOW = "33";
  private static final String RED = "1;31";

  void plain(Instant at, String text) {
    line(at, "", text);
  }

  void note(Instant at, String text) {
    line(at, DIM, text);
  }

  void good(Instant at, String text) {
    line(at, GREEN, text);
  }

  void warning(Instant at, String text) {
    line(at, YELLOW, text);
  }

  void bad(Instant at, String text) {
    line(at, RED, text);
  }

  void heading(String text) {
    out.println();
    out.println(coloured("1", text));
    out.flush();
  }

  private void line(Instant at, String colour, String text) {
    Duration since = Duration.between(beginning, at);
    out.println(
        coloured(DIM, "%6.2f s".formatted(Math.max(0, since.toMillis()) / 1000.0))
            + "  "
            + (colour.isEmpty() ? text : coloured(colour, text)));
    out.flush();
  }

  private String coloured(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
