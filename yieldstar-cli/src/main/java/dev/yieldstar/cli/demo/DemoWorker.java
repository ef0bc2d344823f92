package dev.yieldstar.cli.demo;

import static dev.yieldstar.cli.demo.OrderWorkflow.ORDER;

import dev.yieldstar.StartOptions;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.cli.demo.OrderWorkflow.Order;
import dev.yieldstar.jdbc.Sqlite;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A process of the demo: runs the order workflow, and starts the order, which is there already the
/// second time. Arguments: the folder, and the number of the process.
public final class DemoWorker {
  static final String EXECUTION = "order-42";
  static final Duration LEASE = Duration.ofMillis(1500);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private DemoWorker() {}

  static Path database(Path folder) {
    return folder.resolve("orders.db");
  }

  static Ledger ledger(Path folder) {
    return new Ledger(folder.resolve("ledger.txt"));
  }

  public static void main(String[] arguments) {
    var folder = Path.of(arguments[0]);
    var orders = new OrderWorkflow(ledger(folder), Integer.parseInt(arguments[1]));
    var order = new Order("42", List.of("tea", "cup"), new BigDecimal("23.50"));
    try (var yieldstar =
        Yieldstar.on(Sqlite.file(database(folder)))
            .leaseDuration(LEASE)
            .register(ORDER, orders::process)
            .start()) {
      yieldstar.start(ORDER, order, StartOptions.id(EXECUTION)).result(LIMIT);
    }
  }
}
