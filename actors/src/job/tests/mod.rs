//! The rules of a job, without actors.

mod account;
mod cancelling;
mod corrections;
mod items;
mod sending;
mod towing;

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    decide::{refused_start, refused_start_again},
    fee::{self, AcceptedFee, FeeReason, FreeCancellationAllowance, MechanicProgress},
    state::*,
};
use crate::{
    concern::{Concern, Delay, Finding},
    ids::{JobId, MechanicId, OfferId, VehicleId},
    settings::Settings,
    simulation::world::{CENTRE, morning, settings, spec},
};

const M: MechanicId = MechanicId(Uuid::from_u128(11));
const OTHER: MechanicId = MechanicId(Uuid::from_u128(12));
const THIRD: MechanicId = MechanicId(Uuid::from_u128(13));
const CODE: &str = "0420";
const DARK: Delay = Delay { concern: Concern::Dark, since: DateTime::UNIX_EPOCH };

fn at(seconds: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(seconds)
}

fn rules(settings: &Settings) -> Rules<'_> {
    Rules { jobs: &settings.jobs, fees: &settings.fees }
}

fn decide(job: &Job, command: &Command, now: DateTime<Utc>) -> Result<Event, Refusal> {
    job.decide(command, rules(&settings()), now)
}

/// Decides the command and applies the event.
fn after(job: &Job, command: Command, now: DateTime<Utc>) -> Job {
    let event = decide(job, &command, now).unwrap_or_else(|refusal| panic!("{command:?}: {refusal:?}"));
    job.apply(&event, now)
}

fn pending() -> Job {
    let spec = spec(VehicleId(Uuid::from_u128(5)), CENTRE, at(0));
    Job::new(JobId(Uuid::from_u128(1)), spec, BTreeSet::new())
}

fn urgent(urgency: Urgency) -> Job {
    let mut job = pending();
    job.spec.urgency = urgency;
    job
}

fn proposal(mechanic_id: MechanicId) -> Proposal {
    let offer_id = OfferId(Uuid::from_u128(mechanic_id.0.as_u128() + 1_000));
    let eta_source = crate::eta::EtaSource::StraightLine;
    let (eta_s, eta_base_s, cost_s, is_parked) = (300, 300, 300, false);
    Proposal { offer_id, mechanic_id, distance_m: 900, eta_s, eta_base_s, eta_source, cost_s, is_parked }
}

fn offer_to(job: &Job, mechanics: &[MechanicId]) -> Command {
    let Stage::Dispatching(search) = &job.stage else { panic!("{:?}", job.stage) };
    let proposals = mechanics.iter().map(|id| proposal(*id)).collect();
    Command::Offer { attempt: job.attempt, round: search.round, proposals }
}

fn accept(mechanic_id: MechanicId, answered_at: DateTime<Utc>) -> Command {
    let offer_id = proposal(mechanic_id).offer_id;
    Command::Accept { offer_id, mechanic_id, answered_at, start_code: CODE.to_owned() }
}

fn decline(mechanic_id: MechanicId) -> Command {
    Command::Decline { offer_id: proposal(mechanic_id).offer_id, mechanic_id, reason: None }
}

fn cancel(by_admin: bool, progress: MechanicProgress) -> Command {
    let reason_code = "changed_mind".to_owned();
    Command::Cancel {
        by_admin,
        reason_code,
        reason: None,
        accepted_fee: AcceptedFee::Any,
        progress,
        free_cancellations: None,
    }
}

fn arrive(distance_m: Option<f64>, override_reason: Option<&str>) -> Command {
    let override_reason = override_reason.map(str::to_owned);
    Command::Arrive { mechanic_id: M, evidence: Evidence { distance_m }, override_reason }
}

fn start(code: Option<&str>) -> Command {
    Command::Start { mechanic_id: M, code: code.map(str::to_owned) }
}

fn complete() -> Command {
    ending(Outcome::Fixed, None, None)
}

fn ending(outcome: Outcome, photo: Option<&str>, received_by: Option<&str>) -> Command {
    let photo_urls = photo.map(str::to_owned).into_iter().collect();
    let received_by = received_by.map(str::to_owned);
    // Towed vehicles are at their destination, by a position; other work has no destination.
    let drop_off = DropOff { distance_m: Some(20.0), driven_m: Some(5_100.0), override_reason: None };
    Command::Complete { mechanic_id: M, outcome, notes: None, photo_urls, received_by, drop_off }
}

fn release(mechanic_id: MechanicId) -> Command {
    Command::Release { mechanic_id, reason_code: "breakdown".to_owned() }
}

fn no_show() -> Command {
    Command::NoShow { mechanic_id: M }
}

fn dispatching() -> Job {
    after(&pending(), Command::Tick, at(0))
}

fn offered() -> Job {
    let job = dispatching();
    after(&job, offer_to(&job, &[M]), at(1))
}

fn accepted() -> Job {
    after(&offered(), accept(M, at(5)), at(5))
}

fn en_route() -> Job {
    after(&accepted(), Command::EnRoute { mechanic_id: M }, at(60))
}

fn arrived() -> Job {
    arrived_at(300)
}

fn arrived_at(seconds: i64) -> Job {
    after(&en_route(), arrive(Some(40.0), None), at(seconds))
}

fn in_progress() -> Job {
    after(&arrived(), start(Some(CODE)), at(320))
}

fn completed() -> Job {
    after(&in_progress(), complete(), at(900))
}

fn no_mechanic_found() -> Job {
    after(&dispatching(), Command::Tick, at(180))
}

fn watch(attempt: u32, finding: Finding) -> Command {
    Command::Watch { mechanic_id: M, attempt, finding }
}

fn cancelled() -> Job {
    after(&accepted(), cancel(false, MechanicProgress::default()), at(30))
}

fn paid() -> Job {
    after(&completed(), Command::Pay, at(950))
}

fn disputed() -> Job {
    after(&paid(), Command::Dispute, at(960))
}

fn resolved() -> Job {
    after(&disputed(), Command::Resolve, at(970))
}

fn note_payment() -> Command {
    Command::NotePayment { payment_id: Uuid::from_u128(77) }
}

fn note_message() -> Command {
    Command::NoteMessage { message_id: Uuid::from_u128(78), mechanic_id: M }
}

/// Returns a short name for what was decided.
fn outcome(result: Result<Event, Refusal>) -> &'static str {
    match result {
        Ok(event) => event.kind(),
        Err(Refusal::InvalidTransition { .. }) => "invalid",
        Err(Refusal::NotYours) => "not_yours",
        Err(Refusal::OfferExpired) => "offer_expired",
        Err(Refusal::AlreadyDone) => "already_done",
        Err(Refusal::StaleProposal | Refusal::StaleFinding) => "stale",
        Err(Refusal::NothingDue) => "nothing_due",
        Err(other) => panic!("unexpected {other:?}"),
    }
}

#[test]
fn a_message_is_between_the_customer_and_the_current_mechanic() {
    let message_id = Uuid::from_u128(78);
    for (job, mechanic_id, expected) in [
        (accepted(), M, "message"),
        (accepted(), OTHER, "invalid"),
        (completed(), OTHER, "invalid"),
        (after(&accepted(), release(M), at(30)), M, "invalid"),
    ] {
        let command = Command::NoteMessage { message_id, mechanic_id };
        assert_eq!(outcome(decide(&job, &command, at(40))), expected, "{:?}", job.status());
    }
}

