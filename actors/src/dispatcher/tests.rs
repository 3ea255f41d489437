//! Who is near and who is offered what, without actors.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use uuid::Uuid;

mod assignment;
mod components;
mod explaining;
mod index;
mod passes;
mod solving;

use super::{
    answers::Users,
    matching::{self, Candidate, Terms, Unfit, Waiting},
    planning::Due,
    state::{Estimated, Picture},
    view::{View, Want},
};
use crate::{
    eta::StraightLine,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, UserId},
    job::state::Urgency,
    ports::Estimate,
    settings::{MatchingPolicy, Strategy as Policy},
    simulation::world::{CENTRE, category, matching as shipped, morning, north, profile, search},
    vehicle::VehicleType,
};

fn mechanic(n: u128) -> MechanicId {
    MechanicId(Uuid::from_u128(n))
}

fn job(n: u128) -> JobId {
    JobId(Uuid::from_u128(n))
}

fn at(seconds: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(seconds)
}

fn want() -> Want {
    Want {
        attempt: 1,
        round: 1,
        offers: 1,
        has_offer: false,
        pickup: CENTRE,
        vehicle_type: VehicleType::FourWheeler,
        category_id: category(),
        urgency: Urgency::Normal,
        waiting_since: at(0),
        excluded: BTreeSet::new(),
        search: Arc::new(search()),
    }
}

fn view(point: Point) -> View {
    let profile = profile(UserId(Uuid::from_u128(1)));
    View {
        point,
        fresh_until: at(60),
        is_free: true,
        radius_m: profile.radius_m,
        vehicle_types: profile.vehicle_types,
        categories: profile.categories,
        idle_since: at(0),
        acceptance_permille: 800,
    }
}

fn eta() -> StraightLine {
    StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 }
}

fn decide(picture: &mut Picture) -> Vec<(JobId, Vec<MechanicId>)> {
    decide_by(picture, &shipped())
}

/// Who is offered what, however long it has gathered.
fn decide_by(picture: &mut Picture, policy: &MatchingPolicy) -> Vec<(JobId, Vec<MechanicId>)> {
    let open = picture.look(&eta(), policy, at(1)).open;
    offered(open, policy)
}

fn offered(open: Vec<Waiting>, policy: &MatchingPolicy) -> Vec<(JobId, Vec<MechanicId>)> {
    let mut users = Users::default();
    open.iter().for_each(|job| users.add(job.candidates.iter().map(|candidate| candidate.mechanic_id)));
    let decided = Due::all(open, policy).decide(&users, policy, at(1));
    let ids = |list: Vec<Candidate>| list.into_iter().map(|candidate| candidate.mechanic_id).collect();
    let offers = decided.decisions.into_iter().filter(|decision| !decision.chosen.is_empty());
    offers.map(|decision| (decision.job.job_id, ids(decision.chosen))).collect()
}

/// A job that could be served at these costs.
fn waiting(n: u128, want: Want, costs: &[(u128, i64)]) -> Waiting {
    let mut ids = BTreeSet::new();
    let fresh = costs.iter().filter(|(id, _)| ids.insert(*id));
    let mut candidates: Vec<_> = fresh.map(|(id, cost_s)| candidate(*id, *cost_s)).collect();
    matching::sort(&mut candidates);
    let priority_s = matching::priority(&want, &shipped(), at(1));
    let (job_id, want, ring_m) = (job(n), Arc::new(want), 3_000.0);
    Waiting { job_id, want, word: 1, word_at: at(0), priority_s, ring_m, candidates }
}

fn candidate(n: u128, cost_s: i64) -> Candidate {
    let estimate = Estimate::plain(1.0, 1.0, "test");
    let terms = Terms { eta_s: 1, eta_source: "test", refusal_s: 0, idle_s: 0, cost_s };
    Candidate { mechanic_id: mechanic(n), estimate, terms }
}

#[test]
fn each_hard_filter_has_its_name() {
    let id = mechanic(1);
    let fitness = |view: &View, want: &Want, distance_m| matching::fitness(want, id, view, distance_m, at(1));
    let good = view(CENTRE);
    assert_eq!(fitness(&good, &want(), 10.0), Ok(()));
    let cases = [
        (View { fresh_until: at(0), ..good.clone() }, want(), Unfit::StalePosition),
        (
            View { vehicle_types: [VehicleType::TwoWheeler].into(), ..good.clone() },
            want(),
            Unfit::VehicleType,
        ),
        (
            View { categories: [CategoryId(Uuid::from_u128(99))].into(), ..good.clone() },
            want(),
            Unfit::Category,
        ),
        (View { radius_m: 9.0, ..good.clone() }, want(), Unfit::OutsideOwnRadius),
        (good.clone(), Want { excluded: [id].into(), ..want() }, Unfit::Excluded),
        (View { is_free: false, ..good }, want(), Unfit::Engaged),
    ];
    for (view, want, unfit) in cases {
        assert_eq!(fitness(&view, &want, 10.0), Err(unfit));
    }
}

