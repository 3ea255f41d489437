//! Who is near and who is offered what, without actors.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use uuid::Uuid;

mod assignment;
mod index;

use super::{
    matching::{self, Candidate, Unfit, Waiting},
    messages::{View, Want},
    state::Picture,
};
use crate::{
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, UserId},
    ports::{Estimate, StraightLine},
    simulation::world::{CENTRE, category, morning, north, profile, search, settings},
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
        pickup: CENTRE,
        vehicle_type: VehicleType::FourWheeler,
        category_id: category(),
        created_at: at(0),
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

fn decide(picture: &Picture) -> Vec<(JobId, Vec<MechanicId>)> {
    let chosen = picture.decide(&eta(), &settings().matching, at(1));
    chosen.into_iter().map(|(id, list)| (id, list.into_iter().map(|c| c.mechanic_id).collect())).collect()
}

proptest! {
    #[test]
    fn nobody_is_offered_twice_and_nobody_hoards(
        candidates in proptest::collection::vec(
            proptest::collection::vec((0_u128..12, 0_i64..1_000), 0..8), 1..6),
        offers in 1_usize..6,
    ) {
        let candidate = |(id, cost_s): &(u128, i64)| Candidate {
            mechanic_id: mechanic(*id),
            estimate: Estimate { eta_s: 1, distance_m: 1, source: "test" },
            cost_s: *cost_s,
        };
        let waiting: Vec<_> = candidates
            .iter()
            .enumerate()
            .map(|(n, list)| {
                let mut ids = BTreeSet::new();
                let mut list: Vec<_> = list.iter().filter(|(id, _)| ids.insert(*id)).map(candidate).collect();
                list.sort_by_key(|c| (c.cost_s, c.mechanic_id));
                Waiting { job_id: job(n as u128), created_at: at(0), offers, candidates: list }
            })
            .collect();
        let chosen = matching::choose(waiting.clone());
        let mut taken = BTreeSet::new();
        for (id, list) in &chosen {
            prop_assert!(list.len() <= offers);
            for (n, one) in list.iter().enumerate() {
                prop_assert!(taken.insert(one.mechanic_id), "{} twice", one.mechanic_id);
                let users = waiting.iter().filter(|w| w.candidates.iter().any(|c| c.mechanic_id == one.mechanic_id));
                prop_assert!(n == 0 || users.count() == 1, "{id} hoards");
            }
        }
        for lone in waiting.iter().filter(|w| !chosen.contains_key(&w.job_id)) {
            prop_assert!(lone.candidates.iter().all(|c| taken.contains(&c.mechanic_id)), "left out for nothing");
        }
        let mut reversed = waiting.clone();
        reversed.reverse();
        prop_assert_eq!(matching::choose(reversed), chosen, "the order of arrival changes nothing");
    }
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
        picture.supply(mechanic(1), Some(view(north(metres))));
        picture.demand(job(1), Some(want()));
        assert_eq!(!decide(&picture).is_empty(), is_found, "{metres}");
    }
}

#[test]
fn a_ring_with_anyone_in_it_is_not_widened() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(north(2_000.0))));
    picture.supply(mechanic(2), Some(view(north(4_000.0))));
    picture.demand(job(1), Some(Want { offers: 3, ..want() }));
    assert_eq!(decide(&picture), [(job(1), vec![mechanic(1)])]);
    picture.demand(job(1), Some(Want { offers: 3, round: 2, ..want() }));
    assert_eq!(decide(&picture), [(job(1), vec![mechanic(1), mechanic(2)])], "round 2 looks further");
}

#[test]
fn ties_go_to_the_lower_id_and_the_older_job() {
    let mut picture = Picture::default();
    picture.supply(mechanic(2), Some(view(north(500.0))));
    picture.supply(mechanic(1), Some(view(north(500.0))));
    picture.demand(job(1), Some(want()));
    assert_eq!(decide(&picture), [(job(1), vec![mechanic(1)])]);
    picture.supply(mechanic(2), None);
    picture.demand(job(0), Some(Want { created_at: at(1), ..want() }));
    assert_eq!(decide(&picture), [(job(1), vec![mechanic(1)])], "it has waited longer");
}

#[test]
fn who_has_been_idle_for_long_is_preferred_to_who_is_a_little_nearer() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(north(500.0))));
    picture.supply(mechanic(2), Some(View { idle_since: at(-3_600), ..view(north(600.0)) }));
    picture.demand(job(1), Some(want()));
    assert_eq!(decide(&picture), [(job(1), vec![mechanic(2)])]);
}

#[test]
fn what_is_proposed_waits_for_the_jobs_own_word() {
    let mut picture = Picture::default();
    picture.supply(mechanic(1), Some(view(CENTRE)));
    picture.demand(job(1), Some(want()));
    picture.propose(job(1));
    assert!(!picture.is_anyone_waiting() && decide(&picture).is_empty());
    picture.withdraw(job(1));
    assert!(picture.is_anyone_waiting());
    picture.take(mechanic(1));
    assert_eq!(decide(&picture), [], "taken until its own word says otherwise");
    picture.supply(mechanic(1), Some(view(CENTRE)));
    assert_eq!(decide(&picture).len(), 1);
    picture.propose(job(1));
    picture.demand(job(1), None);
    assert!(!picture.is_anyone_waiting());
    assert_eq!(picture.counts().waiting_jobs, 0);
}
