//! Tests of nearness and of offers, without actors.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use uuid::Uuid;

mod advice;
mod assignment;
mod components;
mod costs;
mod explaining;
mod index;
mod nearby;
mod outlook;
mod passes;
mod pricing;
mod solving;

use super::{
    answers::CandidateUse,
    census::Census,
    matching::{self, Candidate, Online, Terms, Unfit, WaitingJob},
    planning::Due,
    pricing::{Price, Prices, Skills},
    queries::AvailabilityQuery,
    state::{DispatchState, JobEstimates},
};
use crate::{
    eta::{EtaSource, StraightLine, TripEstimate},
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, UserId},
    messages::{Demand, Supply},
    settings::{MatchingPolicy, Strategy as Policy},
    simulation::world::{CENTRE, category, matching as shipped, morning, north, profile, search},
    status::Urgency,
    vehicle::VehicleType,
};

fn mechanic(n: u128) -> MechanicId {
    MechanicId(Uuid::from_u128(n))
}

fn job(n: u128) -> JobId {
    JobId(Uuid::from_u128(n))
}

fn supplies(state: &DispatchState) -> impl Iterator<Item = &Supply> {
    state.mechanics().map(|(_, supply)| supply)
}

fn census<'a>(supplies: impl Iterator<Item = &'a Supply>) -> Census {
    let mut census = Census::default();
    for supply in supplies {
        census.enter(supply, &Prices::default());
    }
    census
}

fn price(prices: &Prices, supply: &Supply) -> Price {
    prices.price(supply.point.cell(), &Skills::of(supply))
}

fn at(seconds: i64) -> DateTime<Utc> {
    morning() + TimeDelta::seconds(seconds)
}