#[test]
fn every_command_in_every_status_is_allowed_or_refused_by_name() {
    let later = at(1_000);
    let commands = |job: &Job| {
        let offer = match &job.stage {
            Stage::Dispatching(_) => Command::Offer {
                attempt: job.attempt,
                round: 2,
                proposals: vec![proposal(OTHER), proposal(THIRD)],
            },
            _ => Command::Offer { attempt: 1, round: 1, proposals: vec![proposal(OTHER)] },
        };
        let revoke = Command::Revoke { offer_id: proposal(M).offer_id, mechanic_id: M };
        let (start_code, overridden) = (CODE.to_owned(), None);
        let assign = Command::Assign { mechanic_id: OTHER, eta_s: 60, start_code, overridden };
        [
            offer,
            accept(M, at(6)),
            decline(M),
            revoke,
            assign,
            Command::EnRoute { mechanic_id: M },
            arrive(Some(10.0), None),
            start(Some(CODE)),
            complete(),
            release(M),
            no_show(),
            Command::Reassign { reason: "dark".to_owned() },
            cancel(false, MechanicProgress::default()),
            cancel(true, MechanicProgress::default()),
            Command::Retry { most_open_jobs: None },
            watch(1, Finding::Delayed(DARK)),
            note_payment(),
            note_message(),
            Command::NoteCall { call_id: Uuid::from_u128(78) },
            Command::Pay,
            Command::Dispute,
            Command::Resolve,
            navigate(M, true),
            take_back(M),
        ]
    };
    let mut searching = urgent(Urgency::Accident);
    searching = after(&searching, Command::Tick, at(0));
    searching = after(&searching, offer_to(&searching, &[M]), at(1));
    #[rustfmt::skip]
    let table = [
        // offer, accept, decline, revoke, assign, en-route, arrive, start, complete, release, no-show, reassign, cancel, cancel (admin), retry, watch, payment, message, call, pay, dispute, resolve, navigating, take-back
        (pending(), ["stale", "offer_expired", "offer_expired", "offer_expired", "invalid", "not_yours", "not_yours", "not_yours", "not_yours", "not_yours", "not_yours", "invalid", "cancelled", "cancelled", "invalid", "stale", "invalid", "invalid", "call", "invalid", "invalid", "invalid", "not_yours", "not_yours"]),
        (searching, ["offers_made", "accepted", "offer_declined", "offer_revoked", "accepted", "not_yours", "not_yours", "not_yours", "not_yours", "not_yours", "not_yours", "invalid", "cancelled", "cancelled", "invalid", "stale", "invalid", "invalid", "call", "invalid", "invalid", "invalid", "not_yours", "not_yours"]),
        (accepted(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "en_route", "invalid", "invalid", "invalid", "released", "invalid", "released", "cancelled", "cancelled", "invalid", "delayed", "invalid", "message", "call", "invalid", "invalid", "invalid", "navigating", "invalid"]),
        (en_route(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "arrived", "invalid", "invalid", "released", "invalid", "released", "cancelled", "cancelled", "invalid", "delayed", "invalid", "message", "call", "invalid", "invalid", "invalid", "navigating", "invalid"]),
        (arrived(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "in_progress", "invalid", "released", "cancelled", "released", "cancelled", "cancelled", "invalid", "stale", "invalid", "message", "call", "invalid", "invalid", "invalid", "invalid", "invalid"]),
        (in_progress(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "invalid", "completed", "invalid", "invalid", "invalid", "invalid", "cancelled", "invalid", "stale", "invalid", "message", "call", "invalid", "invalid", "invalid", "invalid", "invalid"]),
        (completed(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "stale", "payment", "message", "call", "paid", "disputed", "invalid", "invalid", "invalid"]),
        (no_mechanic_found(), ["stale", "offer_expired", "offer_expired", "offer_expired", "invalid", "not_yours", "not_yours", "not_yours", "not_yours", "not_yours", "not_yours", "invalid", "cancelled", "cancelled", "retried", "stale", "invalid", "invalid", "call", "invalid", "invalid", "invalid", "not_yours", "not_yours"]),
        (cancelled(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "stale", "payment", "message", "call", "invalid", "invalid", "invalid", "invalid", "invalid"]),
        (paid(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "stale", "payment", "message", "call", "invalid", "disputed", "invalid", "invalid", "invalid"]),
        (disputed(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "stale", "payment", "message", "call", "invalid", "invalid", "resolved", "invalid", "invalid"]),
        (resolved(), ["stale", "already_done", "offer_expired", "offer_expired", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "invalid", "stale", "payment", "message", "call", "invalid", "invalid", "invalid", "invalid", "invalid"]),
    ];
    for (job, expected) in &table {
        for (command, expected) in commands(job).iter().zip(expected) {
            let now = match job.status() {
                Status::Dispatching => at(7),
                _ => later,
            };
            let result = decide(job, command, now);
            assert_eq!(outcome(result), *expected, "{command:?} in {:?}", job.status());
        }
    }
    let statuses: BTreeSet<_> = table.iter().map(|(job, _)| job.status()).collect();
    assert_eq!(statuses, Status::ALL.into(), "no status is forgotten");
}

#[test]
fn applying_an_event_leads_to_its_status_and_counts() {
    let chain = [
        (pending(), Status::Pending, 1, 1),
        (dispatching(), Status::Dispatching, 2, 2),
        (offered(), Status::Dispatching, 3, 2),
        (accepted(), Status::Accepted, 4, 3),
        (en_route(), Status::EnRoute, 5, 4),
        (arrived(), Status::Arrived, 6, 5),
        (in_progress(), Status::InProgress, 7, 6),
        (completed(), Status::Completed, 8, 7),
        (paid(), Status::Paid, 9, 8),
        (disputed(), Status::Disputed, 10, 9),
        (resolved(), Status::Resolved, 11, 10),
    ];
    for (job, status, version, seq) in chain {
        assert_eq!((job.status(), job.version, job.seq), (status, version, seq));
    }
    let done = completed();
    let Stage::Completed(completion) = &done.stage else { panic!() };
    assert_eq!(completion.final_price_paise, 34_000);
    assert_eq!(completion.assignment.arrived_at, Some(at(300)));
    let closed = resolved();
    let expected =
        Completion { disputed_at: Some(at(960)), resolved_at: Some(at(970)), ..completion.clone() };
    assert_eq!(closed.completion(), Some(&expected), "what the work came to stays known");
    assert_eq!(closed.assignment().map(|a| a.mechanic_id), Some(M));
}

#[test]
fn a_payment_is_noted_and_moves_nothing() {
    for job in [completed(), paid(), disputed(), resolved(), cancelled()] {
        let next = after(&job, note_payment(), at(2_000));
        assert_eq!(next, Job { version: job.version + 1, seq: job.seq + 1, ..job });
    }
}

#[test]
fn a_call_is_noted_in_every_status_and_moves_nothing() {
    for job in [accepted(), in_progress(), dispatching(), completed(), cancelled()] {
        let next = after(&job, Command::NoteCall { call_id: Uuid::from_u128(78) }, at(2_000));
        assert_eq!(next, Job { version: job.version + 1, seq: job.seq + 1, ..job });
    }
}

