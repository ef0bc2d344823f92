package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.Reply;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.spi.Backend;
import dev.yieldstar.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/// Commands as tests send them, where their details don't matter.
final class Sample {
  static final Payload VALUE = payload("x".repeat(200));

  private static final Random IDS = new Random();
  private static final AtomicLong LAST_EXECUTION = new AtomicLong(System.currentTimeMillis() << 21);
  private static final Duration LEASE = Duration.ofSeconds(30);

  private Sample() {}

  static Payload payload(String text) {
    return Payload.of((byte) 1, text.getBytes(StandardCharsets.UTF_8));
  }

  static Command.Admit admit(String id, String workflow) {
    return admit(id, workflow, Due.NOW);
  }

  static Command.Admit admit(String id, String workflow, Due due) {
    var admission =
        Admission.request(
            LAST_EXECUTION.addAndGet(1 + IDS.nextInt(1 << 20)),
            id,
            workflow,
            null,
            VALUE,
            "fingerprint",
            null,
            Map.of());
    return new Command.Admit(admission, due, null);
  }

  /// Admits executions born leased, in one batch.
  static List<Lease> leased(Backend backend, String prefix, int count) {
    List<Command> batch =
        IntStream.range(0, count)
            .mapToObj(i -> admit(prefix + i, "order"))
            .<Command>map(
                admit ->
                    new Command.Admit(
                        admit.admission(), Due.NOW, new Command.Grant(leaseId(), LEASE)))
            .toList();
    return backend.commit(batch).stream()
        .map(reply -> Objects.requireNonNull(((Reply.Admitted) reply).lease()))
        .toList();
  }

  static Command.RecordStep step(Lease lease, String key) {
    return new Command.RecordStep(
        lease,
        key,
        1,
        1,
        StepKind.RUN,
        "java.lang.String",
        new StepEntry.Value(VALUE),
        Instant.EPOCH,
        false);
  }

  static Command.Acknowledge completed(Lease lease) {
    return new Command.Acknowledge(lease, new Command.Acknowledgement.Completed(VALUE));
  }

  static ClaimRequest claim(int limit, String... workflows) {
    return new ClaimRequest(Set.of(workflows), limit, leaseId(), LEASE, Set.of(), true, true);
  }

  static long leaseId() {
    return IDS.nextLong() | 1;
  }
}
