package dev.yieldstar.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A worker of the demo in a JVM of its own, with the class path of this one.
record WorkerProcess(Process process, Path log, Instant startedAt) {

  static WorkerProcess start(Path folder, int number) throws IOException {
    Path log = folder.resolve("worker-" + number + ".log");
    String java = ProcessHandle.current().info().command().orElse("java");
    List<String> command =
        List.of(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.logFile=System.err",
            "-cp",
            System.getProperty("java.class.path"),
            DemoWorker.class.getName(),
            folder.toString(),
            String.valueOf(number));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new WorkerProcess(process, log, Instant.now());
  }

  /// SIGKILL: the process gets no chance to do anything more.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /// Waits for its end; whether it ended well.
  boolean await(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String logged() throws IOException {
    return Files.readString(log);
  }
}