#[test]
fn a_job_can_be_disputed_for_the_window_after_its_completion() {
    let window = settings().jobs.dispute_window;
    let until = at(900) + window;
    for job in [completed(), paid()] {
        assert_eq!(decide(&job, &Command::Dispute, until), Ok(Event::Disputed));
        let late = until + TimeDelta::milliseconds(1);
        assert_eq!(decide(&job, &Command::Dispute, late), Err(Refusal::TooLate { until }));
    }
}

#[test]
fn a_refusal_names_what_is_allowed_instead() {
    let refusal = decide(&accepted(), &complete(), at(10)).unwrap_err();
    let text = refusal.to_string();
    assert!(text.contains("accepted") && text.contains("complete") && text.contains("en-route"), "{text}");
}

#[test]
fn only_the_mechanic_on_the_job_moves_it() {
    for (job, command) in [
        (accepted(), Command::EnRoute { mechanic_id: OTHER }),
        (accepted(), release(OTHER)),
        (
            en_route(),
            Command::Arrive {
                mechanic_id: OTHER,
                evidence: Evidence { distance_m: Some(1.0) },
                override_reason: None,
            },
        ),
        (arrived(), Command::Start { mechanic_id: OTHER, code: Some(CODE.to_owned()) }),
        (arrived(), Command::NoShow { mechanic_id: OTHER }),
    ] {
        assert_eq!(decide(&job, &command, at(5_000)), Err(Refusal::NotYours), "{command:?}");
    }
}

#[test]
fn strangers_to_a_job_learn_nothing_about_its_status() {
    let commands = [
        Command::EnRoute { mechanic_id: OTHER },
        navigate(OTHER, true),
        navigate(OTHER, false),
        take_back(OTHER),
        Command::Arrive {
            mechanic_id: OTHER,
            evidence: Evidence { distance_m: Some(1.0) },
            override_reason: None,
        },
        Command::Start { mechanic_id: OTHER, code: Some(CODE.to_owned()) },
        Command::Load { mechanic_id: OTHER, photo_urls: Vec::new() },
        Command::Complete {
            mechanic_id: OTHER,
            outcome: Outcome::Fixed,
            notes: None,
            photo_urls: Vec::new(),
            received_by: None,
            drop_off: DropOff::default(),
        },
        release(OTHER),
        Command::NoShow { mechanic_id: OTHER },
    ];
    for job in
        [pending(), offered(), accepted(), en_route(), arrived(), in_progress(), completed(), cancelled()]
    {
        for command in &commands {
            assert_eq!(
                decide(&job, command, at(5_000)),
                Err(Refusal::NotYours),
                "{command:?} {:?}",
                job.status()
            );
        }
    }
}

#[test]
fn arriving_needs_a_near_position_or_a_reason() {
    let job = en_route();
    let override_of = |command: Command| match decide(&job, &command, at(100)) {
        Ok(Event::Arrived { override_reason, .. }) => override_reason,
        other => panic!("{other:?}"),
    };
    for distance in [None, Some(150.1), Some(90_000.0)] {
        let refused = decide(&job, &arrive(distance, None), at(100));
        assert_eq!(refused, Err(Refusal::TooFar { distance_m: distance, limit_m: 150.0 }));
    }
    assert_eq!(override_of(arrive(Some(150.0), None)), None);
    assert_eq!(override_of(arrive(None, Some("tunnel"))), Some("tunnel".to_owned()));
    assert_eq!(
        override_of(arrive(Some(20.0), Some("tunnel"))),
        None,
        "one that was not needed is no override"
    );
}

#[test]
fn wrong_start_codes_lock_for_a_while_and_then_the_count_restarts() {
    let mut job = arrived();
    for expected in 1..=4 {
        job = after(&job, start(Some("9999")), at(310));
        assert_eq!(job.assignment().unwrap().wrong_codes, expected);
    }
    job = after(&job, start(None), at(311));
    let until = at(311 + 600);
    assert_eq!(job.assignment().unwrap().locked_until, Some(until));
    for moment in [at(312), until - TimeDelta::milliseconds(1)] {
        let refused = decide(&job, &start(Some(CODE)), moment);
        assert!(matches!(refused, Err(Refusal::StartLocked { .. })), "{refused:?}");
    }
    assert_eq!(decide(&job, &start(Some(CODE)), until), Ok(Event::Started));
    job = after(&job, start(Some("9999")), until);
    assert_eq!((job.assignment().unwrap().wrong_codes, job.seq), (1, arrived().seq));
}

#[test]
fn a_wrong_code_is_refused_with_what_is_left_or_how_long_it_is_locked() {
    let policy = settings().jobs;
    let mut job = arrived();
    let mut refusals = Vec::new();
    for _ in 0..5 {
        let event = decide(&job, &start(Some("9999")), at(310)).expect("it counts");
        job = job.apply(&event, at(310));
        let done = Done { event: Some(event), job: job.clone() };
        refusals.push(refused_start(&done, &policy, at(310)));
    }
    let left = (1..5).rev().map(|left| Some(Refusal::WrongStartCode { left }));
    let locked = Some(Refusal::StartLocked { wait_s: 600 });
    assert_eq!(refusals, left.chain([locked]).collect::<Vec<_>>());
    for event in [None, Some(Event::Started)] {
        assert_eq!(refused_start(&Done { event, job: in_progress() }, &policy, at(330)), None);
    }
}

#[test]
fn a_copy_of_a_wrong_code_is_answered_from_the_job_as_it_is_now() {
    let policy = settings().jobs;
    let refused = |job: &Job, now| refused_start_again(job, &policy, now);
    let mut job = arrived();
    for left in (0..5).rev() {
        job = after(&job, start(Some("9999")), at(310));
        if left > 0 {
            assert_eq!(refused(&job, at(311)), Refusal::WrongStartCode { left });
        }
    }
    assert_eq!(refused(&job, at(311)), Refusal::StartLocked { wait_s: 599 });
    assert_eq!(refused(&job, at(909)), Refusal::StartLocked { wait_s: 1 });
    let open = refused(&job, at(910));
    assert!(matches!(open, Refusal::WrongStartCode { .. }), "{open:?}");
    let on_the_way = refused(&en_route(), at(311));
    assert!(
        matches!(on_the_way, Refusal::InvalidTransition { wanted: Wanted::StartWork, .. }),
        "{on_the_way:?}"
    );
}

#[test]
fn without_the_setting_no_start_code_is_asked_for() {
    let mut settings = settings();
    settings.jobs.start_code = false;
    let event = offered().decide(&accept(M, at(5)), rules(&settings), at(5)).unwrap();
    let job = offered().apply(&event, at(5));
    assert_eq!(job.assignment().unwrap().start_code, None);
    let job = job.apply(&Event::WentEnRoute, at(6));
    let job = job.apply(&Event::Arrived { distance_m: None, override_reason: None }, at(7));
    assert_eq!(job.decide(&start(None), rules(&settings), at(8)), Ok(Event::Started));
}

