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
  }
}
