use std::sync::Arc;

use super::*;
use crate::{
    geo::Point, job::effects, messages::MechanicMessage, simulation::world::north, status::OfferStatus,
};

/// The price of the job of these tests, and its price at the new place.
const ESTIMATED: i64 = 34_000;
const TRAVEL: i64 = 4_000;

fn moved(job: &Job, to: Point, travel_price_paise: i64, quoted_price_paise: Option<i64>) -> Command {
    let mechanic = job.assignment().map(|assignment| assignment.mechanic_id);
    let pickup = Some(NewPickup { point: to, travel_price_paise, mechanic, eta_s: Some(240) });
    let seen_corrections = job.corrections;
    Command::Correct(Box::new(Correction {
        seen_corrections,
        pickup,
        quoted_price_paise,
        ..Correction::default()
    }))
}

fn described(job: &Job, words: &str) -> Command {
    let details = DetailChanges { description: Some(Some(words.to_owned())), ..DetailChanges::default() };
    let summary = JobSummary { description: Some(words.to_owned()), ..JobSummary::default() };
    let summary = Some(Arc::new(summary));
    let seen_corrections = job.corrections;
    Command::Correct(Box::new(Correction { seen_corrections, details, summary, ..Correction::default() }))
}

#[test]
fn a_job_is_corrected_until_its_mechanic_is_on_the_way() {
    let unfound = {
        let job = dispatching();
        let end = job.next_due().expect("an end");
        after(&job, Command::Tick, end)
    };
    for job in [pending(), dispatching(), offered(), unfound, accepted()] {
        let corrected = after(&job, described(&job, "both tyres"), at(10));
        assert_eq!((corrected.status(), corrected.corrections), (job.status(), 1));
        assert_eq!(corrected.spec.summary.description.as_deref(), Some("both tyres"));
        assert_eq!((corrected.attempt, corrected.live_offers()), (job.attempt, job.live_offers()));
        assert_eq!(corrected.seq, job.seq + 1, "everybody sees it");
    }
    for job in [en_route(), arrived(), in_progress()] {
        let refused = decide(&job, &described(&job, "too late"), at(100)).expect_err("a refusal");
        assert_eq!(refused, Refusal::InvalidTransition { from: job.status(), wanted: Wanted::Correct });
    }
}

#[test]
fn a_moved_search_starts_again_and_excludes_no_mechanic_for_it() {
    let job = offered();
    let to = north(500.0);
    let event = decide(&job, &moved(&job, to, TRAVEL, None), at(10)).expect("a correction");
    let next = job.apply(&event, at(10));
    assert_eq!((next.spec.pickup, next.moved_from, next.attempt), (to, Some(CENTRE), 2));
    assert!(next.live_offers().is_empty() && !next.excluded.contains(&M));
    assert_eq!(event.ended_offers(), (vec![proposal(M).offer_id], OfferStatus::Revoked));
    let demand = next.demand(at(10)).expect("a demand");
    assert_eq!((demand.pickup, demand.attempt, demand.has_offer), (to, 2, false));
    // Proposals by the dispatcher for the old place come too late.
    assert_eq!(decide(&next, &offer_to(&job, &[M]), at(11)), Err(Refusal::StaleProposal));
    after(&next, offer_to(&next, &[M]), at(11));
}

#[test]
fn the_mechanic_on_the_job_learns_of_the_new_place() {
    let to = north(500.0);
    let event = decide(&accepted(), &moved(&accepted(), to, TRAVEL, None), at(10)).expect("a correction");
    let next = accepted().apply(&event, at(10));
    let assignment = next.assignment().expect("a mechanic");
    assert_eq!((assignment.mechanic_id, assignment.promised_at), (M, at(250)));
    let informed = effects::after(&event, &next).into_iter().any(|effect| {
        matches!(effect, effects::Effect::Notify(M, MechanicMessage::Assigned { pickup, .. }) if pickup == to)
    });
    assert!(informed);
}

