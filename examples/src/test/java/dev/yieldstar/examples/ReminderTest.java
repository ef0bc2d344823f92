package dev.yieldstar.examples;

import static dev.yieldstar.examples.Reminder.REMIND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.yieldstar.Yieldstar;
import dev.yieldstar.examples.Reminder.Task;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ReminderTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-12-01T09:00:00Z"));
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Reminder reminder = new Reminder((to, text) -> sent.add(to + ": " + text));

  @Test
  void remindsOnceADay() {
    try (var yieldstar =
        Yieldstar.on(new MemoryBackend(clock)).register(REMIND, reminder::run).start()) {
      var execution = yieldstar.start(REMIND, new Task("Ada", "water the plants"));

      for (int day = 1; day <= 3; day++) {
        await().until(() -> execution.view().due().isPresent()); // it waits for tomorrow
        assertThat(sent).hasSize(day - 1);
        clock.advance(Duration.ofDays(1));
        int reminders = day;
        await().until(() -> sent.size() == reminders);
      }

      assertThat(execution.result(Duration.ofSeconds(5))).isEqualTo(3);
      assertThat(sent).containsOnly("Ada: water the plants");
    }
  }
}