#[test]
fn an_empty_ring_is_widened_at_once_and_the_last_is_the_end() {
    for (metres, is_found) in [(2_900.0, true), (7_000.0, true), (19_900.0, true), (20_100.0, false)] {
        let mut picture = Picture::default();
        picture.supply(mechanic(1), Some(view(north(metres))), at(0));
        picture.demand(job(1), Some(want()), at(0));
        assert_eq!(!decide(&mut picture).is_empty(), is_found, "{metres}");
    }
}

#[test]
fn a_ring_with_anyone_in_it_is_not_widened() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(north(2_000.0))), at(0));
    picture.supply(mechanic(2), Some(view(north(4_000.0))), at(0));
    picture.demand(job(1), Some(Want { offers: 3, ..want() }), at(0));
    assert_eq!(decide(&mut picture), [(job(1), vec![mechanic(1)])]);
    picture.demand(job(1), Some(Want { offers: 3, round: 2, ..want() }), at(0));
    assert_eq!(decide(&mut picture), [(job(1), vec![mechanic(1), mechanic(2)])], "round 2 looks further");
}

#[test]
fn ties_go_to_the_lower_id_and_the_older_job() {
    let mut picture = Picture::default();
    picture.supply(mechanic(2), Some(view(north(500.0))), at(0));
    picture.supply(mechanic(1), Some(view(north(500.0))), at(0));
    picture.demand(job(1), Some(want()), at(0));
    assert_eq!(decide(&mut picture), [(job(1), vec![mechanic(1)])]);
    picture.supply(mechanic(2), None, at(0));
    picture.demand(job(0), Some(Want { waiting_since: at(1), ..want() }), at(0));
    assert_eq!(decide(&mut picture), [(job(1), vec![mechanic(1)])], "it has waited longer");
}

#[test]
fn who_has_been_idle_for_long_is_preferred_to_who_is_a_little_nearer() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(north(500.0))), at(0));
    picture.supply(mechanic(2), Some(View { idle_since: at(-3_600), ..view(north(600.0)) }), at(0));
    picture.demand(job(1), Some(want()), at(0));
    assert_eq!(decide(&mut picture), [(job(1), vec![mechanic(2)])]);
}

#[test]
fn who_often_refuses_is_asked_after_who_is_a_little_farther() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(View { acceptance_permille: 300, ..view(north(500.0)) }), at(0));
    picture.supply(mechanic(2), Some(view(north(600.0))), at(0));
    picture.demand(job(1), Some(want()), at(0));
    assert_eq!(decide(&mut picture), [(job(1), vec![mechanic(2)])]);
    let nearest = MatchingPolicy { strategy: Policy::Nearest, ..shipped() };
    assert_eq!(
        decide_by(&mut picture, &nearest),
        [(job(1), vec![mechanic(1)])],
        "unless only the way counts"
    );
}

#[test]
fn a_cost_is_the_sum_of_its_terms_and_can_not_overflow() {
    let estimate = |seconds| Estimate::plain(seconds, 1.0, "test");
    let view = View { idle_since: at(-90), acceptance_permille: 500, ..view(CENTRE) };
    let terms = matching::terms(&view, &estimate(300.0), &shipped(), at(0));
    assert_eq!((terms.refusal_s, terms.idle_s, terms.cost_s), (20, -1, 319));
    let heavy = MatchingPolicy { refusal_weight_s: i64::MAX, idle_weight_s_per_min: i64::MAX, ..shipped() };
    let never = View { acceptance_permille: 0, idle_since: at(-9_999_999), ..view };
    let terms = matching::terms(&never, &estimate(f64::MAX), &heavy, at(0));
    assert_eq!(terms.cost_s, matching::MAX_TERM_S, "no term counts for more than a day");
}

#[test]
fn urgency_and_waiting_make_priority_and_a_scheduled_job_waits_since_it_began() {
    let priority = |want: &Want, seconds| matching::priority(want, &shipped(), at(seconds));
    assert_eq!(priority(&want(), 0), 0);
    assert_eq!(priority(&want(), 90), 15);
    assert_eq!(priority(&Want { urgency: Urgency::Highway, ..want() }, 60), 310);
    assert_eq!(priority(&Want { urgency: Urgency::Accident, ..want() }, 999_999), 1_200, "an hour at most");
    assert_eq!(priority(&Want { waiting_since: at(9), ..want() }, 0), 0, "not begun");
}

