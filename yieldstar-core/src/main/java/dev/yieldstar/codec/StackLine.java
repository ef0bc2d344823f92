package dev.yieldstar.codec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A stack element as the line that a stack trace prints of it, and back. The line comes back the
/// same whatever stood in it; its parts as far as they can be told apart.
final class StackLine {
  static final int LONGEST = 512;

  /// `loader/module@version/pack.age.Class.method(File.java:12)`, where loader and module may be
  /// absent.
  private static final Pattern LINE =
      Pattern.compile(
          "(?:([^/()$]*)/)?(?:([^/()@$]*)(?:@([^/()$]*))?/)?([^()]*)\\.([^.()]*)\\((.*)\\)");

  private StackLine() {}

  static String of(StackTraceElement element) {
    return Texts.storable(Texts.clipped(element.toString(), LONGEST));
  }

  static StackTraceElement parsed(String line) {
    Matcher parts = LINE.matcher(line);
    if (line.length() > 2 * LONGEST || !parts.matches()) {
      return new StackTraceElement(line, "", null, -1);
    }
    String place = parts.group(6);
    int colon = place.lastIndexOf(':');
    int number = colon < 0 ? -1 : number(place.substring(colon + 1));
    String file = number >= 0 ? place.substring(0, colon) : place;
    StackTraceElement element =
        switch (place) {
          case "Native Method" -> element(parts, null, -2);
          case "Unknown Source" -> element(parts, null, -1);
          default -> element(parts, file, number);
        };
    if (element.toString().equals(line)) {
      return element;
    }
    int dot = line.lastIndexOf('.', line.indexOf('('));
    return new StackTraceElement(
        line.substring(0, dot), line.substring(dot + 1, line.indexOf('(')), file, number);
  }

  private static StackTraceElement element(Matcher parts, @Nullable String file, int number) {
    String first = parts.group(1);
    boolean both = parts.group(2) != null;
    String module = both ? parts.group(2) : first;
    String version = parts.group(3);
    if (!both && first != null && first.contains("@")) {
      module = first.substring(0, first.indexOf('@'));
      version = first.substring(first.indexOf('@') + 1);
    }
    return new StackTraceElement(
        both ? first : null, module, version, parts.group(4), parts.group(5), file, number);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
