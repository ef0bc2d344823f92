package dev.yieldstar.engine;

import dev.yieldstar.Steps;
import dev.yieldstar.Workflow;
import dev.yieldstar.WorkflowFunction;
import dev.yieldstar.YieldstarException;
import org.jspecify.annotations.Nullable;

/// A workflow that can run here.
record Registration(Workflow<?, ?> workflow, Body body) {

  /// A workflow's function, whose types only its declaration knows.
  interface Body {
    @Nullable Object run(Steps steps, @Nullable Object params) throws Exception;
  }

  /// @throws YieldstarException WORKFLOW_WITHOUT_BODY
  static <P extends @Nullable Object, R extends @Nullable Object> Registration of(
      Workflow<P, R> workflow) {
    WorkflowFunction<? super P, ? extends R> function =
        workflow
            .body()
            .orElseThrow(
                () ->
                    new YieldstarException(
                        "WORKFLOW_WITHOUT_BODY",
                        "Workflow '%s' is registered without its body. Give it: register(WORKFLOW, service::method)."
                            .formatted(workflow.name())));
    return new Registration(workflow, (steps, params) -> function.run(steps, declared(params)));
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals",
    "NullAway"
  }) // decoded as declared
  private static <P extends @Nullable Object> P declared(@Nullable Object params) {
    return (P) params;
  }
}
