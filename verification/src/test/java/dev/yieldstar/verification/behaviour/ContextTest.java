package dev.yieldstar.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.StartOptions;
import dev.yieldstar.Workflow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/// What surrounds workflow code on its thread.
class ContextTest extends Behaviour {
  private static final InheritableThreadLocal<@Nullable String> TENANT =
      new InheritableThreadLocal<>();

  @Test
  @DisplayName("CTX-01 what an execution leaves on its thread is not seen by the next")
  void nothingLeaks() {
    var seen = new CopyOnWriteArrayList<String>();
    ClassLoader mine = new ClassLoader(getClass().getClassLoader()) {};
    Workflow<String, Boolean> workflow =
        Workflow.of(
            "tenant",
            String.class,
            Boolean.class,
            (step, tenant) -> {
              seen.add(traces(mine));
              MDC.put("tenant", tenant);
              TENANT.set(tenant);
              Thread.currentThread().setContextClassLoader(mine);
              Thread.currentThread().setName("mine");
              step.run("mark", () -> MDC.put("step", "mark"));
              Thread.currentThread().interrupt();
              return true;
            });
    TENANT.set("the caller's");
    try {
      Node node = node(settings -> settings.concurrency(1), workflow);
      for (String tenant : List.of("A", "B", "C")) {
        var execution = node.client().start(workflow, tenant, StartOptions.id("tenant-" + tenant));
        assertThat(result(execution)).isTrue();
      }
    } finally {
      TENANT.remove();
    }
    assertThat(seen).hasSize(3).containsOnly("nothing");
  }

  private static String traces(ClassLoader theirs) {
    boolean clean =
        Optional.ofNullable(MDC.get("tenant")).isEmpty()
            && Optional.ofNullable(TENANT.get()).isEmpty()
            && Thread.currentThread().getContextClassLoader() != theirs
            && !Thread.currentThread().getName().equals("mine")
            && !Thread.currentThread().isInterrupted();
    return clean ? "nothing" : "something";
  }
}
