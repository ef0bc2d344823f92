package dev.yieldstar.examples;

import dev.yieldstar.Retry;
import dev.yieldstar.StartOptions;
import dev.yieldstar.Workflow;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.jdbc.Sqlite;
import java.nio.file.Path;
import java.time.Duration;

/// The shortest whole program: kill it while it waits, start it again, and it goes on where it was.
public class Hello {
  record Guest(String name, int nights) {}

  static final Workflow<Guest, String> WELCOME =
      Workflow.of(
          "welcome",
          Guest.class,
          String.class,
          (step, guest) -> {
            int room =
                step.run(
                    "book", Retry.exponential(Duration.ofMillis(200)), () -> 100 + guest.nights());
            step.sleep("until-arrival", Duration.ofSeconds(5));
            step.run("greet", () -> System.out.println("Welcome, " + guest.name()));
            return guest.name() + " has room " + room;
          });

  public static void main(String[] arguments) {
    var file = Path.of(arguments.length > 0 ? arguments[0] : "hello.db");
    try (var yieldstar = Yieldstar.on(Sqlite.file(file)).register(WELCOME).start()) {
      var stay = yieldstar.start(WELCOME, new Guest("Ada", 3), StartOptions.id("stay-1"));
      System.out.println(stay.result(Duration.ofMinutes(1)));
    }
  }
}
