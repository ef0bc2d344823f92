package dev.yieldstar.spi;

import java.util.concurrent.CompletionStage;

/// Runs deliveries: on virtual threads here, or in worker processes.
@FunctionalInterface
public interface Invoker {
  /// Starts a delivery and returns at once. The stage ends with how the delivery ended, or with the
  /// error for which it has no outcome; [WorkerExited] says that its last writes may still land.
  CompletionStage<DeliveryEnd> deliver(Delivery delivery);
}
