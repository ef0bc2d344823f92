package dev.yieldstar.testkit;

import dev.yieldstar.codec.Payload;
import dev.yieldstar.execution.Admission;
import dev.yieldstar.execution.Attention;
import dev.yieldstar.execution.Command;
import dev.yieldstar.execution.Command.Acknowledgement;
import dev.yieldstar.execution.Command.ReleaseReason;
import dev.yieldstar.execution.Due;
import dev.yieldstar.execution.Lease;
import dev.yieldstar.execution.StepEntry;
import dev.yieldstar.execution.StepKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Draws commands for a few executions: from few ids, keys and values, so that they meet each
/// other, and now and then one that was drawn before.
final class RandomCommands {
  static final List<String> IDS = List.of("a", "b", "c", "d");
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final Random random;
  private final List<Command> sent = new ArrayList<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<Long> taken = new ArrayList<>();
  private String lastDrawn = IDS.getFirst();
  private long lastId;

  RandomCommands(Random random) {
    this.random = random;
    // A lease on an execution that there never was.
    leases.add(new Lease(newId(), 1, 1, newId()));
  }

  long newId() {
    return ++lastId;
  }

  /// A lease that commands may be sent under from now on, also when it is over.
  void know(Lease lease) {
    leases.add(lease);
  }

  Command next() {
    Command command =
        switch (random.nextInt(8)) {
          case 0 -> sent.isEmpty() ? fresh() : any(sent);
          case 1 -> sent.isEmpty() ? fresh() : any(last(sent));
          default -> fresh();
        };
    sent.add(command);
    return command;
  }

  private Command fresh() {
    return switch (random.nextInt(20)) {
      case 0, 1 -> new Command.Admit(admission(), due(), null);
      case 2 -> new Command.Admit(admission(), due(), new Command.Grant(newId(), LEASE));
      case 3 -> new Command.StartChild(lease(), key(), 1, Instant.EPOCH, admission(), due());
      case 4, 5 -> record(StepKind.RUN);
      case 6 -> record(StepKind.COMPENSATION);
      case 7, 8, 9 -> new Command.Acknowledge(lease(), acknowledgement());
      case 10 -> new Command.Renew(lease(), LEASE);
      case 11 -> new Command.Release(lease(), reason());
      case 12, 13 ->
          new Command.Fork(id(), internalId(), id(), random.nextInt(3) == 0 ? key() : null);
      case 14 -> new Command.Retry(id(), internalId(), id());
      default -> operation();
    };
  }

  private Command record(StepKind kind) {
    boolean shielded = random.nextInt(3) == 0;
    var entry = new StepEntry.Value(payload(random.nextInt(2)));
    return new Command.RecordStep(
        lease(), key(), 1, random.nextInt(3), kind, "", entry, Instant.EPOCH, shielded);
  }

  private Command operation() {
    return switch (random.nextInt(6)) {
      case 0 -> new Command.Cancel(id(), "why");
      case 1 -> new Command.Pause(id());
      case 2 -> new Command.Resume(id());
      case 3 -> new Command.Registered("w", "v" + random.nextInt(2));
      default -> new Command.Wake(id());
    };
  }

  private Acknowledgement acknowledgement() {
    return switch (random.nextInt(8)) {
      case 0 -> new Acknowledgement.Completed(payload(random.nextInt(2)));
      case 1 -> new Acknowledgement.Failed(payload(random.nextInt(2)));
      case 2 -> new Acknowledgement.ContinuedAsNew(null);
      default ->
          new Acknowledgement.Suspended(
              random.nextBoolean() ? due() : null, random.nextInt(3), null, List.of(id(), id()));
    };
  }

  private ReleaseReason reason() {
    return switch (random.nextInt(4)) {
      case 0 -> new ReleaseReason.HandedOver();
      case 1 -> new ReleaseReason.Backend();
      case 2 -> new ReleaseReason.Failed();
      default -> new ReleaseReason.Blocked(new Attention("CODE", "text", "v" + random.nextInt(2)));
    };
  }

  private Admission admission() {
    String params = random.nextInt(4) == 0 ? "other" : "params";
    return Admission.request(internalId(), id(), "w", "v0", null, params, payload(0), Map.of());
  }

  /// Mostly a new one.
  private long internalId() {
    if (random.nextInt(6) == 0 && !taken.isEmpty()) {
      return any(taken);
    }
    taken.add(newId());
    return taken.getLast();
  }

  /// Mostly one of the last; now and then one that nobody ever got.
  private Lease lease() {
    return switch (random.nextInt(8)) {
      case 0 -> any(leases);
      case 1 -> taken.isEmpty() ? any(leases) : new Lease(any(last(taken)), 1, 1, newId());
      default -> any(last(leases));
    };
  }

  private static <T> List<T> last(List<T> list) {
    return list.subList(Math.max(0, list.size() - 4), list.size());
  }

  private Due due() {
    return random.nextInt(3) == 0 ? new Due.After(Duration.ofMinutes(5)) : Due.NOW;
  }

  /// As often the one that was drawn last as another.
  private String id() {
    if (random.nextBoolean()) {
      lastDrawn = any(IDS);
    }
    return lastDrawn;
  }

  private String key() {
    return "s" + random.nextInt(3);
  }

  private static Payload payload(int value) {
    return Payload.of((byte) 1, Integer.toString(value).getBytes(StandardCharsets.UTF_8));
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
