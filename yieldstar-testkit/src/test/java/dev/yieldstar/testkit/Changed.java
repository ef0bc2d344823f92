package dev.yieldstar.testkit;

import dev.yieldstar.execution.ExecutionState;
import dev.yieldstar.execution.Run;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Records with one component changed, for backends that are to be wrong.
final class Changed {
  private Changed() {}

  /// The record with another value of the component of this name.
  static <R extends Record> R with(R record, String name, @Nullable Object value) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    if (Arrays.stream(components).noneMatch(component -> component.getName().equals(name))) {
      throw new AssertionError(record.getClass() + " has no component " + name);
    }
    try {
      @Nullable Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        boolean changed = components[i].getName().equals(name);
        values[i] = changed ? value : components[i].getAccessor().invoke(record);
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      @SuppressWarnings("unchecked")
      var constructor = (Constructor<R>) record.getClass().getConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("can't rebuild " + record, e);
    }
  }

  /// The state with another value in its run; as it is where it has ended.
  static ExecutionState run(ExecutionState state, String name, @Nullable Object value) {
    Run run = state.run();
    return run == null ? state : with(state, "run", with(run, name, value));
  }
}
