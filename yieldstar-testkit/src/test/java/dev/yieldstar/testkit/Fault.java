package dev.yieldstar.testkit;

import dev.yieldstar.spi.Backend;
import java.time.InstantSource;
import java.util.function.Function;

/// A rule broken on purpose, with the group of the contract that must see it.
enum Fault {
  ONE_BY_ONE("Chains", WrongBatches.OneByOne::new),
  WAKES_FIRST("Chains", WrongBatches.WakesFirst::new),
  DROPS_WAKES("Wakes", WrongBatches.DropsWakes::new),
  SUSPENDS_WITHOUT_COMPARING("Wakes", WrongBatches.SuspendsWithoutComparing::new),
  REFRESHES_WAKES_ON_RENEWAL("LeaseRules", WrongBatches.RefreshesWakesOnRenewal::new),
  CANCELS_THE_ENDED("Cancellation", WrongBatches.CancelsTheEnded::new),
  REPLACES_THE_END("Acknowledgements", WrongBatches.ReplacesTheEnd::new),
  IGNORES_CANCELLATIONS("Cancellation", WrongBatches.IgnoresCancellations::new),
  CREATES_TWICE("Admissions", WrongBatches.CreatesTwice::new),
  IGNORES_CONFLICTS("Admissions", WrongBatches.IgnoresConflicts::new),
  LOSES_THE_PARENT("ChildStarts", WrongBatches.LosesTheParent::new),
  FORGETS_THE_START("ChildStarts", WrongBatches.ForgetsTheStart::new),
  UNPAUSES_BY_THE_WAY("Pausing", WrongBatches.UnpausesByTheWay::new),
  FORKS_NOTHING("Forking", WrongBatches.ForksNothing::new),
  NO_FENCE("LeaseRules", WrongLeases.NoFence::new),
  ONLY_TOKENS("LeaseRules", WrongLeases.OnlyTokens::new),
  ANY_INCARNATION("LeaseRules", WrongLeases.AnyIncarnation::new),
  TIME_ENDS_LEASES("LeaseRules", WrongLeases.TimeEndsLeases::new),
  RENEWAL_REVIVES("LeaseRules", WrongLeases.RenewalRevives::new),
  FORGETS_ACKNOWLEDGEMENTS("Acknowledgements", WrongLeases.ForgetsAcknowledgements::new),
  FORGETS_WHO_ENDED_IT("Acknowledgements", WrongLeases.ForgetsWhoEndedIt::new),
  SAME_TOKEN("Claims", WrongLeases.SameToken::new),
  CLAIMS_THE_PAUSED("Pausing", WrongLeases.ClaimsThePaused::new),
  CLAIMS_WHAT_IS_NOT_REGISTERED("Claims", WrongLeases.ClaimsWhatIsNotRegistered::new),
  CLAIMS_WHAT_IS_DELIVERED("Claims", WrongLeases.ClaimsWhatIsDelivered::new),
  ALWAYS_TAKES_OVER("Claims", WrongLeases.AlwaysTakesOver::new),
  KNOWS_NO_SUSPECTS("Claims", WrongLeases.KnowsNoSuspects::new),
  LATEST_FIRST("Claims", WrongLeases.LatestFirst::new),
  CLAIMS_IN_TWO_STEPS("Concurrency", WrongLeases.ClaimsInTwoSteps::new),
  DROPS_WAITERS("Awaiting", WrongLeases.DropsWaiters::new),
  KEEPS_WAITERS("Awaiting", WrongLeases.KeepsWaiters::new),
  WAKES_ONE_WAITER("Awaiting", WrongLeases.WakesOneWaiter::new),
  LOOKS_AT_NOTHING("Awaiting", WrongLeases.LooksAtNothing::new),
  LAST_RECORD_WINS("Records", WrongValues.LastRecordWins::new),
  ONE_JOURNAL("Continuations", WrongValues.OneJournal::new),
  ONE_ATTEMPT("Records", WrongValues.OneAttempt::new),
  FOLDS_CASE("Values", WrongValues.FoldsCase::new),
  TRIMS_IDS("Values", WrongValues.TrimsIds::new),
  TEXT_PAYLOADS("Values", WrongValues.TextPayloads::new),
  SORTS_ATTRIBUTES("Values", WrongValues.SortsAttributes::new),
  WHOLE_SECONDS("Values", WrongValues.WholeSeconds::new),
  FOUR_DIGIT_YEARS("Values", WrongValues.FourDigitYears::new),
  PAGES_BY_OFFSET("Journals", WrongValues.PagesByOffset::new),
  COLLATED_ROWS("Journals", WrongValues.CollatedRows::new),
  NEVER_MORE("Journals", WrongValues.NeverMore::new),
  COUNTS_HAND_OVERS("Redeliveries", WrongValues.CountsHandOvers::new),
  IGNORES_VERSIONS("Redeliveries", WrongValues.IgnoresVersions::new),
  STANDING_FOR_ANYBODY("Reads", WrongValues.StandingForAnybody::new),
  NEVER_CLOSES("Reads", WrongValues.NeverCloses::new);

  private final String group;

  @SuppressWarnings("ImmutableEnumChecker") // each is a constructor
  private final Function<InstantSource, Backend> opening;

  Fault(String group, Function<InstantSource, Backend> opening) {
    this.group = group;
    this.opening = opening;
  }

  String group() {
    return group;
  }

  Backend open(InstantSource clock) {
    return opening.apply(clock);
  }
}