#[test]
fn the_nearest_candidates_are_kept_and_engaged_ones_cost_nothing() {
    let mut picture = Picture::default();
    for n in 0..300 {
        let is_free = n % 2 == 0;
        picture.supply(mechanic(n), Some(View { is_free, ..view(north(n as f64)) }), at(0));
    }
    picture.demand(job(1), Some(want()), at(0));
    let open = picture.look(&eta(), &shipped(), at(1)).open;
    let kept: BTreeSet<_> = open[0].candidates.iter().map(|candidate| candidate.mechanic_id).collect();
    let nearest = (0..matching::MAX_CANDIDATES as u128).map(|n| mechanic(2 * n));
    assert_eq!(kept, nearest.collect());
    let all = picture.within(&want(), 3_000.0).count();
    assert_eq!(all, 300, "they can be told of");
}

#[test]
fn what_is_proposed_waits_for_the_jobs_own_word() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(CENTRE)), at(0));
    picture.demand(job(1), Some(want()), at(0));
    picture.propose(job(1));
    assert!(picture.awake() == 0 && decide(&mut picture).is_empty());
    picture.wake(job(1));
    assert_eq!(picture.awake(), 1);
    picture.take(mechanic(1));
    assert_eq!(decide(&mut picture), [], "taken until its own word says otherwise");
    picture.supply(mechanic(1), Some(view(CENTRE)), at(0));
    assert_eq!(decide(&mut picture).len(), 1);
    picture.propose(job(1));
    picture.demand(job(1), None, at(0));
    assert_eq!(picture.sizes(), (0, 1, 1));
}

#[test]
fn a_job_that_nobody_fits_sleeps_until_somebody_does() {
    let mut picture = Picture::default();
    picture.demand(job(1), Some(want()), at(0));
    assert!(decide(&mut picture).is_empty());
    assert_eq!(picture.awake(), 0);
    let unfit = View { vehicle_types: [VehicleType::TwoWheeler].into(), ..view(CENTRE) };
    for view in [unfit, View { is_free: false, ..view(CENTRE) }, view(north(20_100.0))] {
        assert!(!picture.supply(mechanic(1), Some(view), at(0)), "it does not fit");
    }
    assert!(picture.supply(mechanic(1), Some(view(north(19_900.0))), at(0)), "freed, or moved into reach");
    assert_eq!(decide(&mut picture).len(), 1);
    picture.take(mechanic(1));
    assert!(decide(&mut picture).is_empty());
    picture.wake_forgotten(at(10));
    assert_eq!(picture.awake(), 0);
    picture.wake_forgotten(at(11));
    assert_eq!(picture.awake(), 1, "nothing hangs on a single word");
}

#[test]
fn what_is_decided_elsewhere_is_begun_once_and_dropped_when_its_job_changed() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(CENTRE)), at(0));
    picture.demand(job(1), Some(want()), at(0));
    let held = picture.look(&eta(), &shipped(), at(1)).open.remove(0);
    picture.hold(&held);
    assert_eq!(picture.used_by_held().collect::<Vec<_>>(), [mechanic(1)]);
    picture.demand(job(1), Some(want()), at(0));
    assert_eq!(picture.awake(), 0, "its word is the same");
    assert!(picture.release(job(1), held.word));
    picture.hold(&held);
    picture.demand(job(1), Some(Want { round: 2, ..want() }), at(0));
    assert_eq!(picture.awake(), 0, "no second decision is begun beside the first");
    assert!(!picture.release(job(1), held.word), "it was made for another round");
    assert_eq!(picture.awake(), 1);
    picture.hold(&held);
    picture.demand(job(1), None, at(0));
    assert!(!picture.release(job(1), held.word));
    assert_eq!(picture.awake(), 0);
    assert!(picture.still_fits(&held, mechanic(1), at(60)));
    assert!(!picture.still_fits(&held, mechanic(1), at(61)), "stale");
    picture.take(mechanic(1));
    assert!(!picture.still_fits(&held, mechanic(1), at(1)));
}

#[test]
fn an_eta_table_takes_the_place_of_the_straight_line() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(north(500.0))), at(0));
    picture.supply(mechanic(2), Some(view(north(900.0))), at(0));
    picture.supply(mechanic(3), Some(view(north(100.0))), at(0));
    picture.demand(job(1), Some(want()), at(0));
    let estimate = |seconds| Estimate::plain(seconds, 900.0, "table");
    let estimates = [(mechanic(1), estimate(800.0)), (mechanic(2), estimate(300.0))].into();
    let table = Estimated { job_id: job(1), estimates };
    let looked = picture.look_by_table(&table, &shipped(), at(1)).unwrap();
    let order: Vec<_> = looked.candidates.iter().map(|candidate| candidate.mechanic_id).collect();
    assert_eq!(order, [mechanic(2), mechanic(1)], "who is not in the table is left out");
    picture.take(mechanic(2));
    let looked = picture.look_by_table(&table, &shipped(), at(1)).unwrap();
    assert_eq!(looked.candidates.len(), 1, "who was taken meanwhile, too");
}
