package dev.yieldstar.examples;

import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.jdbc.Sqlite;
import java.nio.file.Path;
import java.time.Duration;

/// A workflow as a class with an injected service: the name and the types are static, the body is a
/// method that is bound where it is registered.
public final class Reminder {
  /// Somebody to be reminded of something.
  public record Task(String owner, String text) {}

  /// What sends mail.
  public interface Mail {
    void send(String to, String text);
  }

  public static final Workflow<Task, Integer> REMIND =
      Workflow.of("remind", Task.class, Integer.class);

  private static final int REMINDERS = 3;

  private final Mail mail;

  public Reminder(Mail mail) {
    this.mail = mail;
  }

  /// Reminds three times, a day apart; how often.
  public Integer run(Steps step, Task task) {
    for (int day = 1; day <= REMINDERS; day++) {
      Steps today = step.scope("day-" + day);
      today.sleep("wait", Duration.ofDays(1));
      today.run("mail", () -> mail.send(task.owner(), task.text()));
    }
    return REMINDERS;
  }

  public static void main(String[] arguments) {
    var reminder = new Reminder((to, text) -> System.out.println("To " + to + ": " + text));
    var yieldstar =
        Yieldstar.on(Sqlite.file(Path.of("reminders.db"))).register(REMIND, reminder::run).start();
    Runtime.getRuntime().addShutdownHook(new Thread(yieldstar::close));
    var execution = yieldstar.start(REMIND, new Task("Ada", "water the plants"));
    System.out.println("Reminding as execution " + execution.id() + "; stop and start me at will.");
  }
}
