package dev.yieldstar.jdbc;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import dev.yieldstar.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Draws commands and claims from a random source: of every kind, sensible ones and others, over
/// few enough ids and keys that they meet. It learns from the leases that were given.
final class GeneratedCommands {
  private static final List<String> WORKFLOWS = List.of("order", "Order", "größe", "clean-up");
  private static final List<String> KEYS =
      List.of("a", "B", "ä", "step-10", "step-9", "\uD83D\uDE00", "\uFFFD", "a\u001Fb");
  private static final List<String> TEXTS =
      List.of("plain", "", "naïve \uD83D\uDE00", "with\u0000NUL", "half \uD800 pair", "\u0001\\");
  private static final int IDS = 12;
  private static final int LEASES = 60;

  private final Random random;
  private final List<Lease> leases = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final Set<Long> leaseIds = new HashSet<>();
  private final List<Command> sent = new ArrayList<>();
  private long lastExecution;
  private int newest = 1;

  GeneratedCommands(Random random) {
    this.random = random;
  }

  /// All that were named in a command.
  Set<String> ids() {
    return ids;
  }

  Set<Long> leaseIds() {
    return leaseIds;
  }

  List<Lease> leases() {
    return leases;
  }

  void learn(Lease lease) {
    leases.add(lease);
    leaseIds.add(lease.id());
    if (leases.size() > LEASES) {
      leases.removeFirst();
    }
  }

  List<Command> batch() {
    var batch = new ArrayList<Command>();
    int size = 1 + random.nextInt(random.nextInt(10) == 0 ? 40 : 8);
    for (int i = 0; i < size; i++) {
      Command command = !sent.isEmpty() && random.nextInt(12) == 0 ? pick(sent) : command();
      batch.add(command);
      sent.add(command);
      if (sent.size() > 200) {
        sent.removeFirst();
      }
    }
    return batch;
  }

  private Command command() {
    int draw = random.nextInt(100);
    if (draw < 22 || leases.isEmpty()) {
      return admit();
    }
    if (draw < 75) {
      return ofDelivery();
    }
    return switch (random.nextInt(12)) {
      case 0 -> new Command.Cancel(id(), pick(TEXTS));
      case 1 -> new Command.Wake(id());
      case 2 -> new Command.Pause(id());
      case 3 -> new Command.Resume(id());
      case 4 -> new Command.Registered(pick(WORKFLOWS), pick(List.of("1", "2")));
      case 5, 6, 7 -> new Command.Fork(id(), newExecution(), id(), maybe(() -> pick(KEYS)));
      default -> new Command.Retry(id(), newExecution(), id());
    };
  }

  private Command admit() {
    String id = id();
    var grant =
        maybe(() -> new Command.Grant(newLeaseId(), Duration.ofMillis(random.nextInt(4_000))));
    Due start = random.nextInt(3) == 0 ? due() : Due.NOW;
    return new Command.Admit(admission(id), start, grant);
  }

  private Admission admission(String id) {
    return Admission.request(
        newExecution(),
        id,
        random.nextInt(12) == 0 ? pick(WORKFLOWS) : WORKFLOWS.get(id.length() % 4),
        maybe(() -> pick(List.of("1", "2"))),
        maybe(this::payload),
        random.nextInt(12) == 0 ? "other" : "same",
        maybe(this::payload),
        random.nextInt(4) == 0 ? Map.of(pick(TEXTS), pick(TEXTS), "z", "\"quoted\"") : Map.of());
  }

  private Command ofDelivery() {
    Lease lease = random.nextInt(20) == 0 ? wrong(pick(leases)) : recent();
    int draw = random.nextInt(20);
    if (draw < 9) {
      return record(lease);
    }
    if (draw < 12) {
      return new Command.StartChild(
          lease, pick(KEYS), random.nextInt(20), moment(), admission(id()), due());
    }
    if (draw < 14) {
      return new Command.Renew(lease, Duration.ofMillis(random.nextInt(5_000)));
    }
    return draw < 16
        ? new Command.Release(lease, reason())
        : new Command.Acknowledge(lease, acknowledgement());
  }

  private Lease recent() {
    int last = leases.size() - 1;
    return leases.get(last - Math.min(last, random.nextInt(6)));
  }

