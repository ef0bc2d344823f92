package dev.yieldstar.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import dev.yieldstar.spi.Backend;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// One run of the whole contract, from within a test. One at a time.
final class ContractRun implements TestExecutionListener {
  private static final AtomicReference<Function<InstantSource, Backend>> OPENING =
      new AtomicReference<>();

  /// Tests that passed, and those that did not, as `Group.method`.
  final List<String> passed = new ArrayList<>();

  final List<String> failed = new ArrayList<>();
  private final CancellationToken token = CancellationToken.create();
  private final boolean onlyToTheFirstFailure;

  private ContractRun(boolean onlyToTheFirstFailure) {
    this.onlyToTheFirstFailure = onlyToTheFirstFailure;
  }

  /// The contract on the backend under test; the build does not run it by itself.
  static class UnderTest extends BackendContract {
    @Override
    protected Backend open(InstantSource clock) {
      return Objects.requireNonNull(OPENING.get()).apply(clock);
    }
  }

  static ContractRun whole(Function<InstantSource, Backend> opening) {
    return new ContractRun(false).run(opening, selectClass(UnderTest.class));
  }

  static ContractRun ofGroup(Class<?> group, Function<InstantSource, Backend> opening) {
    return new ContractRun(false).run(opening, selectNestedClass(List.of(UnderTest.class), group));
  }

  static ContractRun toTheFirstFailure(Function<InstantSource, Backend> opening) {
    return new ContractRun(true).run(opening, selectClass(UnderTest.class));
  }

  private ContractRun run(Function<InstantSource, Backend> opening, DiscoverySelector selector) {
    OPENING.set(opening);
    LauncherDiscoveryRequest tests =
        LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
    LauncherFactory.create()
        .execute(
            LauncherExecutionRequestBuilder.request(tests)
                .listeners(this)
                .cancellationToken(token)
                .build());
    return this;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (!test.isTest() || !(test.getSource().orElse(null) instanceof MethodSource source)) {
      return;
    }
    String name = source.getClassName().replaceFirst(".*\\$", "") + "." + source.getMethodName();
    if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      passed.add(name);
    } else {
      failed.add(name);
      if (onlyToTheFirstFailure) {
        token.cancel();
      }
    }
  }
}
