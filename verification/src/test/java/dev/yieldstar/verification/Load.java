package dev.yieldstar.verification;

import com.sun.management.OperatingSystemMXBean;
import dev.yieldstar.Workflow;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.jdbc.Sqlite;
import dev.yieldstar.memory.MemoryBackend;
import dev.yieldstar.spi.Backend;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// A look at what the engine costs: callers that start a workflow of ten steps, wait for its result
/// and start the next one. A sanity check to be run by hand, with a profiler beside it; what counts
/// is measured by the benchmarks.
///
/// Arguments: `memory` or `sqlite`, how many callers, how many seconds.
public final class Load {
  private static final int STEPS = 10;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static final Workflow<Integer, Integer> TEN_STEPS =
      Workflow.of(
          "ten-steps",
          Integer.class,
          Integer.class,
          (step, number) -> {
            int sum = number;
            for (int i = 0; i < STEPS; i++) {
              int each = i;
              sum += step.run("step-" + i, () -> each);
            }
            return sum;
          });

  private Load() {}

  /// What one caller has seen, in nanoseconds.
  private record Seen(List<Long> latencies) {}

  public static void main(String[] arguments) throws Exception {
    String kind = arguments.length > 0 ? arguments[0] : "memory";
    int callers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 16;
    Duration each = Duration.ofSeconds(arguments.length > 2 ? Long.parseLong(arguments[2]) : 5);
    try (var yieldstar = Yieldstar.on(backend(kind)).register(TEN_STEPS).start()) {
      measure(yieldstar, callers, each); // to warm up
      long processor = processorNanos();
      long[] sorted = measure(yieldstar, callers, each);
      System.out.printf(
          "%s, %d callers: %,.0f workflows/s, p50 %.2f ms, p99 %.2f ms, %,.0f us of processor each%n",
          kind,
          callers,
          sorted.length / (double) each.toSeconds(),
          sorted[sorted.length / 2] / 1e6,
          sorted[(int) (sorted.length * 0.99)] / 1e6,
          (processorNanos() - processor) / 1e3 / sorted.length);
    }
  }

  private static long processorNanos() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }

  private static Backend backend(String kind) throws IOException {
    return switch (kind) {
      case "memory" -> new MemoryBackend();
      case "sqlite" -> {
        Path directory = Files.createTempDirectory("load");
        directory.toFile().deleteOnExit();
        yield Sqlite.file(directory.resolve("load.db"));
      }
      default -> throw new IllegalArgumentException("memory or sqlite, not " + kind);
    };
  }

  private static long[] measure(Yieldstar yieldstar, int callers, Duration duration)
      throws InterruptedException {
    var running = new AtomicBoolean(true);
    var threads = new ArrayList<Thread>();
    var seen = new ArrayList<Seen>();
    for (int i = 0; i < callers; i++) {
      var mine = new Seen(new ArrayList<>());
      seen.add(mine);
      threads.add(Thread.startVirtualThread(() -> call(yieldstar, running, mine)));
    }
    Thread.sleep(duration);
    running.set(false);
    for (Thread thread : threads) {
      thread.join();
    }
    long[] all =
        seen.stream()
            .flatMap(each -> each.latencies().stream())
            .mapToLong(Long::longValue)
            .toArray();
    Arrays.sort(all);
    return all;
  }

  private static void call(Yieldstar yieldstar, AtomicBoolean running, Seen seen) {
    while (running.get()) {
      long began = System.nanoTime();
      yieldstar.start(TEN_STEPS, 1).result(LIMIT);
      seen.latencies().add(System.nanoTime() - began);
    }
  }
}
