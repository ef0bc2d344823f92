package dev.yieldstar.engine;

import dev.yieldstar.YieldstarException;
import java.nio.charset.StandardCharsets;

/// Names that users choose: execution ids, workflow names, step keys, scopes. 1 to 255 characters,
/// no NUL, no half of a surrogate pair; `$$` is reserved. Nothing is trimmed or folded.
///
/// A step's key is stored within its scopes as `scope/key`; a slash or percent sign inside a name
/// is escaped, so that no two paths are stored alike.
final class Keys {
  private static final int LONGEST = 255;

  /// What the index of a database can take for sure.
  private static final int LONGEST_STORED_BYTES = 2_000;

  private Keys() {}

  /// @param what for the message: `A step key`
  static String check(String code, String what, String name) {
    if (name.isEmpty()) {
      throw new YieldstarException(code, what + " must not be empty.");
    }
    checkText(code, what, name, LONGEST);
    if (name.contains("$$")) {
      throw new YieldstarException(
          code, "%s must not contain '$$', which is reserved; '%s' does.".formatted(what, name));
    }
    return name;
  }

  /// Text that every backend keeps exactly, up to a length.
  static void checkText(String code, String what, String text, int longest) {
    if (text.length() > longest) {
      throw new YieldstarException(
          code,
          "%s has at most %,d characters; this one has %,d: '%s...'."
              .formatted(what, longest, text.length(), text.substring(0, 40)));
    }
    if (text.indexOf('\0') >= 0 || hasLoneSurrogate(text)) {
      throw new YieldstarException(
          code,
          "%s is text without NUL characters and without halves of surrogate pairs; '%s' is not."
              .formatted(what, printable(text)));
    }
  }

  private static boolean hasLoneSurrogate(String name) {
    return name.codePoints().anyMatch(point -> point >= 0xD800 && point <= 0xDFFF);
  }

  private static String printable(String name) {
    return name.replace('\0', '\u2400').replaceAll("[\\uD800-\\uDFFF]", "\uFFFD");
  }

  /// The stored form of `name` within `prefix`, which is empty or ends with a slash.
  static String stored(String prefix, String name) {
    String stored = prefix + escaped(name);
    if (stored.length() > LONGEST_STORED_BYTES / 3
        && stored.getBytes(StandardCharsets.UTF_8).length > LONGEST_STORED_BYTES) {
      throw new YieldstarException(
          "INVALID_STEP_KEY",
          "Step '%s' lies in scopes whose names take more than %,d bytes together. Use shorter names or fewer scopes."
              .formatted(name, LONGEST_STORED_BYTES));
    }
    return stored;
  }

  private static String escaped(String name) {
    return name.indexOf('/') < 0 && name.indexOf('%') < 0
        ? name
        : name.replace("%", "%25").replace("/", "%2F");
  }

  /// The stored form for people: `scope/key`.
  static String shown(String stored) {
    return stored.indexOf('%') < 0 ? stored : stored.replace("%2F", "/").replace("%25", "%");
  }
}
