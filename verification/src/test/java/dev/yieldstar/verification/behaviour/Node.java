package dev.yieldstar.verification.behaviour;

import dev.yieldstar.Client;
import dev.yieldstar.Yieldstar;

/// A process, as far as the library can tell: an engine, and its line to the backend.
record Node(Yieldstar engine, Line line) {

  Client client() {
    return engine;
  }

  /// Ends it in order.
  void stop() {
    engine.close();
  }

  /// Ends it as a kill does: nothing that it still tries is applied. What its threads run is
  /// interrupted, since they can't be killed.
  void kill() {
    line.cut();
    engine.close();
  }
}