fn demand() -> Demand {
    Demand {
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

fn supply(point: Point) -> Supply {
    let profile = profile(UserId(Uuid::from_u128(1)));
    Supply {
        point,
        fresh_until: at(60),
        is_parked: false,
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

fn decide(state: &mut DispatchState) -> Vec<(JobId, Vec<MechanicId>)> {
    decide_by(state, &shipped())
}

/// Returns the mechanics who are offered each job, however long jobs have gathered.
fn decide_by(state: &mut DispatchState, policy: &MatchingPolicy) -> Vec<(JobId, Vec<MechanicId>)> {
    let open = state.look(&eta(), policy, at(1)).open;
    offered(open, policy)
}

fn offered(open: Vec<WaitingJob>, policy: &MatchingPolicy) -> Vec<(JobId, Vec<MechanicId>)> {
    let mut uses = CandidateUse::default();
    open.iter().for_each(|job| uses.add(job.candidates.iter().map(|candidate| candidate.mechanic_id)));
    let decided = Due::all(open, policy).decide(&uses, policy, at(1));
    let ids = |list: Vec<Candidate>| list.into_iter().map(|candidate| candidate.mechanic_id).collect();
    let offers = decided.decisions.into_iter().filter(|decision| !decision.chosen.is_empty());
    offers.map(|decision| (decision.job.job_id, ids(decision.chosen))).collect()
}

/// Returns a job that could be served at these costs.
fn waiting(n: u128, demand: Demand, costs: &[(u128, i64)]) -> WaitingJob {
    let mut ids = BTreeSet::new();
    let fresh = costs.iter().filter(|(id, _)| ids.insert(*id));
    let mut candidates: Vec<_> = fresh.map(|(id, cost_s)| candidate(*id, *cost_s)).collect();
    matching::sort(&mut candidates);
    let priority_s = matching::priority(&demand, &shipped(), at(1));
    let (job_id, demand, ring_m) = (job(n), Arc::new(demand), 3_000.0);
    WaitingJob {
        job_id,
        demand,
        revision: 1,
        round_since: at(0),
        priority_s,
        ring_m,
        candidates,
        held: Vec::new(),
    }
}

fn candidate(n: u128, cost_s: i64) -> Candidate {
    let estimate = TripEstimate::plain(1.0, 1.0, EtaSource::StraightLine);
    let terms = Terms {
        eta_s: 1,
        eta_source: estimate.source,
        refusal_s: 0,
        idle_s: 0,
        parked_s: 0,
        foresight: None,
        cost_s,
    };
    Candidate { mechanic_id: mechanic(n), estimate, terms, is_parked: false }
}

#[test]
fn each_hard_filter_has_its_name() {
    let id = mechanic(1);
    let fitness = |supply: &Supply, demand: &Demand, distance_m| {
        matching::fitness(demand, id, supply, distance_m, at(1))
    };
    let good = supply(CENTRE);
    assert_eq!(fitness(&good, &demand(), 10.0), Ok(()));
    let cases = [
        (Supply { fresh_until: at(0), ..good.clone() }, demand(), Unfit::StalePosition),
        (
            Supply { vehicle_types: BTreeSet::from([VehicleType::TwoWheeler]).into(), ..good.clone() },
            demand(),
            Unfit::VehicleType,
        ),
        (
            Supply { categories: BTreeSet::from([CategoryId(Uuid::from_u128(99))]).into(), ..good.clone() },
            demand(),
            Unfit::Category,
        ),
        (Supply { radius_m: 9.0, ..good.clone() }, demand(), Unfit::OutsideOwnRadius),
        (good.clone(), Demand { excluded: [id].into(), ..demand() }, Unfit::Excluded),
        (Supply { is_free: false, ..good }, demand(), Unfit::Engaged),
    ];
    for (supply, demand, unfit) in cases {
        assert_eq!(fitness(&supply, &demand, 10.0), Err(unfit));
    }
}

#[test]
fn an_empty_ring_is_widened_at_once_up_to_the_last_one() {
    for (metres, is_found) in [(2_900.0, true), (7_000.0, true), (19_900.0, true), (20_100.0, false)] {
        let mut state = DispatchState::default();
        state.update_supply(mechanic(1), Some(supply(north(metres))), at(0));
        state.update_demand(job(1), Some(demand()), at(0));
        assert_eq!(!decide(&mut state).is_empty(), is_found, "{metres}");
    }
}

#[test]
fn a_ring_with_a_mechanic_in_it_is_not_widened() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(1), Some(supply(north(2_000.0))), at(0));
    state.update_supply(mechanic(2), Some(supply(north(4_000.0))), at(0));
    state.update_demand(job(1), Some(Demand { offers: 3, ..demand() }), at(0));
    assert_eq!(decide(&mut state), [(job(1), vec![mechanic(1)])]);
    state.update_demand(job(1), Some(Demand { offers: 3, round: 2, ..demand() }), at(0));
    assert_eq!(decide(&mut state), [(job(1), vec![mechanic(1), mechanic(2)])], "round 2 looks further");
}

#[test]
fn ties_go_to_the_lower_id_and_the_older_job() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(2), Some(supply(north(500.0))), at(0));
    state.update_supply(mechanic(1), Some(supply(north(500.0))), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    assert_eq!(decide(&mut state), [(job(1), vec![mechanic(1)])]);
    state.update_supply(mechanic(2), None, at(0));
    state.update_demand(job(0), Some(Demand { waiting_since: at(1), ..demand() }), at(0));
    assert_eq!(decide(&mut state), [(job(1), vec![mechanic(1)])], "it has waited longer");
}

#[test]
fn a_long_idle_mechanic_is_preferred_to_one_a_little_nearer() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(1), Some(supply(north(500.0))), at(0));
    state.update_supply(mechanic(2), Some(Supply { idle_since: at(-3_600), ..supply(north(600.0)) }), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    assert_eq!(decide(&mut state), [(job(1), vec![mechanic(2)])]);
}

