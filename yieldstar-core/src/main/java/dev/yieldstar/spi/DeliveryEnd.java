package dev.yieldstar.spi;

import dev.yieldstar.execution.Command;

/// How a delivery ended, where it did not fail.
public sealed interface DeliveryEnd {
  /// With something to acknowledge.
  record Acknowledge(Command.Acknowledgement acknowledgement) implements DeliveryEnd {}

  /// Without an outcome; the lease is to be released for this reason.
  record Release(Command.ReleaseReason reason) implements DeliveryEnd {}

  /// It stopped since it was told to: whoever told it knows what to do with the lease.
  record Stopped() implements DeliveryEnd {}
}