#[test]
fn an_answer_counts_until_the_grace_is_over_by_its_time_of_arrival() {
    let job = offered();
    // The offer was made at 1 s, for 20 s, with 1 s of grace.
    assert!(decide(&job, &accept(M, at(22)), at(40)).is_ok(), "it lay in a queue, which is not its fault");
    let late = at(22) + TimeDelta::milliseconds(1);
    assert_eq!(decide(&job, &accept(M, late), late), Err(Refusal::OfferExpired));
    assert_eq!(decide(&job, &Command::Tick, at(21)), Err(Refusal::NothingDue));
    assert_eq!(outcome(decide(&job, &Command::Tick, at(22))), "offers_expired");
    assert_eq!(job.next_due(), Some(at(22)));
    assert_eq!(decide(&job, &accept(OTHER, at(3)), at(3)), Err(Refusal::OfferExpired), "not its offer");
}

#[test]
fn a_mechanic_answers_only_offers_that_were_made_to_them() {
    let job = after(&dispatching(), offer_to(&dispatching(), &[M]), at(1));
    let (of_m, unknown) = (proposal(M).offer_id, OfferId(Uuid::from_u128(77)));
    for (offer_id, mechanic_id) in [(of_m, OTHER), (unknown, M)] {
        let accept =
            Command::Accept { offer_id, mechanic_id, answered_at: at(3), start_code: CODE.to_owned() };
        let decline = Command::Decline { offer_id, mechanic_id, reason: None };
        for answer in [accept, decline, Command::Revoke { offer_id, mechanic_id }] {
            assert_eq!(decide(&job, &answer, at(3)), Err(Refusal::OfferExpired), "{answer:?}");
        }
    }
}

#[test]
fn a_mechanic_with_the_job_by_a_later_offer_is_not_told_that_another_took_it() {
    let mut job = after(&urgent(Urgency::Highway), Command::Tick, at(0));
    job = after(&job, offer_to(&job, &[M]), at(1));
    job = after(&job, accept(M, at(4)), at(4));
    let old = Command::Accept {
        offer_id: OfferId(Uuid::from_u128(77)),
        mechanic_id: M,
        answered_at: at(4),
        start_code: CODE.to_owned(),
    };
    assert_eq!(decide(&job, &old, at(5)), Err(Refusal::OfferExpired));
}

#[test]
fn the_loser_of_a_race_is_told_that_the_job_is_taken() {
    let mut job = after(&urgent(Urgency::Highway), Command::Tick, at(0));
    job = after(&job, offer_to(&job, &[M, OTHER]), at(1));
    let event = decide(&job, &accept(M, at(4)), at(4)).unwrap();
    let Event::Accepted { revoked, assignment, .. } = &event else { panic!() };
    assert_eq!(*revoked, [(proposal(OTHER).offer_id, OTHER)]);
    assert_eq!(assignment.promised_at, at(4 + 300));
    let job = job.apply(&event, at(4));
    assert_eq!(decide(&job, &accept(OTHER, at(4)), at(4)), Err(Refusal::OfferTaken));
    assert_eq!(decide(&job, &accept(M, at(4)), at(5)), Err(Refusal::AlreadyDone));
}

#[test]
fn rounds_widen_and_urgent_jobs_begin_at_the_second() {
    let policy = pending().spec.search;
    assert_eq!([1, 2, 3, 4, 6, 60].map(|round| policy.width(round)), [1, 3, 5, 5, 5, 5]);
    for (urgency, first) in [(Urgency::Normal, 1), (Urgency::Highway, 2), (Urgency::Accident, 2)] {
        let job = after(&urgent(urgency), Command::Tick, at(0));
        let Stage::Dispatching(search) = &job.stage else { panic!() };
        assert_eq!(search.round, first);
    }
}

#[test]
fn a_round_takes_no_more_offers_than_its_width() {
    let job = dispatching();
    let two = offer_to(&job, &[M, OTHER]);
    assert_eq!(decide(&job, &two, at(1)), Err(Refusal::StaleProposal));
    assert_eq!(decide(&job, &offer_to(&job, &[]), at(1)), Err(Refusal::StaleProposal));
    let job = offered();
    assert_eq!(decide(&job, &offer_to(&job, &[OTHER]), at(2)), Err(Refusal::StaleProposal));
}

#[test]
fn proposals_of_another_round_or_attempt_or_too_late_are_stale() {
    let job = dispatching();
    let offer = |attempt, round| Command::Offer { attempt, round, proposals: vec![proposal(M)] };
    for (attempt, round, second) in [(1, 2, 1), (2, 1, 1), (0, 1, 1), (1, 1, 180)] {
        let refused = decide(&job, &offer(attempt, round), at(second));
        assert_eq!(refused, Err(Refusal::StaleProposal), "{attempt} {round} {second}");
    }
}

#[test]
fn an_offer_near_the_end_of_a_search_stands_as_long_as_any_other() {
    let job = dispatching();
    for second in [1, 170, 179] {
        let Ok(Event::OffersMade { offers }) = decide(&job, &offer_to(&job, &[M]), at(second)) else {
            panic!("{second}")
        };
        assert_eq!(offers[0].expires_at, at(second + 20));
    }
}

#[test]
fn a_parked_mechanic_has_longer_to_answer_within_the_search() {
    let job = dispatching();
    let parked = Proposal { is_parked: true, ..proposal(M) };
    let offer = Command::Offer { attempt: 1, round: 1, proposals: vec![parked] };
    for (second, expected) in [(1, 91), (89, 179), (90, 180), (91, 180), (160, 180), (161, 181), (179, 199)] {
        let Ok(Event::OffersMade { offers }) = decide(&job, &offer, at(second)) else { panic!("{second}") };
        assert_eq!(offers[0].expires_at, at(expected), "made at {second}");
    }
}

#[test]
fn a_round_ends_with_its_last_offer() {
    let round = |job: &Job| match &job.stage {
        Stage::Dispatching(search) => (search.round, search.offered_in_round),
        other => panic!("{other:?}"),
    };
    let job = after(&urgent(Urgency::Highway), Command::Tick, at(0));
    let both = after(&job, offer_to(&job, &[M, OTHER]), at(1));
    let one = after(&both, decline(M), at(2));
    let none = after(&one, decline(OTHER), at(3));
    assert_eq!([&job, &both, &one, &none].map(round), [(2, 0), (2, 2), (2, 2), (3, 0)]);
    let unknown = Event::OfferRevoked { offer_id: proposal(THIRD).offer_id, mechanic_id: THIRD };
    assert_eq!([&job, &one, &none].map(|job| round(&job.apply(&unknown, at(4)))), [(2, 0), (2, 2), (3, 0)]);
}

#[test]
fn six_rounds_without_an_answer_exhaust_the_search() {
    let mut job = dispatching();
    for round in 1..=6_u128 {
        let Stage::Dispatching(search) = &job.stage else { panic!("{:?}", job.stage) };
        assert_eq!(u128::from(search.round), round);
        assert_eq!(job.next_due(), Some(at(180)), "there is a round to come");
        assert_eq!(decide(&job, &Command::Tick, at(2)), Err(Refusal::NothingDue));
        let one = MechanicId(Uuid::from_u128(100 + round));
        job = after(&job, offer_to(&job, &[one]), at(1));
        job = after(&job, decline(one), at(2));
    }
    assert!(job.next_due().is_some_and(|due| due <= at(2)), "due at once");
    assert_eq!(outcome(decide(&job, &Command::Tick, at(2))), "no_mechanic_found");
    assert_eq!(after(&job, Command::Tick, at(2)).status(), Status::NoMechanicFound);
}

