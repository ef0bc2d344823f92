package dev.yieldstar.verification.behaviour;

import dev.yieldstar.jdbc.Sqlite;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Backend;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;

/// Where the executions of one test are kept, and what outlives the engines that use it.
///
/// @param opener opens a backend on it, as a process does that begins
/// @param closes whether an engine's end closes what it had opened; the data stays
record Place(Supplier<Backend> opener, boolean closes) {

  /// The kinds of places that every behaviour is shown on.
  enum Kind {
    MEMORY,
    SQLITE;

    Place in(Path folder, InstantSource clock) {
      return switch (this) {
        case MEMORY -> {
          var backend = new MemoryBackend(clock);
          yield new Place(() -> backend, false);
        }
        case SQLITE -> {
          var options = Sqlite.Options.standard().clock(clock);
          yield new Place(() -> Sqlite.file(folder.resolve("executions.db"), options), true);
        }
      };
    }
  }

  /// A backend on this place, for one engine, that a test can cut off.
  Line open() {
    return new Line(opener.get(), closes);
  }
}