#[test]
fn a_mechanic_who_often_refuses_is_asked_after_one_a_little_farther() {
    let mut state = DispatchState::default();
    state.update_supply(
        mechanic(1),
        Some(Supply { acceptance_permille: 300, ..supply(north(500.0)) }),
        at(0),
    );
    state.update_supply(mechanic(2), Some(supply(north(600.0))), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    assert_eq!(decide(&mut state), [(job(1), vec![mechanic(2)])]);
    let nearest = MatchingPolicy { strategy: Policy::Nearest, ..shipped() };
    assert_eq!(decide_by(&mut state, &nearest), [(job(1), vec![mechanic(1)])], "unless only the way counts");
}

#[test]
fn a_cost_is_the_sum_of_its_terms_and_cannot_overflow() {
    let estimate = |seconds| TripEstimate::plain(seconds, 1.0, EtaSource::StraightLine);
    let supply = Supply { idle_since: at(-90), acceptance_permille: 500, ..supply(CENTRE) };
    let online = |supply: &Supply| Online { supply: supply.clone(), price: Price::default() };
    let terms = matching::terms(&online(&supply), &estimate(300.0), &shipped(), None, at(0));
    assert_eq!((terms.refusal_s, terms.idle_s, terms.cost_s), (20, -1, 319));
    let heavy = MatchingPolicy { refusal_weight_s: i64::MAX, idle_weight_s_per_min: i64::MAX, ..shipped() };
    let never = Supply { acceptance_permille: 0, idle_since: at(-9_999_999), ..supply };
    let terms = matching::terms(&online(&never), &estimate(f64::MAX), &heavy, None, at(0));
    assert_eq!(terms.cost_s, matching::MAX_TERM_S, "no term counts for more than a day");
}

#[test]
fn urgency_and_waiting_make_priority_and_a_scheduled_job_waits_since_it_began() {
    let priority = |demand: &Demand, seconds| matching::priority(demand, &shipped(), at(seconds));
    assert_eq!(priority(&demand(), 0), 0);
    assert_eq!(priority(&demand(), 90), 15);
    assert_eq!(priority(&Demand { urgency: Urgency::Highway, ..demand() }, 60), 310);
    assert_eq!(
        priority(&Demand { urgency: Urgency::Accident, ..demand() }, 999_999),
        1_200,
        "an hour at most"
    );
    assert_eq!(priority(&Demand { waiting_since: at(9), ..demand() }, 0), 0, "not begun");
}

#[test]
fn the_nearest_candidates_are_kept_and_engaged_ones_cost_nothing() {
    let mut state = DispatchState::default();
    for n in 0..300 {
        let is_free = n % 2 == 0;
        state.update_supply(mechanic(n), Some(Supply { is_free, ..supply(north(n as f64)) }), at(0));
    }
    state.update_demand(job(1), Some(demand()), at(0));
    let open = state.look(&eta(), &shipped(), at(1)).open;
    let kept: BTreeSet<_> = open[0].candidates.iter().map(|candidate| candidate.mechanic_id).collect();
    let nearest = (0..matching::MAX_CANDIDATES as u128).map(|n| mechanic(2 * n));
    assert_eq!(kept, nearest.collect());
    let all = state.nearest_of_all(&demand(), 3_000.0).count();
    assert_eq!(all, 300, "they can be told of");
}

proptest! {
    #[test]
    fn the_nearest_cells_are_the_same_however_few_are_asked_for(
        places in prop::collection::vec((-0.03..0.03_f64, -0.03..0.03_f64), 0..200),
        most in 1..220_usize,
    ) {
        let mut state = DispatchState::default();
        for (n, (lat, lng)) in (0_u128..).zip(&places) {
            let place = Point::new(CENTRE.lat + lat, CENTRE.lng + lng);
            state.update_supply(mechanic(n), Some(supply(place)), at(0));
        }
        let of = |most: usize| {
            let (vehicle_type, category_id) = (VehicleType::FourWheeler, category());
            let query = AvailabilityQuery { pickup: CENTRE, vehicle_type, category_id, within_m: 3_000.0, most };
            state.availability(&query, &eta(), at(1))
        };
        let (all, some) = (of(usize::MAX), of(most));
        prop_assert_eq!(some.count, all.count.min(most));
        prop_assert_eq!(some.nearest, all.nearest);
        prop_assert_eq!(&some.cells, &all.cells.into_iter().take(most).collect::<Vec<_>>());
    }
}

#[test]
fn a_proposed_job_waits_for_its_own_update() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(1), Some(supply(CENTRE)), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    state.mark_proposed(job(1));
    assert!(state.ready() == 0 && decide(&mut state).is_empty());
    state.mark_ready(job(1));
    assert_eq!(state.ready(), 1);
    state.take(mechanic(1));
    assert_eq!(decide(&mut state), [], "taken until their own report says otherwise");
    state.update_supply(mechanic(1), Some(supply(CENTRE)), at(0));
    assert_eq!(decide(&mut state).len(), 1);
    state.mark_proposed(job(1));
    state.update_demand(job(1), None, at(0));
    assert_eq!(state.sizes(), (0, 1, 1));
}

