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

  @ParameterizedTest
  @EnumSource
  void aBrokenRuleIsFoundOutByItsGroup(Fault fault) {
    ContractRun run = ContractRun.whole(fault::open);

    assertThat(run.failed).anyMatch(test -> test.startsWith(fault.group() + "."));
    assertThat(run.failed).hasSizeLessThan(AT_MOST);
    assertThat(run.passed).hasSizeGreaterThan(200);
  }

  @Test
  void aBackendWithoutAFaultPasses() {
    assertThat(ContractRun.whole(PlainBackend::new).failed).isEmpty();
  }
}