#[test]
fn a_search_ends_with_its_time_but_waits_for_an_open_offer() {
    let job = dispatching();
    assert_eq!(decide(&job, &Command::Tick, at(179)), Err(Refusal::NothingDue));
    assert_eq!(outcome(decide(&job, &Command::Tick, at(180))), "no_mechanic_found");
    let late = after(&job, offer_to(&job, &[M]), at(179));
    assert_eq!(late.next_due(), Some(at(200)));
    for second in [180, 199] {
        assert_eq!(decide(&late, &Command::Tick, at(second)), Err(Refusal::NothingDue));
    }
    assert!(decide(&late, &accept(M, at(200)), at(200)).is_ok());
    let late = after(&late, Command::Tick, at(200));
    assert_eq!(late.demand(at(200)), None, "the time to ask others is over");
    assert_eq!(outcome(decide(&late, &Command::Tick, at(200))), "no_mechanic_found");
}

#[test]
fn mechanics_who_declined_were_revoked_released_or_let_two_expire_are_left_out() {
    assert!(after(&offered(), decline(M), at(2)).excluded.contains(&M));
    let revoke = Command::Revoke { offer_id: proposal(M).offer_id, mechanic_id: M };
    assert!(after(&offered(), revoke, at(2)).excluded.contains(&M));
    assert!(after(&accepted(), release(M), at(9)).excluded.contains(&M));
    let reassigned = after(&accepted(), Command::Reassign { reason: "dark".to_owned() }, at(9));
    assert!(reassigned.excluded.contains(&M));

    let once = after(&offered(), Command::Tick, at(22));
    assert!(!once.excluded.contains(&M), "one may miss a ring");
    let again = after(&once, offer_to(&once, &[M]), at(23));
    let twice = after(&again, Command::Tick, at(44));
    assert!(twice.excluded.contains(&M));
    assert_eq!(decide(&twice, &offer_to(&twice, &[M]), at(45)), Err(Refusal::StaleProposal));
}

#[test]
fn a_restarted_search_asks_mechanics_whose_offers_expired_but_not_those_who_refused() {
    let retry = Command::Retry { most_open_jobs: None };
    let again = |job: &Job| after(&after(job, Command::Tick, at(200)), retry.clone(), at(201));
    let expired = |job: &Job, second: i64| {
        after(&after(job, offer_to(job, &[M]), at(second)), Command::Tick, at(second + 21))
    };

    let twice = expired(&expired(&dispatching(), 1), 23);
    assert!(twice.excluded.contains(&M));
    let asked_again = again(&twice);
    assert!(asked_again.excluded.is_empty());
    assert!(decide(&asked_again, &offer_to(&asked_again, &[M]), at(202)).is_ok());
    let once_more = expired(&asked_again, 202);
    assert!(!once_more.excluded.contains(&M), "what expired before does not count");

    let once = expired(&dispatching(), 1);
    let refused = after(&after(&once, offer_to(&once, &[M]), at(23)), decline(M), at(24));
    let still_refused = again(&refused);
    assert_eq!(decide(&still_refused, &offer_to(&still_refused, &[M]), at(202)), Err(Refusal::StaleProposal));
}

#[test]
fn a_release_begins_a_new_attempt_at_the_same_price() {
    let job = after(&arrived(), release(M), at(400));
    assert_eq!((job.status(), job.attempt), (Status::Dispatching, 2));
    assert_eq!(job.spec, arrived().spec);
    assert_eq!(job.next_due(), Some(at(400 + 180)));
    assert_eq!(job.assignment(), None);
}

#[test]
fn a_retry_begins_a_new_attempt_and_a_day_without_one_cancels() {
    let job = no_mechanic_found();
    let day = at(180) + TimeDelta::hours(24);
    assert_eq!(job.next_due(), Some(day));
    assert_eq!(decide(&job, &Command::Tick, day - TimeDelta::seconds(1)), Err(Refusal::NothingDue));
    let gone = after(&job, Command::Tick, day);
    assert!(
        matches!(&gone.stage, Stage::Cancelled(c) if c.fee_paise == 0 && c.reason_code == "no_mechanic_found")
    );
    let retried = after(&job, Command::Retry { most_open_jobs: None }, at(500));
    assert_eq!((retried.attempt, retried.next_due()), (2, Some(at(680))));
}

#[test]
fn a_scheduled_job_waits_for_its_time() {
    let mut job = pending();
    job.spec.begin_at = at(1_800);
    assert_eq!(job.next_due(), Some(at(1_800)));
    assert_eq!(decide(&job, &Command::Tick, at(1_799)), Err(Refusal::NothingDue));
    assert_eq!(outcome(decide(&job, &Command::Tick, at(1_800))), "dispatching");
}

#[test]
fn a_no_show_is_reported_after_ten_minutes_at_the_call_out_fee() {
    let job = arrived();
    let from = at(300 + 600);
    assert_eq!(decide(&job, &no_show(), at(899)), Err(Refusal::TooEarly { from }));
    let gone = after(&job, no_show(), from);
    assert!(matches!(&gone.stage, Stage::Cancelled(c) if c.fee_paise == 15_000));
    assert_eq!(gone.assignment().unwrap().mechanic_id, M, "it is remembered who was there");
    let mut settings = settings();
    settings.fees.free_after_accept = TimeDelta::hours(1);
    let event = job.decide(&no_show(), rules(&settings), from);
    assert!(matches!(event, Ok(Event::Cancelled { fee_paise: 15_000, .. })), "no free time is for them");
}

/// Returns a job whose mechanic arrived by a reason alone.
fn said_to_have_arrived() -> Job {
    let evidence = Evidence { distance_m: Some(16_800.0) };
    let arrive =
        Command::Arrive { mechanic_id: M, evidence, override_reason: Some("the receiver is off".to_owned()) };
    after(&en_route(), arrive, at(300))
}

#[test]
fn a_no_show_without_proof_of_arrival_costs_nothing_until_an_admin_decides() {
    let from = at(300 + 600);
    let event = decide(&said_to_have_arrived(), &no_show(), from).unwrap();
    assert!(matches!(event, Event::Cancelled { fee_paise: 0, claimed_paise: Some(15_000), .. }), "{event:?}");
    let gone = said_to_have_arrived().apply(&event, from);
    let charged = after(&gone, Command::DecideNoShow { fee_paise: 15_000 }, at(2_000));
    assert!(matches!(&charged.stage, Stage::Cancelled(c) if c.fee_paise == 15_000));
    let proven = after(&arrived(), no_show(), from);
    for job in [charged, proven, completed(), arrived()] {
        let again = decide(&job, &Command::DecideNoShow { fee_paise: 15_000 }, at(3_000));
        assert!(matches!(again, Err(Refusal::InvalidTransition { .. })), "{:?}: {again:?}", job.status());
    }
    let event = decide(&arrived(), &no_show(), from).unwrap();
    assert!(
        matches!(event, Event::Cancelled { fee_paise: 15_000, claimed_paise: Some(15_000), .. }),
        "{event:?}"
    );
    // Without a call-out fee there is nothing to decide.
    let mut settings = settings();
    settings.fees.call_out_paise = 0;
    let event = said_to_have_arrived().decide(&no_show(), rules(&settings), from).unwrap();
    assert!(matches!(event, Event::Cancelled { fee_paise: 0, claimed_paise: None, .. }), "{event:?}");
}

