package dev.yieldstar.engine;

import static dev.yieldstar.engine.Soon.soon;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Command;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.Invoker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An invoker that runs nothing: a test says how each delivery ends, and when. Thread-safe.
final class ScriptedInvoker implements Invoker {
  /// A delivery that was begun.
  record Begun(Delivery delivery, CompletableFuture<DeliveryEnd> end) {
    String id() {
      return delivery.executionId();
    }

    void complete() {
      end.complete(completed("done"));
    }
  }

  final List<Begun> begun = new CopyOnWriteArrayList<>();

  /// What a delivery comes to at once; null: the test ends it.
  volatile Function<Delivery, @Nullable CompletionStage<DeliveryEnd>> onDeliver = delivery -> null;

  @Override
  public CompletionStage<DeliveryEnd> deliver(Delivery delivery) {
    var each = new Begun(delivery, new CompletableFuture<>());
    begun.add(each);
    CompletionStage<DeliveryEnd> atOnce = onDeliver.apply(delivery);
    return atOnce == null ? each.end() : atOnce;
  }

  /// From now on every delivery completes at once.
  void completesAtOnce() {
    onDeliver = delivery -> CompletableFuture.completedFuture(completed("done"));
  }

  /// The one delivery that was begun last of so many.
  Begun awaitBegun(int number) {
    soon().until(() -> begun.size() >= number);
    return begun.get(number - 1);
  }

  List<String> ids() {
    return begun.stream().map(Begun::id).toList();
  }

  static DeliveryEnd completed(String result) {
    return new DeliveryEnd.Acknowledge(new Command.Acknowledgement.Completed(payload(result)));
  }

  static DeliveryEnd failed(String error) {
    return new DeliveryEnd.Acknowledge(new Command.Acknowledgement.Failed(payload(error)));
  }

  static DeliveryEnd suspended(Delivery delivery) {
    return new DeliveryEnd.Acknowledge(
        new Command.Acknowledgement.Suspended(
            null, delivery.state().live().wakes(), null, List.of()));
  }

  static Payload payload(String text) {
    return Payload.of((byte) 1, ('"' + text + '"').getBytes(StandardCharsets.UTF_8));
  }
}
