package dev.yieldstar.testkit;

import dev.yieldstar.spi.Backend;
import java.time.InstantSource;

/// Opens a fresh, empty backend whose time is a clock's.
interface Opener {
  Backend open(InstantSource clock);
}