#[test]
fn a_no_show_can_be_contested_for_a_time_and_nothing_is_due_until_it_is_decided() {
    let from = at(300 + 600);
    let until = from + settings().jobs.dispute_window;
    let late = until + TimeDelta::milliseconds(1);
    let fee = |job: &Job| match &job.stage {
        Stage::Cancelled(cancellation) => cancellation.fee_paise,
        stage => panic!("{stage:?}"),
    };
    let decided = |job: &Job, fee_paise, now| after(job, Command::DecideNoShow { fee_paise }, now);
    let proven = after(&arrived(), no_show(), from);
    let claimed = after(&said_to_have_arrived(), no_show(), from);
    for (job, due_paise) in
        [(proven.clone(), 15_000), (claimed.clone(), 0), (decided(&claimed, 15_000, from), 15_000)]
    {
        assert_eq!(fee(&job), due_paise);
        let contested = after(&job, Command::ContestNoShow, until);
        assert_eq!((fee(&contested), contested.seq), (0, job.seq + 1), "every participant is shown it");
        assert_eq!(fee(&decided(&contested, 15_000, late)), 15_000);
        assert_eq!(fee(&decided(&contested, 0, late)), 0);
    }
    assert_eq!(decide(&proven, &Command::ContestNoShow, late), Err(Refusal::TooLate { until }));
    assert_eq!(
        decide(&claimed, &Command::ContestNoShow, late),
        Ok(Event::NoShowContested),
        "it is not decided"
    );
    for job in [arrived(), completed(), cancelled()] {
        let refused = decide(&job, &Command::ContestNoShow, at(2_000));
        assert!(matches!(refused, Err(Refusal::InvalidTransition { .. })), "{:?}: {refused:?}", job.status());
    }
}

#[test]
fn an_unproven_arrival_makes_no_cancellation_dearer() {
    let settings = settings();
    let in_contact =
        |second| MechanicProgress { last_contact_at: Some(at(second)), last_moved_at: Some(at(second)) };
    for second in [301, 400, 800, 1_206, 4_000] {
        let before = fee::quote(&en_route(), &settings.fees, in_contact(second), None, at(second)).unwrap();
        let after = fee::quote(&said_to_have_arrived(), &settings.fees, in_contact(second), None, at(second))
            .unwrap();
        assert_eq!((before.fee_paise, before.reason), (after.fee_paise, after.reason), "{second}");
    }
}

#[test]
fn a_customer_who_may_cancel_for_free_because_of_a_concern_still_may_after_an_unproven_arrival() {
    let settings = settings();
    let in_contact = MechanicProgress { last_contact_at: Some(at(310)), last_moved_at: Some(at(310)) };
    let moving_away = Delay { concern: Concern::MovingAway, since: at(280) };
    let with_delay = after(&en_route(), watch(1, Finding::Delayed(moving_away)), at(290));
    let arrive = |override_reason: Option<&str>, distance_m| Command::Arrive {
        mechanic_id: M,
        evidence: Evidence { distance_m: Some(distance_m) },
        override_reason: override_reason.map(str::to_owned),
    };
    let quote = |job: &Job| fee::quote(job, &settings.fees, in_contact, None, at(310)).unwrap();
    let claimed = quote(&after(&with_delay, arrive(Some("the receiver is off"), 9_000.0), at(300)));
    assert_eq!((claimed.fee_paise, claimed.reason), (0, FeeReason::MechanicMovingAway));
    let proven = quote(&after(&with_delay, arrive(None, 10.0), at(300)));
    assert_eq!((proven.fee_paise, proven.reason), (15_000, FeeReason::Arrived));
}

#[test]
fn the_free_time_is_free_only_as_often_as_allowed() {
    let settings = settings();
    let in_contact = MechanicProgress { last_contact_at: Some(at(70)), last_moved_at: Some(at(70)) };
    let uses =
        |used| Some(FreeCancellationAllowance { most: 3, since: at(-1_000), used, person_key: Uuid::nil() });
    let cases = [
        (accepted(), 2, 0, FeeReason::WithinFreeTime),
        (accepted(), 3, 5_000, FeeReason::FreeCancellationsUsed),
        (accepted(), 9, 5_000, FeeReason::FreeCancellationsUsed),
        (arrived_at(70), 3, 15_000, FeeReason::FreeCancellationsUsed),
        // No mechanic has come so far.
        (offered(), 9, 0, FeeReason::NotAccepted),
    ];
    for (job, used, fee_paise, reason) in cases {
        let quote = fee::quote(&job, &settings.fees, in_contact, uses(used), at(80)).unwrap();
        assert_eq!((quote.fee_paise, quote.reason), (fee_paise, reason), "{used} used");
        let cancel = Command::Cancel {
            by_admin: false,
            reason_code: "changed_mind".to_owned(),
            reason: None,
            accepted_fee: AcceptedFee::Any,
            progress: in_contact,
            free_cancellations: uses(used),
        };
        let Ok(Event::Cancelled { fee_paise: paid, uses_free, .. }) = decide(&job, &cancel, at(80)) else {
            panic!("not cancelled")
        };
        assert_eq!((paid, uses_free.is_some()), (fee_paise, reason == FeeReason::WithinFreeTime));
    }
    // A cancellation that is free because of the mechanic does not count.
    let dark =
        fee::quote(&en_route(), &settings.fees, MechanicProgress::default(), uses(9), at(401)).unwrap();
    assert_eq!((dark.fee_paise, dark.reason), (0, FeeReason::MechanicDark));
}

#[test]
fn cancelling_costs_what_the_policy_says() {
    let in_contact =
        |second| MechanicProgress { last_contact_at: Some(at(second)), last_moved_at: Some(at(second)) };
    let moved = |heard_s, moved_s| MechanicProgress {
        last_contact_at: Some(at(heard_s)),
        last_moved_at: Some(at(moved_s)),
    };
    let cases = [
        ("before dispatch", pending(), MechanicProgress::default(), 0, 0, FeeReason::NotAccepted),
        ("while searching", offered(), MechanicProgress::default(), 10, 0, FeeReason::NotAccepted),
        ("nobody found", no_mechanic_found(), MechanicProgress::default(), 500, 0, FeeReason::NotAccepted),
        ("in the free time", accepted(), in_contact(125), 125, 0, FeeReason::WithinFreeTime),
        ("just after it", accepted(), in_contact(126), 126, 5_000, FeeReason::OnTheWay),
        ("on the way", en_route(), in_contact(290), 300, 5_000, FeeReason::OnTheWay),
        ("dark", en_route(), in_contact(100), 401, 0, FeeReason::MechanicDark),
        ("dark from the start", en_route(), MechanicProgress::default(), 306, 0, FeeReason::MechanicDark),
        ("stalled", en_route(), moved(700, 70), 701, 0, FeeReason::MechanicStalled),
        (
            "a move that nobody knows of is no stall",
            en_route(),
            MechanicProgress { last_contact_at: Some(at(700)), last_moved_at: None },
            701,
            5_000,
            FeeReason::OnTheWay,
        ),
        ("late", en_route(), in_contact(1_206), 1_206, 0, FeeReason::MechanicLate),
        ("not yet late", en_route(), in_contact(1_205), 1_205, 5_000, FeeReason::OnTheWay),
        ("arrived", arrived(), in_contact(310), 310, 15_000, FeeReason::Arrived),
        ("arrived in the free time", arrived_at(70), in_contact(125), 125, 0, FeeReason::WithinFreeTime),
        (
            "arrived, and the free time is over",
            arrived_at(70),
            in_contact(126),
            126,
            15_000,
            FeeReason::Arrived,
        ),
    ];
    let settings = settings();
    for (what, job, progress, second, fee_paise, reason) in cases {
        let quote = fee::quote(&job, &settings.fees, progress, None, at(second)).unwrap();
        assert_eq!((quote.fee_paise, quote.reason), (fee_paise, reason), "{what}");
    }
    for job in [accepted(), arrived_at(70)] {
        let quote = fee::quote(&job, &settings.fees, in_contact(80), None, at(80)).unwrap();
        assert_eq!(quote.free_until, Some(at(125)));
        let cancel = decide(&job, &cancel(false, in_contact(125)), at(125));
        assert!(matches!(cancel, Ok(Event::Cancelled { fee_paise: 0, .. })), "as it was quoted: {cancel:?}");
    }
}

