package dev.yieldstar.testkit;

import dev.yieldstar.spi.Backend;
import java.time.InstantSource;

/// That what the wrong backends are made from is right.
class PlainContractTest extends BackendContract {
  @Override
  protected Backend open(InstantSource clock) {
    return new PlainBackend(clock);
  }
}
