package dev.yieldstar.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// That the contract can fail: a backend with one broken rule is found out, by the group that is
/// about that rule.
class WrongBackendsTest {
  /// A fault breaks one rule, not everything.
  private static final int AT_MOST = 30;

  /// At full scale each fault meets the whole contract; else the group that is about its rule.
  private static final boolean WHOLE =
      Double.parseDouble(System.getProperty("yieldstar.scale", "0.1")) >= 1;

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleIsFoundOutByItsGroup(Fault fault) {
    ContractRun run =
        WHOLE ? ContractRun.whole(fault::open) : ContractRun.ofGroup(fault.group(), fault::open);

    assertThat(run.failed)
        .anyMatch(test -> test.startsWith(fault.group().getSimpleName() + "."))
        .hasSizeLessThan(AT_MOST);
    assertThat(run.passed).isNotEmpty();
    if (WHOLE) {
      assertThat(run.passed).hasSizeGreaterThan(200);
    }
  }

  @Test
  void aBackendWithoutAFaultPasses() {
    assertThat(ContractRun.whole(PlainBackend::new).failed).isEmpty();
  }
}
