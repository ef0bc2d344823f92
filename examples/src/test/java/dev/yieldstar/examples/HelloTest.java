package dev.yieldstar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.Status;
import dev.yieldstar.Yieldstar;
import dev.yieldstar.jdbc.Sqlite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelloTest {

  @Test
  void theShortestProgramRunsToItsEnd(@TempDir Path folder) {
    Path file = folder.resolve("hello.db");

    Hello.main(new String[] {file.toString()});

    try (var client = Yieldstar.on(Sqlite.file(file)).client()) {
      var stay = client.execution("stay-1");
      assertThat(stay.status()).isEqualTo(Status.COMPLETED);
      assertThat(stay.view().result()).contains("\"Ada has room 103\"");
    }
  }

  @Test
  void theReadmeShowsThisProgram() throws IOException {
    Path root = Path.of("..");
    String program =
        Files.readString(root.resolve("examples/src/main/java/dev/yieldstar/examples/Hello.java"));
    String shown = program.substring(program.indexOf("public class Hello")).strip();

    assertThat(Files.readString(root.resolve("README.md"))).contains(shown);
  }
}
