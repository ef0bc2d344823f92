package dev.yieldstar.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;

/// What the bodies of steps really did: a file to which each appends a line when it begins and when
/// it ends, forced to disk. Written by the workers, read by the demo.
record Ledger(Path file) {

  /// @param process the number of the worker
  /// @param what `began`, `ended` or `failed`
  record Line(Instant at, int process, String step, int attempt, String what) {
    static Line of(String text) {
      String[] parts = text.split(" ");
      return new Line(
          Instant.parse(parts[0]),
          Integer.parseInt(parts[1]),
          parts[2],
          Integer.parseInt(parts[3]),
          parts[4]);
    }

    @Override
    public String toString() {
      return String.join(
          " ", at.toString(), String.valueOf(process), step, String.valueOf(attempt), what);
    }
  }

  void append(int process, String step, int attempt, String what) {
    var line = new Line(Instant.now(), process, step, attempt, what);
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try (var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      channel.write(ByteBuffer.wrap(bytes));
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Line> lines() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      return Files.readAllLines(file).stream().map(Line::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
