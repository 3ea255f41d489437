use std::collections::BTreeSet;

use uuid::Uuid;

use super::*;
use crate::{
    ids::{JobId, OfferId, VehicleId},
    job::state::{Cancellation, LiveOffer, Proposal, Search, Stage},
    simulation::world::{CENTRE, morning, spec},
    status::OfferStatus,
};

const M: MechanicId = MechanicId(Uuid::from_u128(11));
const OTHER: MechanicId = MechanicId(Uuid::from_u128(12));

fn at(seconds: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(seconds)
}

fn pending() -> Job {
    let mut spec = spec(VehicleId(Uuid::from_u128(5)), CENTRE, at(0));
    spec.begin_at = at(3_600);
    Job::new(JobId(Uuid::from_u128(1)), spec, BTreeSet::new())
}

fn offered_to(mechanic_id: MechanicId) -> Job {
    let offer = LiveOffer {
        id: OfferId(mechanic_id.0),
        mechanic_id,
        round: 1,
        distance_m: 900,
        eta_s: 300,
        eta_base_s: 300,
        eta_source: crate::eta::EtaSource::StraightLine,
        cost_s: 300,
        created_at: at(0),
        expires_at: at(1_000),
    };
    let search = Search { round: 1, offered_in_round: 1, ends_at: at(2_000), offers: vec![offer] };
    Job { stage: Stage::Dispatching(search), attempt: 1, version: 3, seq: 2, ..pending() }
}

fn cancelled() -> Job {
    let cancellation = Cancellation {
        assignment: None,
        fee_paise: 0,
        reason_code: "no_longer_needed".to_owned(),
        reason: None,
        at: at(0),
    };
    Job { stage: Stage::Cancelled(cancellation), ..pending() }
}

fn refused(refusal: Refusal) -> Execution {
    Execution { job: Some(offered_to(M)), result: Err(refusal), is_reloaded: false, discarded: None }
}

fn unknown() -> Refusal {
    Refusal::OutcomeUnknown("a test".to_owned())
}

fn unavailable() -> Refusal {
    Refusal::Unavailable("a test".to_owned())
}

fn schedule(effects: &[Effect]) -> Schedule {
    let mut scheduled = effects.iter().filter_map(|effect| match effect {
        Effect::Schedule(schedule) => Some(*schedule),
        _ => None,
    });
    scheduled.next_back().expect("something is scheduled")
}

fn wake_up_at(effects: &[Effect]) -> DateTime<Utc> {
    match schedule(effects) {
        Schedule::WakeAt { at, .. } => at,
        other => panic!("{other:?}"),
    }
}

fn demands_offers(effects: &[Effect]) -> bool {
    let demand = effects.iter().find_map(|effect| match effect {
        Effect::UpdateDemand(demand) => Some(demand.is_some()),
        _ => None,
    });
    demand.expect("the dispatcher is informed")
}

fn notified(effects: &[Effect]) -> Vec<(MechanicId, MechanicMessage)> {
    let notified = effects.iter().filter_map(|effect| match effect {
        Effect::Notify(id, message) => Some((*id, message.clone())),
        _ => None,
    });
    notified.collect()
}

#[test]
fn a_job_that_nobody_asks_for_is_loaded_after_a_second() {
    let mut cache = JobCache::unloaded(at(0));
    assert_eq!(cache.start(at(0)), [Effect::Schedule(Schedule::WakeAt { at: at(1), version: 0 })]);
    assert_eq!(cache.wake_up(0, at(1)), WakeUp::Due);
}

#[test]
fn a_loaded_job_announces_itself_and_wakes_when_something_is_due() {
    let job = pending();
    let mut cache = JobCache::loaded(job.clone(), at(0));
    let effects = cache.start(at(0));
    assert_eq!(wake_up_at(&effects), at(8), "the previous process may have left a commit under way");
    assert!(cache.is_in_question());
    let mut cache = JobCache::loaded(offered_to(M), at(0));
    let effects = cache.start(at(0));
    assert!(matches!(notified(&effects)[..], [(M, MechanicMessage::Offered(_))]), "{effects:?}");
}

