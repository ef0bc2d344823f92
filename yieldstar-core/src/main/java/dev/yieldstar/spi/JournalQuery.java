package dev.yieldstar.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks for a page of recorded steps.
///
/// @param incarnations whose
/// @param after the last row of the page before, null for the first page
/// @param limit at most so many rows
public record JournalQuery(
    List<Incarnation> incarnations, JournalPage.@Nullable Row after, int limit) {
  public JournalQuery {
    incarnations = List.copyOf(incarnations);
    if (limit < 1) {
      throw new IllegalArgumentException("a page has room for at least one row, not " + limit);
    }
  }

  /// Asks for the first page.
  public static JournalQuery firstPage(List<Incarnation> incarnations, int limit) {
    return new JournalQuery(incarnations, null, limit);
  }

  /// Asks for the page that begins after this row.
  public JournalQuery after(JournalPage.Row last) {
    return new JournalQuery(incarnations, last, limit);
  }
}