#[test]
fn a_mechanic_whose_travel_time_was_unknown_is_not_late() {
    let assign = Command::Assign { mechanic_id: M, eta_s: 0, start_code: CODE.to_owned(), overridden: None };
    let assigned = after(&dispatching(), assign, at(5));
    assert_eq!(assigned.assignment().unwrap().promise(), None);
    let in_contact = MechanicProgress { last_contact_at: Some(at(2_000)), last_moved_at: None };
    let quote = fee::quote(&assigned, &settings().fees, in_contact, None, at(2_000)).unwrap();
    assert_eq!((quote.fee_paise, quote.reason), (5_000, FeeReason::OnTheWay));
}

#[test]
fn a_job_that_its_customer_cannot_cancel_has_no_fee() {
    let settings = settings();
    let paid = after(&completed(), Command::Pay, at(1_000));
    let disputed = after(&completed(), Command::Dispute, at(1_000));
    let resolved = after(&disputed, Command::Resolve, at(1_100));
    for job in [in_progress(), completed(), paid, disputed, resolved, cancelled()] {
        let quote = fee::quote(&job, &settings.fees, MechanicProgress::default(), None, at(1_200));
        assert_eq!(quote, Err(Refusal::InvalidTransition { from: job.status(), wanted: Wanted::Cancel }));
        assert_eq!(decide(&job, &cancel(false, MechanicProgress::default()), at(1_200)).err(), quote.err());
    }
}

#[test]
fn a_fee_is_charged_only_as_agreed() {
    let cancelled = |accepted_fee, second| {
        let progress =
            MechanicProgress { last_contact_at: Some(at(second)), last_moved_at: Some(at(second)) };
        let command = match cancel(false, progress) {
            Command::Cancel { by_admin, reason_code, reason, progress, .. } => Command::Cancel {
                by_admin,
                reason_code,
                reason,
                accepted_fee,
                progress,
                free_cancellations: None,
            },
            other => other,
        };
        decide(&en_route(), &command, at(second))
    };
    for agreed in [AcceptedFee::NONE, AcceptedFee::UpTo(4_999)] {
        assert_eq!(cancelled(agreed, 300), Err(Refusal::FeeChanged { fee_paise: 5_000 }), "{agreed:?}");
    }
    for agreed in [AcceptedFee::UpTo(5_000), AcceptedFee::Any] {
        assert!(
            matches!(cancelled(agreed, 300), Ok(Event::Cancelled { fee_paise: 5_000, .. })),
            "{agreed:?}"
        );
    }
    for agreed in [AcceptedFee::NONE, AcceptedFee::UpTo(5_000), AcceptedFee::Any] {
        assert!(matches!(cancelled(agreed, 110), Ok(Event::Cancelled { fee_paise: 0, .. })), "{agreed:?}");
    }
}

#[test]
fn cancelling_a_search_revokes_its_offers() {
    let Ok(Event::Cancelled { revoked, .. }) =
        decide(&offered(), &cancel(false, MechanicProgress::default()), at(3))
    else {
        panic!()
    };
    assert_eq!(revoked, [(proposal(M).offer_id, M)]);
}

#[test]
fn the_watch_takes_a_job_only_after_the_customer_was_informed_of_the_same_concern() {
    for job in [accepted(), en_route()] {
        let lost = watch(1, Finding::Lost(Concern::Dark));
        assert_eq!(decide(&job, &lost, at(300)), Err(Refusal::StaleFinding), "nobody was notified");
        let with_delay = after(&job, watch(1, Finding::Delayed(DARK)), at(200));
        assert_eq!(
            (with_delay.seq, with_delay.duty().and_then(|duty| duty.reported)),
            (job.seq + 1, Some(Concern::Dark))
        );
        assert_eq!(
            decide(&with_delay, &watch(1, Finding::Delayed(DARK)), at(201)),
            Err(Refusal::AlreadyDone)
        );
        let other = watch(1, Finding::Lost(Concern::Stalled));
        assert_eq!(decide(&with_delay, &other, at(300)), Err(Refusal::StaleFinding));
        let again = after(&with_delay, lost, at(300));
        assert_eq!((again.status(), again.attempt), (Status::Dispatching, 2));
        assert!(again.excluded.contains(&M), "whom the watch took it from is not asked again");
        assert_eq!(again.spec.estimated_price_paise(), job.spec.estimated_price_paise());
    }
}

fn navigate(mechanic_id: MechanicId, is_elsewhere: bool) -> Command {
    Command::Navigate { mechanic_id, is_elsewhere }
}

fn take_back(mechanic_id: MechanicId) -> Command {
    Command::TakeBack { mechanic_id, eta_s: 240, start_code: "7777".to_owned() }
}

/// Returns a job that the watch took from M for this concern.
fn lost(concern: Concern) -> Job {
    let with_delay =
        after(&en_route(), watch(1, Finding::Delayed(Delay { concern, since: at(150) })), at(200));
    after(&with_delay, watch(1, Finding::Lost(concern)), at(400))
}

#[test]
fn a_mechanic_on_the_way_says_when_another_app_navigates_and_when_they_are_back() {
    for job in [accepted(), en_route()] {
        assert_eq!(decide(&job, &navigate(M, false), at(70)), Err(Refusal::AlreadyDone));
        assert_eq!(decide(&job, &navigate(OTHER, true), at(70)), Err(Refusal::NotYours));
        let away = after(&job, navigate(M, true), at(70));
        assert_eq!((away.status(), away.seq), (job.status(), job.seq + 1));
        assert_eq!(away.duty().and_then(|duty| duty.navigating_since), Some(at(70)));
        assert_eq!(decide(&away, &navigate(M, true), at(90)), Err(Refusal::AlreadyDone));
        let back = after(&away, navigate(M, false), at(100));
        assert_eq!(back.duty().and_then(|duty| duty.navigating_since), None);
    }
    let arrived = after(&after(&en_route(), navigate(M, true), at(70)), arrive(Some(10.0), None), at(300));
    assert_eq!(arrived.assignment().and_then(|a| a.navigating_since), None, "who has arrived drives no more");
    assert_eq!(decide(&arrived, &navigate(M, false), at(310)), Err(Refusal::AlreadyDone));
    for job in [arrived, in_progress()] {
        let refused = decide(&job, &navigate(M, true), at(330));
        assert!(matches!(refused, Err(Refusal::InvalidTransition { .. })), "{refused:?}");
    }
    assert_eq!(decide(&dispatching(), &navigate(M, true), at(5)), Err(Refusal::NotYours));
}

