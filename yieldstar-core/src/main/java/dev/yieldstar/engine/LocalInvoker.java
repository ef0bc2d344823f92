package dev.yieldstar.engine;

import dev.yieldstar.execution.Command;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import dev.yieldstar.spi.Invoker;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs each delivery on a virtual thread of its own, named after the execution.
record LocalInvoker(
    Map<String, Registration> registrations,
    Values values,
    Ids ids,
    Committer committer,
    EngineSettings settings,
    PaceWatch pace)
    implements Invoker {
  private static final Logger LOG = LoggerFactory.getLogger(LocalInvoker.class);

  @Override
  public CompletionStage<DeliveryEnd> deliver(Delivery delivery) {
    var end = new CompletableFuture<DeliveryEnd>();
    Thread.ofVirtual()
        .name("workflow-" + delivery.executionId())
        .inheritInheritableThreadLocals(false)
        .start(() -> run(delivery, end));
    return end;
  }

  private void run(Delivery delivery, CompletableFuture<DeliveryEnd> end) {
    try {
      Registration registration = registrations.get(delivery.workflow());
      if (registration == null) {
        LOG.error(
            "Workflow '{}' is not registered here; its execution is given back",
            delivery.workflow());
        end.complete(new DeliveryEnd.Release(new Command.ReleaseReason.Failed()));
        return;
      }
      end.complete(
          new WorkflowRun(
                  delivery, registration, values, ids, committer, settings, pace, end::complete)
              .run());
    } catch (Throwable e) { // nobody else would learn of it
      end.completeExceptionally(e);
    }
  }
}
