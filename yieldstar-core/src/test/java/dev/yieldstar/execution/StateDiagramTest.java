package dev.yieldstar.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.execution.Transition.Answer;
import dev.yieldstar.execution.Transition.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// That the documentation shows the table as it is. `-Dstate-diagram=write` writes it again.
class StateDiagramTest {
  private static final Path FILE = Path.of("..", "docs", "state-diagram.md");
  private static final String BEGIN = "<!-- made from the table: begin -->\n";
  private static final String END = "<!-- made from the table: end -->\n";

  @Test
  void theDocumentationShowsTheTable() throws IOException {
    String text = Files.readString(FILE);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    assertThat(end).as("the markers of %s", FILE).isGreaterThanOrEqualTo(begin);
    String expected = diagram() + "\n" + answers();
    if (System.getProperty("state-diagram", "").equals("write")) {
      Files.writeString(FILE, text.substring(0, begin) + expected + text.substring(end));
      return;
    }

    assertThat(text.substring(begin, end))
        .as("%s is not what the table gives: write it again with -Dstate-diagram=write", FILE)
        .isEqualTo(expected);
  }

  private static String diagram() {
    Map<String, List<String>> moves = new LinkedHashMap<>();
    for (Transition row : Transitions.all()) {
      if (row.isMove()) {
        String arrow = name(row.from()) + " --> " + name(row.to());
        moves.computeIfAbsent(arrow, ignored -> new ArrayList<>()).add(label(row));
      }
    }
    var text = new StringBuilder("```mermaid\nstateDiagram-v2\n");
    moves.forEach(
        (arrow, labels) ->
            text.append("  %s : %s\n".formatted(arrow, String.join("<br/>", labels))));
    for (Status status : Status.values()) {
      if (status.isTerminal()) {
        text.append("  %s --> [*]\n".formatted(status));
      }
    }
    return text.append("```\n").toString();
  }

  private static String label(Transition row) {
    boolean takeOver = row.event() == Event.CLAIM && row.from() == Status.RUNNING;
    String words = takeOver ? "claim, after its lease passed" : row.event().words();
    return row.when().isEmpty() ? words : words + " (" + row.when() + ")";
  }

  private static String name(@Nullable Status status) {
    return status == null ? "[*]" : status.name();
  }

  /// All answers, a row for each event.
  private static String answers() {
    var text = new StringBuilder("| what happens | not there |");
    for (Status status : Status.values()) {
      text.append(" %s |".formatted(status));
    }
    text.append("\n|").append(" --- |".repeat(Status.values().length + 2)).append("\n");
    for (Event event : Event.values()) {
      text.append("| %s | %s |".formatted(event.words(), cell(null, event)));
      for (Status status : Status.values()) {
        text.append(" %s |".formatted(cell(status, event)));
      }
      text.append("\n");
    }
    return text.toString();
  }

  private static String cell(@Nullable Status from, Event event) {
    return Transitions.all().stream()
        .filter(row -> row.from() == from && row.event() == event)
        .map(StateDiagramTest::answer)
        .collect(Collectors.joining(", "));
  }

  private static String answer(Transition row) {
    if (row.answer() != Answer.DONE) {
      return row.answer().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
    return row.from() == row.to() ? "done" : "**" + name(row.to()) + "**";
  }
}