  private Lease wrong(Lease lease) {
    return switch (random.nextInt(3)) {
      case 0 -> new Lease(lease.execution(), lease.incarnation() + 1, lease.token(), lease.id());
      case 1 -> new Lease(lease.execution(), lease.incarnation(), lease.token() + 1, lease.id());
      default -> new Lease(lease.execution(), lease.incarnation(), lease.token(), lease.id() ^ 1);
    };
  }

  private Command record(Lease lease) {
    StepEntry entry =
        switch (random.nextInt(5)) {
          case 0 -> new StepEntry.Error(payload());
          case 1 -> new StepEntry.Retry(maybe(this::payload), due());
          case 2 -> new StepEntry.Wait(due());
          default -> new StepEntry.Value(payload());
        };
    StepKind kind = pick(List.of(StepKind.values()));
    return new Command.RecordStep(
        lease,
        pick(KEYS),
        1 + random.nextInt(3),
        random.nextInt(20),
        kind,
        pick(List.of("", "java.lang.String", "a\u0000")),
        entry,
        moment(),
        random.nextInt(3) == 0);
  }

  private Command.ReleaseReason reason() {
    return switch (random.nextInt(4)) {
      case 0 -> new Command.ReleaseReason.HandedOver();
      case 1 -> new Command.ReleaseReason.Backend();
      case 2 -> new Command.ReleaseReason.Failed();
      default ->
          new Command.ReleaseReason.Blocked(
              new Attention("NON_DETERMINISM", pick(TEXTS), maybe(() -> pick(List.of("1", "2")))));
    };
  }

  private Command.Acknowledgement acknowledgement() {
    return switch (random.nextInt(7)) {
      case 0 -> new Command.Acknowledgement.Completed(payload());
      case 1 -> new Command.Acknowledgement.Failed(payload());
      case 2 -> new Command.Acknowledgement.ContinuedAsNew(maybe(this::payload));
      default ->
          new Command.Acknowledgement.Suspended(
              maybe(this::due),
              random.nextInt(2),
              maybe(() -> pick(TEXTS)),
              IntStream.range(0, random.nextInt(4)).mapToObj(i -> id()).toList());
    };
  }

  ClaimRequest claim() {
    var workflows = new HashSet<String>();
    IntStream.range(0, random.nextInt(5)).forEach(i -> workflows.add(pick(WORKFLOWS)));
    var delivering = new HashSet<Long>();
    IntStream.range(0, random.nextInt(3))
        .forEach(i -> delivering.add(1 + random.nextLong(lastExecution + 1)));
    return new ClaimRequest(
        workflows,
        1 + random.nextInt(5),
        newLeaseId(),
        Duration.ofMillis(random.nextInt(4_000)),
        delivering,
        random.nextInt(4) > 0,
        random.nextBoolean());
  }

  private String id() {
    int number = newest - Math.min(newest, random.nextInt(IDS));
    newest += random.nextInt(20) == 0 ? 1 : 0;
    String id = "x".repeat(number % 4) + number;
    ids.add(id);
    return id;
  }

  private long newExecution() {
    return ++lastExecution;
  }

  private long newLeaseId() {
    long id = random.nextLong() | 1;
    leaseIds.add(id);
    return id;
  }

  private Due due() {
    return switch (random.nextInt(8)) {
      case 0 -> new Due.At(Instant.MAX);
      case 1 -> new Due.At(Instant.MIN);
      case 2 -> new Due.At(Instant.EPOCH.plusNanos(random.nextInt(3_000_000)));
      case 3 -> Due.NOW;
      case 4 -> new Due.After(Duration.ofSeconds(Long.MAX_VALUE));
      default -> new Due.After(Duration.ofNanos(random.nextLong(3_000_000_000L)));
    };
  }

  private Instant moment() {
    return Instant.ofEpochMilli(random.nextInt(8) == 0 ? Long.MAX_VALUE : random.nextLong());
  }

  private Payload payload() {
    int length = random.nextInt(40) == 0 ? 10_000 : random.nextInt(3);
    return Payload.of(
        (byte) random.nextInt(3), "x".repeat(length).getBytes(StandardCharsets.UTF_8));
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextInt(3) == 0 ? null : value.get();
  }
}
