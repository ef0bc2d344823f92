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
  /// The exit value of a process that SIGKILL has ended.
  private static final int KILLED = 128 + 9;

  static WorkerProcess start(Path folder, int number) throws IOException {
    Path log = folder.resolve("worker-" + number + ".log");
    String java = ProcessHandle.current().info().command().orElse("java");
    List<String> command =
        List.of(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.sqlite.tmpdir="
                + folder, // a killed process leaves its copy of the native library
            "-Dorg.slf4j.simpleLogger.logFile=System.err",
            "-cp",
            System.getProperty("java.class.path"),
            DemoWorker.class.getName(),
            folder.toString(),
            String.valueOf(number));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new WorkerProcess(process, log, Instant.now());
  }

  /// SIGKILL: the process gets no chance to do anything more.
  ///
  /// @return whether it was alive, and died of that
  boolean kill() throws InterruptedException {
    boolean alive = process.isAlive();
    process.destroyForcibly();
    return process.waitFor() == KILLED && alive;
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
