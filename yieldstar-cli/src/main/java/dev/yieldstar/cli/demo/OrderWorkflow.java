package dev.yieldstar.cli.demo;

import dev.yieldstar.Attempt;
import dev.yieldstar.Retry;
import dev.yieldstar.Steps;
import dev.yieldstar.TypeRef;
import dev.yieldstar.Workflow;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/// The workflow of the demo: charge with a payment service that fails twice, wait a moment,
/// reserve, ship.
///
/// @param process the number of the worker that runs it
record OrderWorkflow(Ledger ledger, int process) {
  static final Workflow<Order, Receipt> ORDER =
      Workflow.of("order", Order.class, Receipt.class).version("demo");

  private static final Retry PATIENT =
      Retry.exponential(Duration.ofMillis(300)).maxAttempts(5).jitter(0);
  private static final Duration COOL_OFF = Duration.ofMillis(1500);
  private static final int FLAKY_ATTEMPTS = 2;

  record Order(String id, List<String> skus, BigDecimal total) {}

  record Payment(String id, BigDecimal amount) {}

  record Line(String sku, int quantity) {}

  record Receipt(String orderId, String paymentId, List<Line> lines, String tracking) {}

  Receipt process(Steps step, Order order) {
    var payment = step.run("charge", PATIENT, attempt -> charge(order, attempt));
    step.sleep("cool-off", COOL_OFF);
    List<Line> lines = step.run("reserve", new TypeRef<>() {}, () -> reserve(order));
    String tracking = step.run("ship", () -> ship(order));
    return new Receipt(order.id(), payment.id(), lines, tracking);
  }

  private Payment charge(Order order, Attempt attempt) {
    ledger.append(process, "charge", attempt.number(), "began");
    if (attempt.number() <= FLAKY_ATTEMPTS) {
      ledger.append(process, "charge", attempt.number(), "failed");
      throw new IllegalStateException("the payment service answered 503");
    }
    ledger.append(process, "charge", attempt.number(), "ended");
    return new Payment("pay-" + attempt.idempotencyKey().substring(0, 8), order.total());
  }

  private List<Line> reserve(Order order) {
    ledger.append(process, "reserve", 1, "began");
    List<Line> lines = order.skus().stream().map(sku -> new Line(sku, 1)).toList();
    ledger.append(process, "reserve", 1, "ended");
    return lines;
  }

  private String ship(Order order) {
    ledger.append(process, "ship", 1, "began");
    ledger.append(process, "ship", 1, "ended");
    return "parcel-" + order.id();
  }
}
