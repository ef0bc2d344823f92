package dev.yieldstar.testkit;

import dev.yieldstar.spi.Backend;
import java.time.InstantSource;
import java.util.function.Function;

/// A rule broken on purpose, with the group of the contract that must see it.
enum Fault {
  ONE_BY_ONE(BackendContract.Chains.class, WrongBatches.OneByOne::new),
  WAKES_FIRST(BackendContract.Chains.class, WrongBatches.WakesFirst::new),
  DROPS_WAKES(BackendContract.Wakes.class, WrongBatches.DropsWakes::new),
  SUSPENDS_WITHOUT_COMPARING(
      BackendContract.Wakes.class, WrongBatches.SuspendsWithoutComparing::new),
  REFRESHES_WAKES_ON_RENEWAL(
      BackendContract.LeaseRules.class, WrongBatches.RefreshesWakesOnRenewal::new),
  CANCELS_THE_ENDED(BackendContract.Cancellation.class, WrongBatches.CancelsTheEnded::new),
  REPLACES_THE_END(BackendContract.Acknowledgements.class, WrongBatches.ReplacesTheEnd::new),
  IGNORES_CANCELLATIONS(BackendContract.Cancellation.class, WrongBatches.IgnoresCancellations::new),
  CREATES_TWICE(BackendContract.Admissions.class, WrongBatches.CreatesTwice::new),
  IGNORES_CONFLICTS(BackendContract.Admissions.class, WrongBatches.IgnoresConflicts::new),
  LOSES_THE_PARENT(BackendContract.ChildStarts.class, WrongBatches.LosesTheParent::new),
  FORGETS_THE_START(BackendContract.ChildStarts.class, WrongBatches.ForgetsTheStart::new),
  UNPAUSES_BY_THE_WAY(BackendContract.Pausing.class, WrongBatches.UnpausesByTheWay::new),
  FORKS_NOTHING(BackendContract.Forking.class, WrongBatches.ForksNothing::new),
  NO_FENCE(BackendContract.LeaseRules.class, WrongLeases.NoFence::new),
  ONLY_TOKENS(BackendContract.LeaseRules.class, WrongLeases.OnlyTokens::new),
  ANY_INCARNATION(BackendContract.LeaseRules.class, WrongLeases.AnyIncarnation::new),
  TIME_ENDS_LEASES(BackendContract.LeaseRules.class, WrongLeases.TimeEndsLeases::new),
  RENEWAL_REVIVES(BackendContract.LeaseRules.class, WrongLeases.RenewalRevives::new),
  FORGETS_ACKNOWLEDGEMENTS(
      BackendContract.Acknowledgements.class, WrongLeases.ForgetsAcknowledgements::new),
  FORGETS_WHO_ENDED_IT(BackendContract.Acknowledgements.class, WrongLeases.ForgetsWhoEndedIt::new),
  SAME_TOKEN(BackendContract.Claims.class, WrongLeases.SameToken::new),
  CLAIMS_THE_PAUSED(BackendContract.Pausing.class, WrongLeases.ClaimsThePaused::new),
  CLAIMS_WHAT_IS_NOT_REGISTERED(
      BackendContract.Claims.class, WrongLeases.ClaimsWhatIsNotRegistered::new),
  CLAIMS_WHAT_IS_DELIVERED(BackendContract.Claims.class, WrongLeases.ClaimsWhatIsDelivered::new),
  ALWAYS_TAKES_OVER(BackendContract.Claims.class, WrongLeases.AlwaysTakesOver::new),
  KNOWS_NO_SUSPECTS(BackendContract.Claims.class, WrongLeases.KnowsNoSuspects::new),
  LATEST_FIRST(BackendContract.Claims.class, WrongLeases.LatestFirst::new),
  CLAIMS_IN_TWO_STEPS(BackendContract.Concurrency.class, WrongLeases.ClaimsInTwoSteps::new),
  DROPS_WAITERS(BackendContract.Awaiting.class, WrongLeases.DropsWaiters::new),
  KEEPS_WAITERS(BackendContract.Awaiting.class, WrongLeases.KeepsWaiters::new),
  WAKES_ONE_WAITER(BackendContract.Awaiting.class, WrongLeases.WakesOneWaiter::new),
  LOOKS_AT_NOTHING(BackendContract.Awaiting.class, WrongLeases.LooksAtNothing::new),
  LAST_RECORD_WINS(BackendContract.Records.class, WrongValues.LastRecordWins::new),
  ONE_JOURNAL(BackendContract.Continuations.class, WrongValues.OneJournal::new),
  ONE_ATTEMPT(BackendContract.Records.class, WrongValues.OneAttempt::new),
  FOLDS_CASE(BackendContract.Values.class, WrongValues.FoldsCase::new),
  TRIMS_IDS(BackendContract.Values.class, WrongValues.TrimsIds::new),
  TEXT_PAYLOADS(BackendContract.Values.class, WrongValues.TextPayloads::new),
  SORTS_ATTRIBUTES(BackendContract.Values.class, WrongValues.SortsAttributes::new),
  WHOLE_SECONDS(BackendContract.Values.class, WrongValues.WholeSeconds::new),
  FOUR_DIGIT_YEARS(BackendContract.Values.class, WrongValues.FourDigitYears::new),
  PAGES_BY_OFFSET(BackendContract.Journals.class, WrongValues.PagesByOffset::new),
  COLLATED_ROWS(BackendContract.Journals.class, WrongValues.CollatedRows::new),
  NEVER_MORE(BackendContract.Journals.class, WrongValues.NeverMore::new),
  COUNTS_HAND_OVERS(BackendContract.Redeliveries.class, WrongValues.CountsHandOvers::new),
  IGNORES_VERSIONS(BackendContract.Redeliveries.class, WrongValues.IgnoresVersions::new),
  STANDING_FOR_ANYBODY(BackendContract.Reads.class, WrongValues.StandingForAnybody::new),
  NEVER_CLOSES(BackendContract.Reads.class, WrongValues.NeverCloses::new);

  private final Class<?> group;

  @SuppressWarnings("ImmutableEnumChecker") // each is a constructor
  private final Function<InstantSource, Backend> opening;

  Fault(Class<?> group, Function<InstantSource, Backend> opening) {
    this.group = group;
    this.opening = opening;
  }

  Class<?> group() {
    return group;
  }

  Backend open(InstantSource clock) {
    return opening.apply(clock);
  }
}
