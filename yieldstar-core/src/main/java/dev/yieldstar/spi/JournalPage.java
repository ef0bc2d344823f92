package dev.yieldstar.spi;

import dev.yieldstar.execution.StepRecord;
import java.util.List;

/// A page of recorded steps, ordered by execution, incarnation, key (by bytes of UTF-8) and
/// attempt.
///
/// @param more whether there may be another page, after the last row of this one
public record JournalPage(List<Row> rows, boolean more) {
  public JournalPage {
    rows = List.copyOf(rows);
  }

  public record Row(Incarnation of, StepRecord step) {}
}
