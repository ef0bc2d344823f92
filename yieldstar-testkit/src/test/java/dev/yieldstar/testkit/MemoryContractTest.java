package dev.yieldstar.testkit;

import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Backend;
import java.time.InstantSource;

class MemoryContractTest extends BackendContract {
  @Override
  protected Backend open(InstantSource clock) {
    return new MemoryBackend(clock);
  }
}
