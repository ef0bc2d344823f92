package dev.yieldstar.execution;

import dev.yieldstar.Status;
import org.jspecify.annotations.Nullable;

/// One row of the state machine's table: what can happen to an execution in some status, how that
/// is answered, and the status that it leaves. [Transitions] has all of them.
///
/// @param from null where there is no execution yet
/// @param when what distinguishes it from another row of the same event, for people; else empty
/// @param to null where there is none afterwards either
public record Transition(
    @Nullable Status from, Event event, Answer answer, String when, @Nullable Status to) {

  /// What happens to one execution.
  public enum Event {
    ADMIT("admit"),
    ADMIT_LEASED("admit, born leased"),
    STARTED("started by a step"),
    FORKED("made by a fork or a retry"),
    CLAIM("claim"),
    RENEW("renew"),
    RECORD("record a step"),
    START("start another"),
    COMPLETE("acknowledge completed"),
    FAIL("acknowledge failed"),
    SUSPEND("acknowledge suspended"),
    CONTINUE_AS_NEW("acknowledge continued-as-new"),
    HAND_OVER("release: handed over"),
    RELEASE_BACKEND("release: backend"),
    RELEASE_FAILED("release: failed"),
    BLOCK("release: blocked"),
    WAKE("wake"),
    AWAITED_END("what it awaits ends"),
    CANCEL("cancel"),
    PAUSE("pause"),
    RESUME("resume"),
    REGISTERED("another version registered"),
    FORK("fork from it"),
    RETRY("retry it");

    private final String words;

    Event(String words) {
      this.words = words;
    }

    /// For people.
    public String words() {
      return words;
    }

    /// What a command is to the execution that it names.
    public static Event of(Command command) {
      return switch (command) {
        case Command.Admit admit -> admit.grant() == null ? ADMIT : ADMIT_LEASED;
        case Command.StartChild ignored -> START;
        case Command.RecordStep ignored -> RECORD;
        case Command.Acknowledge acknowledge -> of(acknowledge.acknowledgement());
        case Command.Renew ignored -> RENEW;
        case Command.Release release -> of(release.reason());
        case Command.Wake ignored -> WAKE;
        case Command.Cancel ignored -> CANCEL;
        case Command.Pause ignored -> PAUSE;
        case Command.Resume ignored -> RESUME;
        case Command.Registered ignored -> REGISTERED;
        case Command.Fork ignored -> FORK;
        case Command.Retry ignored -> RETRY;
      };
    }

    private static Event of(Command.Acknowledgement acknowledgement) {
      return switch (acknowledgement) {
        case Command.Acknowledgement.Completed ignored -> COMPLETE;
        case Command.Acknowledgement.Failed ignored -> FAIL;
        case Command.Acknowledgement.Suspended ignored -> SUSPEND;
        case Command.Acknowledgement.ContinuedAsNew ignored -> CONTINUE_AS_NEW;
      };
    }

    private static Event of(Command.ReleaseReason reason) {
      return switch (reason) {
        case Command.ReleaseReason.HandedOver ignored -> HAND_OVER;
        case Command.ReleaseReason.Backend ignored -> RELEASE_BACKEND;
        case Command.ReleaseReason.Failed ignored -> RELEASE_FAILED;
        case Command.ReleaseReason.Blocked ignored -> BLOCK;
      };
    }
  }

  /// How it is answered.
  public enum Answer {
    /// As asked.
    DONE,
    /// As the first time: the same command was applied before.
    REPEATED,
    /// An equal one of somebody else was applied before.
    EXISTING,
    /// A record has another value: this breaks the chain.
    OTHER_VALUE,
    /// The cancellation is accepted, or was before; it takes effect when the delivery ends.
    ACCEPTED,
    /// Refused for a cancellation that was accepted before.
    CANCELLED_BEFORE,
    /// The lease is not current.
    LOST,
    /// It has ended.
    FINISHED,
    /// There is no such execution.
    NOT_FOUND,
    /// Refused for what it asks.
    REFUSED
  }

  /// Whether it belongs in a picture: it leads to another status, or to another holder.
  public boolean isMove() {
    return from != to || event == Event.CLAIM;
  }
}
