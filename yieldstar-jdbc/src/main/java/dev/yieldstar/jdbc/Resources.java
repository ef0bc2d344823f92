package dev.yieldstar.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Text files beside the classes of this package.
final class Resources {
  private Resources() {}

  /// Its text, with line feeds alone at the ends of lines, however it was checked out.
  static String text(String name) {
    try (InputStream file = Resources.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("resource " + name + " is missing in this jar");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