#[test]
fn the_pickup_stays_near_where_it_was_first() {
    let job = after(&pending(), moved(&pending(), north(1_900.0), TRAVEL, None), at(1));
    let limit_m = 2_000.0;
    let farther = moved(&job, north(2_100.0), TRAVEL, None);
    assert_eq!(decide(&job, &farther, at(2)), Err(Refusal::MovedTooFar { limit_m }));
    let back = after(&job, moved(&job, north(-1_900.0), TRAVEL, None), at(2));
    assert_eq!(back.original_pickup(), CENTRE);
    let mut settings = settings();
    settings.jobs.correction_radius_m = CENTRE.distance_m(north(2_100.0));
    assert!(job.decide(&farther, rules(&settings), at(2)).is_ok(), "the edge is near enough");
}

#[test]
fn a_more_expensive_place_needs_the_customers_consent() {
    let job = pending();
    let dearer = |quoted| decide(&job, &moved(&job, north(900.0), TRAVEL + 1_000, quoted), at(1));
    let price_paise = ESTIMATED + 1_000;
    assert_eq!(dearer(None), Err(Refusal::PriceChanged { price_paise }));
    assert_eq!(dearer(Some(price_paise - 1)), Err(Refusal::PriceChanged { price_paise }));
    let event = dearer(Some(price_paise)).expect("a correction");
    assert_eq!(job.apply(&event, at(1)).spec.estimated_price_paise(), price_paise);
    let cheaper = after(&job, moved(&job, north(900.0), 0, None), at(1));
    assert_eq!(cheaper.spec.estimated_price_paise(), ESTIMATED, "a move makes nothing cheaper");
}

#[test]
fn a_job_moves_to_another_time_until_its_search_begins() {
    let job = pending();
    let later = NewTime { scheduled_for: Some(at(9_000)), begin_at: at(7_200) };
    let to = |job: &Job, time| {
        let seen_corrections = job.corrections;
        Command::Correct(Box::new(Correction { seen_corrections, time: Some(time), ..Correction::default() }))
    };
    let moved = after(&job, to(&job, later), at(10));
    assert_eq!((moved.status(), moved.next_due()), (Status::Pending, Some(at(7_200))));
    assert_eq!(decide(&moved, &Command::Tick, at(7_199)), Err(Refusal::NothingDue));
    let now = NewTime { scheduled_for: None, begin_at: at(20) };
    let begun = after(&after(&moved, to(&moved, now), at(20)), Command::Tick, at(20));
    for job in [begun, offered(), accepted()] {
        let refused = decide(&job, &to(&job, later), at(30));
        let expected = Refusal::InvalidTransition { from: job.status(), wanted: Wanted::MoveInTime };
        assert_eq!(refused, Err(expected));
    }
}

#[test]
fn corrections_are_limited() {
    let mut job = pending();
    for _ in 0..MAX_CORRECTIONS {
        job = after(&job, described(&job, "again"), at(1));
    }
    assert_eq!(decide(&job, &described(&job, "once more"), at(1)), Err(Refusal::TooManyCorrections));
}

#[test]
fn a_correction_of_a_job_that_changed_meanwhile_is_refused() {
    let corrected = after(&accepted(), described(&accepted(), "both tyres"), at(10));
    for stale in [described(&accepted(), "one tyre"), moved(&accepted(), north(500.0), TRAVEL, None)] {
        assert_eq!(decide(&corrected, &stale, at(11)), Err(Refusal::JobChanged));
    }
    // Price and time were computed without a mechanic, or for another one.
    let to = north(500.0);
    let another = {
        let job = dispatching();
        after(&after(&job, offer_to(&job, &[OTHER]), at(1)), accept(OTHER, at(5)), at(5))
    };
    for job in [offered(), another] {
        assert_eq!(decide(&accepted(), &moved(&job, to, TRAVEL, None), at(11)), Err(Refusal::JobChanged));
    }
    after(&accepted(), described(&offered(), "true of any mechanic"), at(11));
}

#[test]
fn mechanics_who_hold_an_offer_read_the_new_description() {
    let job = offered();
    let event = decide(&job, &described(&job, "both tyres"), at(10)).expect("a correction");
    let cards =
        effects::after(&event, &job.apply(&event, at(10))).into_iter().filter_map(|effect| match effect {
            effects::Effect::Notify(M, MechanicMessage::Offered(card)) => {
                Some(card.summary.description.clone())
            }
            _ => None,
        });
    assert_eq!(cards.collect::<Vec<_>>(), [Some("both tyres".to_owned())]);
}
