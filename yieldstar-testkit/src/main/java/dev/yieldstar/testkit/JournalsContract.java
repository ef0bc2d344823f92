package dev.yieldstar.testkit;

import static dev.yieldstar.testkit.Commands.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.spi.Incarnation;
import dev.yieldstar.spi.JournalPage;
import dev.yieldstar.spi.JournalQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Journals, read in pages.
abstract class JournalsContract extends Bench {
  JournalsContract(Opener opener) {
    super(opener);
  }

  private static Incarnation of(Lease lease) {
    return new Incarnation(lease.execution(), lease.incarnation());
  }

  @Test
  void rowsAreOrderedByTheBytesOfTheirKeyAndThenByAttempt() {
    Lease lease = leased("a");
    // By UTF-16 units the last two are the other way round.
    List<String> keys = List.of(" ", "A", "B", "a", "a ", "aa", "b", "é", "ﬀ", "😀");
    var commands = new ArrayList<Command>();
    for (String key : keys.reversed()) {
      for (int attempt : new int[] {10, 2, 1}) {
        commands.add(record(lease, key, attempt, new StepEntry.Retry(null, Due.NOW)));
      }
    }
    backend.commit(commands);

    List<StepRecord> journal = journal("a");

    assertThat(journal).hasSize(30);
    assertThat(journal.stream().map(StepRecord::key).distinct()).containsExactlyElementsOf(keys);
    assertThat(journal.subList(0, 3)).extracting(StepRecord::attempt).containsExactly(1, 2, 10);
  }

  @ParameterizedTest(name = "pages of {0}")
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void allRowsComeOnceWhateverTheSizeOfAPage(int pageSize) {
    Lease a = leased("a");
    var commands = new ArrayList<Command>();
    for (int i = 0; i < 9; i++) {
      for (int attempt = 1; attempt <= 3; attempt++) {
        var entry = new StepEntry.Retry(payload(i + "/" + attempt), Due.NOW);
        commands.add(record(a, "step " + i, attempt, entry));
      }
    }
    backend.commit(commands);

    List<JournalPage.Row> rows = rows(pageSize, of(a));

    assertThat(rows).hasSize(27).doesNotHaveDuplicates();
    assertThat(rows).isEqualTo(rows(1000, of(a)));
    assertThat(rows).allSatisfy(row -> assertThat(row.of()).isEqualTo(of(a)));
  }

  @ParameterizedTest(name = "pages of {0}")
  @ValueSource(ints = {1, 2, 5, 1000})
  void severalIncarnationsAreReadInOrder(int pageSize) {
    Lease a1 = leased("a");
    batch(record(a1, "s", "a1"), record(a1, "t", "a1"));
    apply(continueAsNew(a1, null));
    Lease a2 = claimed("a").lease();
    batch(record(a2, "s", "a2"), record(a2, "r", "a2"));
    Lease b = leased("b");
    batch(record(b, "s", "b"));
    Lease empty = leased("empty");
    Lease unasked = leased("unasked");
    batch(record(unasked, "s", "unasked"));

    List<JournalPage.Row> rows = rows(pageSize, of(b), of(empty), of(a2), of(a1), of(b));

    assertThat(rows)
        .extracting(row -> row.of() + " " + row.step().key())
        .containsExactly(of(a1) + " s", of(a1) + " t", of(a2) + " r", of(a2) + " s", of(b) + " s");
  }

  @Test
  void aPageSaysWhetherThereIsMore() {
    Lease lease = leased("a");
    batch(record(lease, "s", "1"), record(lease, "t", "2"), record(lease, "u", "3"));

    assertThat(backend.journal(firstPage(lease, 2)).more()).isTrue();
    JournalPage first = backend.journal(firstPage(lease, 2));
    JournalPage second = backend.journal(firstPage(lease, 2).after(first.rows().getLast()));
    assertThat(second.rows()).hasSize(1);
    assertThat(second.more()).isFalse();
    assertThat(backend.journal(firstPage(lease, 2).after(second.rows().getLast())).rows())
        .isEmpty();
  }

  private static JournalQuery firstPage(Lease lease, int limit) {
    return JournalQuery.firstPage(List.of(of(lease)), limit);
  }

  @Test
  void aPageStaysInPlaceWhenRowsAreAddedBetween() {
    Lease lease = leased("a");
    batch(record(lease, "b", "1"), record(lease, "d", "2"), record(lease, "f", "3"));
    JournalPage first = backend.journal(firstPage(lease, 2));
    batch(record(lease, "a", "0"), record(lease, "e", "4"));

    JournalPage second = backend.journal(firstPage(lease, 10).after(first.rows().getLast()));

    assertThat(second.rows()).extracting(row -> row.step().key()).containsExactly("e", "f");
  }

  @Test
  void theJournalOfNobodyIsEmpty() {
    admitted("a");

    assertThat(rows(10, new Incarnation(newId(), 1), new Incarnation(state("a").key(), 7)))
        .isEmpty();
    assertThat(rows(10)).isEmpty();
  }

  @Test
  @DisplayName("G2 the journal after a takeover has all that was recorded under the lease before")
  void theJournalAfterATakeOverHasAllThatWasRecordedBefore() {
    Lease first = leased("a");
    leasePasses();
    apply(record(first, "late", "1"));
    Lease second = claimed("a").lease();

    assertThat(rows(10, of(second))).hasSize(1);
  }
}
