package dev.yieldstar.jdbc;

import java.util.Arrays;
import java.util.stream.Stream;

/// A version of this library: numbers between dots. What follows a hyphen is not compared, so that
/// a snapshot counts as the release that it leads to.
record LibraryVersion(String text) implements Comparable<LibraryVersion> {

  /// The one that runs here.
  static LibraryVersion current() {
    return new LibraryVersion(Resources.text("version.txt").strip());
  }

  @Override
  public int compareTo(LibraryVersion other) {
    return Arrays.compare(numbers(), other.numbers());
  }

  private int[] numbers() {
    return Stream.of(text.split("-", 2)[0].split("\\.")).mapToInt(LibraryVersion::number).toArray();
  }

  private static int number(String part) {
    try {
      return Integer.parseInt(part);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + part + "' is no number of a version", e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