#[test]
fn a_job_that_no_mechanic_fits_sleeps_until_one_does() {
    let mut state = DispatchState::default();
    state.update_demand(job(1), Some(demand()), at(0));
    assert!(decide(&mut state).is_empty());
    assert_eq!(state.ready(), 0);
    let unfit = Supply { vehicle_types: BTreeSet::from([VehicleType::TwoWheeler]).into(), ..supply(CENTRE) };
    for supply in [unfit, Supply { is_free: false, ..supply(CENTRE) }, supply(north(20_100.0))] {
        assert!(!state.update_supply(mechanic(1), Some(supply), at(0)), "it does not fit");
    }
    assert!(
        state.update_supply(mechanic(1), Some(supply(north(19_900.0))), at(0)),
        "freed, or moved into reach"
    );
    assert_eq!(decide(&mut state).len(), 1);
    state.take(mechanic(1));
    assert!(decide(&mut state).is_empty());
    state.retry_overdue(at(10));
    assert_eq!(state.ready(), 0);
    state.retry_overdue(at(11));
    assert_eq!(state.ready(), 1, "no update is indispensable");
}

#[test]
fn a_decision_made_elsewhere_begins_once_and_is_dropped_if_its_job_changed() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(1), Some(supply(CENTRE)), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    let pending = state.look(&eta(), &shipped(), at(1)).open.remove(0);
    state.mark_pending(&pending);
    assert_eq!(state.used_by_pending().collect::<Vec<_>>(), [mechanic(1)]);
    state.update_demand(job(1), Some(demand()), at(0));
    assert_eq!(state.ready(), 0, "its revision is the same");
    assert!(state.resolve_pending(job(1), pending.revision));
    state.mark_pending(&pending);
    state.update_demand(job(1), Some(Demand { round: 2, ..demand() }), at(0));
    assert_eq!(state.ready(), 0, "no second decision is begun beside the first");
    assert!(!state.resolve_pending(job(1), pending.revision), "it was made for another round");
    assert_eq!(state.ready(), 1);
    state.mark_pending(&pending);
    state.update_demand(job(1), None, at(0));
    assert!(!state.resolve_pending(job(1), pending.revision));
    assert_eq!(state.ready(), 0);
    assert!(state.still_fits(&pending, mechanic(1), at(60)));
    assert!(!state.still_fits(&pending, mechanic(1), at(61)), "stale");
    state.take(mechanic(1));
    assert!(!state.still_fits(&pending, mechanic(1), at(1)));
}

#[test]
fn an_eta_table_replaces_the_straight_line() {
    let mut state = DispatchState::default();
    state.update_supply(mechanic(1), Some(supply(north(500.0))), at(0));
    state.update_supply(mechanic(2), Some(supply(north(900.0))), at(0));
    state.update_supply(mechanic(3), Some(supply(north(100.0))), at(0));
    state.update_demand(job(1), Some(demand()), at(0));
    let estimate = |seconds| TripEstimate::plain(seconds, 900.0, EtaSource::Osrm);
    let estimates = [(mechanic(1), estimate(800.0)), (mechanic(2), estimate(300.0))].into();
    let table = JobEstimates { job_id: job(1), estimates };
    let looked = state.look_by_table(&table, &shipped(), at(1)).unwrap();
    let order: Vec<_> = looked.candidates.iter().map(|candidate| candidate.mechanic_id).collect();
    assert_eq!(order, [mechanic(2), mechanic(1)], "who is not in the table is left out");
    state.take(mechanic(2));
    let looked = state.look_by_table(&table, &shipped(), at(1)).unwrap();
    assert_eq!(looked.candidates.len(), 1, "who was taken meanwhile, too");
}
