package dev.yieldstar.engine;

import dev.yieldstar.ExecutionInfo;
import dev.yieldstar.InvalidStepValue;
import dev.yieldstar.codec.Payload;
import dev.yieldstar.codec.ValueRefused;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.ParentLink;
import dev.yieldstar.spi.Delivery;
import dev.yieldstar.spi.DeliveryEnd;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a workflow function once, from the top, and says how that ended. Made and used by the
/// thread that runs it.
final class WorkflowRun {
  private static final Logger LOG = LoggerFactory.getLogger(WorkflowRun.class);

  private final Delivery delivery;
  private final Registration registration;
  private final Values values;
  private final Session session;
  private final Interrupts interrupts;
  private final PaceWatch pace;
  private final Ids ids;

  /// @param givenUp told how the delivery ends where the function can't be made to end: [#run] does
  ///   not return then
  WorkflowRun(
      Delivery delivery,
      Registration registration,
      Values values,
      Ids ids,
      Committer committer,
      EngineSettings settings,
      PaceWatch pace,
      Consumer<DeliveryEnd> givenUp) {
    this.delivery = delivery;
    this.pace = pace;
    this.registration = registration;
    this.values = values;
    this.interrupts = new Interrupts(delivery.signal(), delivery.state().live().cancelReason());
    this.session =
        new Session(
            delivery,
            committer,
            settings,
            registration.workflow().version().orElse(null),
            interrupts,
            end -> giveUp(end, givenUp));
    this.ids = ids;
  }

  private void giveUp(DeliveryEnd end, Consumer<DeliveryEnd> givenUp) {
    pace.forget(session);
    interrupts.finish();
    givenUp.accept(end);
  }

  /// How the pass ended. Never throws what user code threw.
  DeliveryEnd run() {
    pace.watch(session);
    try {
      return end(interrupts);
    } finally {
      pace.forget(session);
      interrupts.finish();
    }
  }

  private DeliveryEnd end(Interrupts interrupts) {
    Object params;
    RecordedSteps steps;
    try {
      params = readParams();
      steps = steps(readInfo());
    } catch (ValueRefused e) {
      return undecodable(e);
    }
    Object result;
    try {
      result = registration.body().run(steps, params);
    } catch (Throwable e) {
      return afterError(e);
    }
    if (session.unwinding() != null) {
      LOG.warn(
          "The workflow of {} caught and swallowed how it is left at step '{}'; what it returned is ignored. Code that catches Throwable should let what is no Exception pass.",
          session.owner(),
          session.unwinding().at());
      return session.unwinding().end();
    }
    return interrupts.aborted() ? new DeliveryEnd.Stopped() : completed(result);
  }

  private DeliveryEnd afterError(Throwable error) {
    if (session.unwinding() != null) {
      return session.unwinding().end();
    }
    if (interrupts.aborted()) {
      return new DeliveryEnd.Stopped();
    }
    if (StepRunner.isOfThisProcess(error)) {
      LOG.error(
          "The workflow of {} met an error of this process; the delivery ends without an outcome",
          session.owner(),
          error);
      return new DeliveryEnd.Release(new Command.ReleaseReason.Failed());
    }
    return failed(error);
  }

  private DeliveryEnd completed(@Nullable Object result) {
    Type type = registration.workflow().result();
    try {
      Payload payload =
          values.encode(
              () -> "The workflow of " + session.owner(),
              InvalidStepValue.WORKFLOW_RESULT,
              result,
              type);
      return new DeliveryEnd.Acknowledge(new Command.Acknowledgement.Completed(payload));
    } catch (InvalidStepValue e) {
      return failed(e);
    }
  }

  private DeliveryEnd failed(Throwable error) {
    return new DeliveryEnd.Acknowledge(
        new Command.Acknowledgement.Failed(values.encodeError(error)));
  }

  private DeliveryEnd undecodable(ValueRefused refused) {
    return new DeliveryEnd.Release(
        new Command.ReleaseReason.Blocked(
            new Attention(
                refused.code(),
                "The params or the context of %s can't be read as what workflow '%s' declares: %s Deploy code that reads them; it is tried again then, every ten minutes, and when resumed."
                    .formatted(session.owner(), delivery.workflow(), refused.getMessage()),
                registration.workflow().version().orElse(null))));
  }

  private RecordedSteps steps(ExecutionInfo info) {
    var tools =
        new StepTools(
            session,
            new StepRunner(session, values, ids),
            new Waits(session),
            values,
            ids,
            info,
            new WorkflowLogger(delivery.workflow(), session));
    return new RecordedSteps(tools, "", registration.workflow().retry());
  }

  private @Nullable Object readParams() {
    return Params.decode(
        values.foreign(), delivery.params().orElse(null), registration.workflow().params());
  }

  private ExecutionInfo readInfo() {
    Admission admission = delivery.state().admission();
    Map<String, @Nullable Object> context = Params.context(values.foreign(), admission.context());
    return new ExecutionInfo(
        admission.id(),
        admission.workflow(),
        Optional.ofNullable(admission.version()),
        delivery.state().incarnation(),
        admission.admittedAt(),
        Optional.ofNullable(admission.parent()).map(ParentLink::executionId),
        context);
  }
}
