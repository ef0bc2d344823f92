package dev.yieldstar.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Keeps docs/parity.md true: what it calls done is shown by the tests that it names, and no test
/// claims a behaviour that it does not list.
class ParityTest {
  private static final Path ROOT = Path.of("..");
  private static final String ID = "(?:[SY]\\d{2}|[A-Z]{3}-\\d{2})";
  private static final Pattern ROW =
      Pattern.compile("^\\| (" + ID + ") \\| (.+) \\| (.+) \\|$", Pattern.MULTILINE);
  private static final Pattern NAMED = Pattern.compile("`(\\w+#\\w+)`");
  private static final Pattern DISPLAY_NAME =
      Pattern.compile("@DisplayName\\(\\s*\"((?:" + ID + "\\s+)+)");
  private static final Pattern METHOD =
      Pattern.compile("^ *(?:[a-z]+ )*?(?:void (\\w+)\\s*\\(|class (\\w+))", Pattern.MULTILINE);

  /// What the page says of each id.
  private static final Map<String, String> PAGE = new HashMap<>();

  /// The ids that each test carries, by `Class#method`.
  private static final Map<String, Set<String>> TESTS = new HashMap<>();

  @BeforeAll
  static void readPageAndSources() throws IOException {
    Matcher rows = ROW.matcher(Files.readString(ROOT.resolve("docs/parity.md")));
    while (rows.find()) {
      assertThat(PAGE.put(rows.group(1), rows.group(3)))
          .as("%s stands twice", rows.group(1))
          .isNull();
    }
    try (var files = Files.walk(ROOT)) {
      for (Path file : files.filter(ParityTest::isSource).toList()) {
        readTests(file);
      }
    }
  }

  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") && file.toString().contains("src");
  }

  private static void readTests(Path file) throws IOException {
    String source = Files.readString(file);
    String type = file.getFileName().toString().replace(".java", "");
    Matcher names = DISPLAY_NAME.matcher(source);
    Matcher methods = METHOD.matcher(source);
    while (names.find()) {
      if (methods.find(names.end()) && methods.group(1) != null) {
        TESTS
            .computeIfAbsent(type + "#" + methods.group(1), test -> new HashSet<>())
            .addAll(List.of(names.group(1).strip().split("\\s+")));
      }
    }
  }

  @Test
  void theScanSeesPageAndTests() {
    assertThat(PAGE).hasSizeGreaterThan(130);
    assertThat(TESTS).hasSizeGreaterThan(100);
    assertThat(carriers("Y01")).isNotEmpty();
  }

  private static Set<String> carriers(String id) {
    return TESTS.entrySet().stream()
        .filter(test -> test.getValue().contains(id))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Test
  void whatIsDoneNamesTestsThatCarryTheId() {
    var wrong = new ArrayList<String>();
    PAGE.forEach(
        (id, shownBy) -> {
          if (!shownBy.startsWith("open: ") && named(shownBy).isEmpty()) {
            wrong.add(id + " is neither open nor names a test: " + shownBy);
          }
          for (String test : named(shownBy)) {
            if (!carriers(id).contains(test)) {
              wrong.add("%s names %s, which is no test of that id".formatted(id, test));
            }
          }
        });
    assertThat(wrong).isEmpty();
  }

  private static List<String> named(String shownBy) {
    return NAMED.matcher(shownBy).results().map(found -> found.group(1)).toList();
  }

  @Test
  void noTestCarriesAnIdThatThePageDoesNotList() {
    var unlisted = new HashMap<String, Set<String>>();
    TESTS.forEach(
        (test, ids) -> {
          Set<String> unknown = new HashSet<>(ids);
          unknown.removeAll(PAGE.keySet());
          if (!unknown.isEmpty()) {
            unlisted.put(test, unknown);
          }
        });
    assertThat(unlisted).isEmpty();
  }
}
