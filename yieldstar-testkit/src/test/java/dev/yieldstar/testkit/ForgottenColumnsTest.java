package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.LastDelivery;
import dev.yieldstar.execution.Outcome;
import dev.yieldstar.execution.Run;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.execution.StepRecord;
import dev.yieldstar.execution.StepResult;
import dev.yieldstar.execution.Terminal;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// That a backend which forgets any one thing that it is given to keep is found out.
class ForgottenColumnsTest {
  /// The identity of an execution: without it nothing would be found again at all.
  private static final Set<String> IDENTITY = Set.of("execution", "id");

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("columns")
  void aForgottenColumnIsFoundOut(String name, Class<?> of) {
    ContractRun run = ContractRun.toTheFirstFailure(clock -> new Forgetful(clock, of, name));

    assertThat(run.failed).isNotEmpty();
  }

  static Stream<Arguments> columns() {
    return Stream.of(Admission.class, Run.class, Terminal.class, StepRecord.class)
        .flatMap(
            type ->
                Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getName)
                    .filter(name -> type != Admission.class || !IDENTITY.contains(name))
                    .map(name -> Arguments.of(name, type)));
  }

  private static final class Forgetful extends PlainBackend {
    private final Class<?> of;
    private final String column;

    Forgetful(InstantSource clock, Class<?> of, String column) {
      super(clock);
      this.of = of;
      this.column = column;
    }

    @Override
    public void put(ExecutionState state) {
      ExecutionState kept = state;
      if (of == Admission.class) {
        kept = Changed.with(kept, "admission", forgetting(kept.admission()));
      }
      if (of == Run.class && kept.run() != null) {
        kept = Changed.with(kept, "run", forgetting(kept.live()));
      }
      if (of == Terminal.class && kept.terminal() != null) {
        kept = Changed.with(kept, "terminal", forgetting(kept.ended()));
      }
      super.put(kept);
    }

    @Override
    public void append(long execution, int incarnation, StepRecord record) {
      super.append(execution, incarnation, of == StepRecord.class ? forgetting(record) : record);
    }

    private <R extends Record> R forgetting(R record) {
      RecordComponent component =
          Arrays.stream(record.getClass().getRecordComponents())
              .filter(each -> each.getName().equals(column))
              .findFirst()
              .orElseThrow();
      return Changed.with(record, column, nothing(component.getType(), component));
    }

    private static @Nullable Object nothing(Class<?> type, RecordComponent component) {
      if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        return null;
      }
      if (type == String.class) {
        return "";
      }
      if (type == long.class) {
        return 0L;
      }
      if (type == int.class) {
        return 0;
      }
      if (type == boolean.class) {
        return false;
      }
      return NOTHING.get(type);
    }

    private static final Map<Class<?>, Object> NOTHING =
        Map.of(
            Map.class,
            Map.of(),
            Instant.class,
            Instant.EPOCH,
            LastDelivery.class,
            LastDelivery.NONE,
            Outcome.class,
            new Outcome.Cancelled(""),
            StepKind.class,
            StepKind.RUN,
            StepResult.class,
            new StepResult.Value(Payload.of((byte) 1, new byte[0])));
  }
}