#[test]
fn a_state_that_was_committed_elsewhere_replaces_only_an_older_copy() {
    let known = pending();
    let newer = Job { version: known.version + 1, seq: known.seq + 1, ..known.clone() };
    let mut cache = JobCache::loaded(known.clone(), at(0));
    assert_eq!(cache.committed_elsewhere(&known, at(1)), [], "it is known");
    let effects = cache.committed_elsewhere(&newer, at(1));
    assert!(effects.contains(&Effect::ReportChange(newer.seq)), "{effects:?}");
    assert_eq!(cache.job(), Some(&newer));
    assert_eq!(cache.committed_elsewhere(&known, at(2)), [], "it came late");
    assert_eq!(cache.job(), Some(&newer));
    let mut cache = JobCache::unloaded(at(0));
    cache.committed_elsewhere(&known, at(1));
    assert_eq!(cache.job(), Some(&known));
}

#[test]
fn rechecks_come_at_growing_intervals_and_end() {
    let mut cache = JobCache::loaded(pending(), at(0));
    let (_, effects) = cache.executed(&Command::Tick, Execution::unloaded(unknown()), at(100));
    assert_eq!(wake_up_at(&effects), at(101));
    let mut rechecks = Vec::new();
    let mut now = at(101);
    while cache.is_in_question() {
        rechecks.push((now - at(100)).num_seconds());
        assert_eq!(cache.wake_up(0, now), WakeUp::Due);
        assert_eq!(cache.job(), None, "the journal is read again");
        let job = pending();
        let effects = cache.looked_up(Ok(&job), now);
        let next = wake_up_at(&effects);
        assert_eq!(cache.wake_up(job.version, now), WakeUp::Due, "nothing to recheck yet");
        assert!(cache.job().is_some());
        now = next;
        cache.job = None;
    }
    assert_eq!(rechecks, [1, 2, 4, 8, 16, 32]);
}

#[test]
fn after_a_failure_nothing_is_tried_or_wanted_for_a_second() {
    let mut cache = JobCache::loaded(offered_to(M), at(0));
    cache.recheck = None;
    let (result, effects) =
        cache.executed(&Command::Retry { most_open_jobs: None }, refused(unavailable()), at(10));
    assert_eq!(result, Err(unavailable()));
    assert!(!demands_offers(&effects));
    assert_eq!(schedule(&effects), Schedule::WakeAt { at: at(11), version: 3 });
    let effects = cache.announce(at(11));
    assert_ne!(wake_up_at(&effects), at(11), "the pause is over");
    let (result, _) =
        cache.executed(&Command::Retry { most_open_jobs: None }, refused(unavailable()), at(20));
    assert_eq!(result, Err(unavailable()));
    let success = Execution::known(pending(), Ok(Some(Event::WentEnRoute)), false);
    let (_, effects) = cache.executed(&Command::Retry { most_open_jobs: None }, success, at(20));
    assert_eq!(wake_up_at(&effects), at(3_600), "a success ends the pause");
}

#[test]
fn only_a_command_that_would_fail_again_at_once_needs_a_pause() {
    let offer = Command::Offer { attempt: 1, round: 1, proposals: Vec::new() };
    let cases = [
        (Command::Retry { most_open_jobs: None }, unavailable(), true),
        (Command::Retry { most_open_jobs: None }, unknown(), true),
        (offer, Refusal::MechanicBusy, true),
        (Command::Retry { most_open_jobs: None }, Refusal::MechanicBusy, false),
        (Command::Tick, Refusal::NothingDue, false),
        (Command::Tick, Refusal::NotFound, false),
        (Command::Tick, Refusal::OfferExpired, true),
        (Command::Retry { most_open_jobs: None }, Refusal::OfferExpired, false),
    ];
    for (command, refusal, expected) in cases {
        assert_eq!(needs_pause(&command, &refusal), expected, "{command:?} {refusal:?}");
    }
}

#[test]
fn an_out_of_date_wake_up_only_sets_the_next_one() {
    let mut cache = JobCache::loaded(offered_to(M), at(0));
    let WakeUp::OutOfDate(effects) = cache.wake_up(2, at(9)) else { panic!("version 3 is current") };
    assert_eq!(effects, [Effect::Schedule(Schedule::WakeAt { at: at(8), version: 3 })]);
    assert!(cache.job().is_some(), "and discards nothing");
}

#[test]
fn a_settled_job_ends_after_a_grace_period() {
    let mut cache = JobCache::loaded(cancelled(), at(0));
    let effects = cache.start(at(0));
    assert_eq!(schedule(&effects), Schedule::EndAfterGracePeriod);
    assert!(!demands_offers(&effects));
}