#[test]
fn a_navigating_mechanics_silence_makes_cancelling_free_only_once_they_are_late() {
    let settings = settings();
    let job = after(&en_route(), navigate(M, true), at(70));
    let progress = MechanicProgress { last_contact_at: Some(at(65)), last_moved_at: Some(at(65)) };
    let quote =
        |job: &Job, seconds| fee::quote(job, &settings.fees, progress, None, at(seconds)).unwrap().reason;
    assert_eq!(quote(&en_route(), 300), FeeReason::MechanicDark);
    assert_eq!(quote(&job, 300), FeeReason::OnTheWay);
    assert_eq!(quote(&job, 1_100), FeeReason::OnTheWay);
    // The mechanic is promised for 305 s, with 15 minutes of grace.
    assert_eq!(quote(&job, 1_206), FeeReason::MechanicDark);
}

#[test]
fn a_mechanic_who_lost_a_job_by_silence_may_take_it_back_while_it_is_free() {
    let free = lost(Concern::Dark);
    let asked = after(&free, offer_to(&free, &[OTHER]), at(401));
    let given_up = after(&free, Command::Tick, at(400 + 180));
    assert_eq!(given_up.status(), Status::NoMechanicFound);
    for (job, revoked) in
        [(&free, vec![]), (&asked, vec![(proposal(OTHER).offer_id, OTHER)]), (&given_up, vec![])]
    {
        let event = decide(job, &take_back(M), at(600)).expect("it is free");
        let Event::Accepted { revoked: ended, .. } = &event else { panic!("{event:?}") };
        assert_eq!(*ended, revoked);
        let back = job.apply(&event, at(600));
        let assignment = back.assignment().expect("M has it");
        assert_eq!((back.status(), assignment.mechanic_id, assignment.offer_id), (Status::Accepted, M, None));
        assert_eq!(assignment.promise(), Some(at(840)), "promised anew");
        assert_eq!(assignment.start_code.as_deref(), Some("7777"), "with a new code");
        assert!(assignment.is_taken_back && back.duty().is_some_and(|duty| duty.attempt == 2));
        assert_eq!(decide(&back, &take_back(M), at(601)), Err(Refusal::AlreadyDone));
        assert_eq!(decide(&back, &take_back(OTHER), at(601)), Err(Refusal::NotYours));
        let refused = decide(&back, &accept(OTHER, at(601)), at(601));
        assert_eq!(refused, Err(Refusal::OfferTaken));
    }
    let taken = after(&asked, accept(OTHER, at(405)), at(405));
    assert_eq!(decide(&taken, &take_back(M), at(600)), Err(Refusal::OfferTaken));
    let cancelled = after(&free, cancel(false, MechanicProgress::default()), at(500));
    assert!(matches!(decide(&cancelled, &take_back(M), at(600)), Err(Refusal::InvalidTransition { .. })));
}

#[test]
fn a_job_remembers_why_its_last_mechanic_left() {
    let reason = |job: &Job| job.left.map(|left| (left.mechanic_id, left.reason));
    let release = |code: &str| Command::Release { mechanic_id: M, reason_code: code.to_owned() };
    assert_eq!(reason(&en_route()), None);
    for (code, expected) in [
        ("missing_parts", LeaveReason::MissingParts),
        ("breakdown", LeaveReason::Other),
        // Whatever the mechanic says, they did give the job back.
        ("watchdog_dark", LeaveReason::Other),
    ] {
        assert_eq!(reason(&after(&arrived(), release(code), at(400))), Some((M, expected)));
    }
    let reassigned = after(&arrived(), Command::Reassign { reason: "personal".to_owned() }, at(400));
    assert_eq!(reason(&reassigned), Some((M, LeaveReason::Reassigned)), "what an admin writes is for admins");
    assert_eq!(reason(&lost(Concern::Dark)), Some((M, LeaveReason::Silent)));
    assert_eq!(reason(&lost(Concern::Stalled)), Some((M, LeaveReason::Stalled)));
}

#[test]
fn no_other_mechanic_takes_a_job_back() {
    let gave_up = after(&en_route(), release(M), at(400));
    let reassigned = after(&en_route(), Command::Reassign { reason: "complaint".to_owned() }, at(400));
    for job in
        [dispatching(), offered(), gave_up, reassigned, lost(Concern::Stalled), lost(Concern::MovingAway)]
    {
        assert_eq!(decide(&job, &take_back(M), at(600)), Err(Refusal::NotYours));
    }
    assert_eq!(decide(&lost(Concern::Dark), &take_back(OTHER), at(600)), Err(Refusal::NotYours));
    // Another mechanic had the job since and gave it back, so the first one can't take it back now.
    let free = lost(Concern::Dark);
    let next = after(&after(&free, offer_to(&free, &[OTHER]), at(401)), accept(OTHER, at(405)), at(405));
    let again = after(&next, release(OTHER), at(500));
    assert_eq!(decide(&again, &take_back(M), at(600)), Err(Refusal::NotYours));
}

#[test]
fn a_finding_about_another_attempt_or_mechanic_or_after_the_arrival_changes_nothing() {
    let with_delay = after(&en_route(), watch(1, Finding::Delayed(DARK)), at(200));
    let lost = Finding::Lost(Concern::Dark);
    let of_other = Command::Watch { mechanic_id: OTHER, attempt: 1, finding: lost };
    for command in [watch(2, lost), of_other, watch(1, Finding::Recovered(Concern::Stalled))] {
        assert_eq!(decide(&with_delay, &command, at(300)), Err(Refusal::StaleFinding), "{command:?}");
    }
    let arrived = after(&with_delay, arrive(Some(10.0), None), at(299));
    assert_eq!(decide(&arrived, &watch(1, lost), at(300)), Err(Refusal::StaleFinding));
    assert_eq!(arrived.assignment().unwrap().delay, None, "who has arrived is not late any more");
}

#[test]
fn a_customer_informed_of_a_delay_cancels_for_free_while_it_lasts() {
    let settings = settings();
    let quote = |job: &Job, seconds| {
        let progress =
            MechanicProgress { last_contact_at: Some(at(seconds)), last_moved_at: Some(at(seconds)) };
        let quote = fee::quote(job, &settings.fees, progress, None, at(seconds)).unwrap();
        (quote.fee_paise, quote.reason)
    };
    assert_eq!(quote(&en_route(), 200), (5_000, FeeReason::OnTheWay));
    for (concern, reason) in [
        (Concern::Dark, FeeReason::MechanicDark),
        (Concern::Stalled, FeeReason::MechanicStalled),
        (Concern::MovingAway, FeeReason::MechanicMovingAway),
        (Concern::Slipping, FeeReason::MechanicLate),
    ] {
        let with_delay =
            after(&en_route(), watch(1, Finding::Delayed(Delay { concern, since: at(150) })), at(190));
        assert_eq!(quote(&with_delay, 200), (0, reason));
        let recovered = after(&with_delay, watch(1, Finding::Recovered(concern)), at(195));
        assert_eq!(quote(&recovered, 200), (5_000, FeeReason::OnTheWay));
    }
}
