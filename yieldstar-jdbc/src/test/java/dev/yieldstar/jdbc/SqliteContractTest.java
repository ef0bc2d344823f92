package dev.yieldstar.jdbc;

import dev.yieldstar.spi.Backend;
import dev.yieldstar.testkit.BackendContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest extends BackendContract {
  @TempDir Path folder;

  @Override
  protected Backend open(InstantSource clock) {
    return Sqlite.file(folder.resolve("yieldstar.db"), Sqlite.Options.standard().clock(clock));
  }
}