#[test]
fn an_actor_without_a_row_stops() {
    let mut cache = JobCache::unloaded(at(0));
    let effects = cache.looked_up(Err(&Refusal::NotFound), at(0));
    assert_eq!(effects.last(), Some(&Effect::Stop));
    let (_, effects) = cache.executed(
        &Command::Retry { most_open_jobs: None },
        Execution::unloaded(Refusal::NotFound),
        at(0),
    );
    assert_eq!(effects.last(), Some(&Effect::Stop));
}

#[test]
fn a_creation_with_an_unknown_outcome_is_waited_for() {
    let mut cache = JobCache::unloaded(at(0));
    let (result, effects) = cache.created(Execution::unloaded(unknown()), at(0));
    assert_eq!(result, Err(unknown()));
    assert!(!effects.contains(&Effect::Stop), "{effects:?}");
    let missing = || Execution::unloaded(Refusal::NotFound);
    let (_, effects) = cache.executed(&Command::Tick, missing(), at(29));
    assert!(!effects.contains(&Effect::Stop), "it may still appear");
    let (_, effects) = cache.executed(&Command::Tick, missing(), at(30));
    assert!(effects.contains(&Effect::Stop));
}

#[test]
fn a_refused_creation_ends_the_actor_and_a_successful_one_is_certain() {
    let mut cache = JobCache::unloaded(at(0));
    let (_, effects) = cache.created(Execution::unloaded(Refusal::VehicleBusy), at(0));
    assert_eq!(effects.last(), Some(&Effect::Stop));
    let mut cache = JobCache::unloaded(at(0));
    let event = Event::Created { details: Box::default() };
    let (result, effects) = cache.created(Execution::known(pending(), Ok(Some(event)), false), at(0));
    assert!(result.is_ok() && !cache.is_in_question());
    assert!(effects.contains(&Effect::ReportChange(1)));
    assert_eq!(wake_up_at(&effects), at(3_600));
}

#[test]
fn mechanics_of_discarded_copies_reload_once_the_job_is_loaded() {
    let mut cache = JobCache::loaded(offered_to(M), at(0));
    let discarded = Some(offered_to(OTHER));
    let lost = Execution { discarded, ..Execution::unloaded(unknown()) };
    let (_, effects) = cache.executed(&Command::Tick, lost, at(1));
    assert!(notified(&effects).is_empty(), "nothing is known yet");
    let effects = cache.looked_up(Ok(&pending()), at(2));
    assert_eq!(notified(&effects), [(M, MechanicMessage::Reload), (OTHER, MechanicMessage::Reload)]);
    assert!(effects.contains(&Effect::ReportChange(1)), "watchers look too");
    cache.discard();
    let effects = cache.looked_up(Ok(&pending()), at(3));
    assert!(notified(&effects).is_empty(), "once");
}

#[test]
fn refused_proposals_are_released() {
    let proposal = Proposal {
        offer_id: OfferId(Uuid::from_u128(9)),
        mechanic_id: OTHER,
        distance_m: 900,
        eta_s: 300,
        eta_base_s: 300,
        eta_source: crate::eta::EtaSource::StraightLine,
        cost_s: 300,
        is_parked: false,
    };
    let released =
        MechanicMessage::OfferEnded { offer_id: OfferId(Uuid::from_u128(9)), status: OfferStatus::Revoked };
    let offer = Command::Offer { attempt: 1, round: 1, proposals: vec![proposal] };
    let mut cache = JobCache::loaded(offered_to(M), at(0));
    let (_, effects) = cache.executed(&offer, refused(Refusal::StaleProposal), at(0));
    assert_eq!(notified(&effects), [(OTHER, released.clone())]);
    let (_, effects) = cache.executed(&offer, refused(Refusal::MechanicBusy), at(0));
    assert_eq!(notified(&effects), [(OTHER, released), (OTHER, MechanicMessage::Reload)]);
}

#[test]
fn an_answer_without_a_job_is_an_unknown_outcome() {
    let mut cache = JobCache::loaded(pending(), at(0));
    let lost = Execution { job: None, result: Ok(None), is_reloaded: false, discarded: None };
    let (result, _) = cache.executed(&Command::Retry { most_open_jobs: None }, lost, at(0));
    assert!(matches!(result, Err(Refusal::OutcomeUnknown(_))), "{result:?}");
}
