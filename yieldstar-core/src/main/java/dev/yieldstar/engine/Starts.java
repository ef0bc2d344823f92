package dev.yieldstar.engine;

import dev.yieldstar.StartOptions;
import dev.yieldstar.Workflow;
import dev.yieldstar.YieldstarException;
import dev.yieldstar.codec.Fingerprint;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Due;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prepares starts: checks and encodes what an execution is to be admitted with.
record Starts(Values values, Ids ids) {

  private static final String INVALID_EVENT = "INVALID_EXECUTION_EVENT";
  private static final int MOST_ATTRIBUTES = 50;
  private static final int LONGEST_ATTRIBUTE = 1_000;

  /// What stands for missing params, which differ from an empty object.
  private static final String MISSING = "-";

  /// @throws YieldstarException for what can't be started
  Admission prepare(Workflow<?, ?> workflow, @Nullable Object params, StartOptions options) {
    checkWorkflow(workflow);
    Payload encoded = Params.encode(values.foreign(), workflow.name(), params, workflow.params());
    Payload context = Params.encodeContext(values.foreign(), workflow.name(), options.context());
    checkSize(workflow, "params", encoded);
    checkSize(workflow, "context", context);
    String id =
        options
            .id()
            .map(own -> Keys.check("INVALID_EXECUTION_ID", "An execution id", own))
            .orElseGet(ids::executionId);
    return Admission.request(
        ids.internal(),
        id,
        workflow.name(),
        workflow.version().orElse(null),
        encoded,
        fingerprint(encoded),
        context,
        checkedAttributes(options.attributes()));
  }

  private static Map<String, String> checkedAttributes(Map<String, String> attributes) {
    if (attributes.size() > MOST_ATTRIBUTES) {
      throw new YieldstarException(
          INVALID_EVENT,
          "An execution has at most %d attributes, not %,d."
              .formatted(MOST_ATTRIBUTES, attributes.size()));
    }
    attributes.forEach(
        (name, text) -> {
          if (name == null || text == null) { // nothing keeps foreign code from it
            throw new YieldstarException(
                INVALID_EVENT, "An attribute and its name must not be null.");
          }
          Keys.check(INVALID_EVENT, "The name of an attribute", name);
          Keys.checkText(INVALID_EVENT, "Attribute '" + name + "'", text, LONGEST_ATTRIBUTE);
        });
    return attributes;
  }

  private static void checkWorkflow(Workflow<?, ?> workflow) {
    Keys.check(Params.INVALID, "The name of a workflow", workflow.name());
    workflow
        .version()
        .ifPresent(version -> Keys.check(Params.INVALID, "The version of a workflow", version));
  }

  private void checkSize(Workflow<?, ?> workflow, String what, @Nullable Payload payload) {
    if (payload != null && payload.size() > values.maxPayload()) {
      throw new YieldstarException(
          Values.TOO_LARGE,
          "The %s for workflow '%s' take %,d bytes; the limit is %,d. Keep large values elsewhere and pass where they are, or raise maxPayload."
              .formatted(what, workflow.name(), payload.size(), values.maxPayload()));
    }
  }

  private String fingerprint(@Nullable Payload params) {
    return params == null ? MISSING : Fingerprint.of(values.foreign().text(params)).hex();
  }

  static Due due(StartOptions options) {
    if (options.at().isPresent()) {
      return new Due.At(options.at().get());
    }
    return options.delay().<Due>map(Due.After::new).orElse(Due.NOW);
  }
}
