//! Compares what the state answers about mechanics with a look at each of them.

use std::collections::BTreeMap;

use super::{
    super::{
        answers::Decision,
        explain::MAX_CONSIDERED,
        explaining::explanation,
        queries::{Availability, CandidatesQuery, NearestQuery},
    },
    *,
};

type Fleet = BTreeMap<MechanicId, Supply>;

/// Generates mechanics within some kilometres: free and engaged, with and without the skill, with fresh and old positions.
fn any_mechanic() -> impl Strategy<Value = Supply> {
    let place = (-0.03..0.03_f64, -0.03..0.03_f64).prop_map(|(lat, lng)| beside(lat, lng));
    let chance = || prop::bool::weighted(0.8);
    (place, chance(), chance(), chance(), 500.0..6_000.0_f64).prop_map(
        |(point, is_free, is_skilled, is_fresh, radius_m)| {
            let categories: BTreeSet<_> = is_skilled.then(category).into_iter().collect();
            let fresh_until = if is_fresh { at(60) } else { at(0) };
            Supply { is_free, categories: categories.into(), fresh_until, radius_m, ..supply(point) }
        },
    )
}

fn beside(lat: f64, lng: f64) -> Point {
    Point::new(CENTRE.lat + lat, CENTRE.lng + lng)
}

fn state_of(fleet: &Fleet) -> DispatchState {
    let mut state = DispatchState::default();
    for (id, supply) in fleet {
        state.update_supply(*id, Some(supply.clone()), at(0));
    }
    state
}

fn numbered(fleet: Vec<Supply>) -> Fleet {
    (0..).map(mechanic).zip(fleet).collect()
}

/// Returns the mechanics who pass, with their distances from the pickup, nearest first, ties by id.
fn by_distance(fleet: &Fleet, passes: impl Fn(&Supply, f64) -> bool) -> Vec<(MechanicId, f64)> {
    let all = fleet.iter().map(|(id, supply)| (*id, supply, CENTRE.distance_m(supply.point)));
    let mut found: Vec<_> =
        all.filter(|(_, supply, m)| passes(supply, *m)).map(|(id, _, m)| (id, m)).collect();
    found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    found
}

fn serves(supply: &Supply, distance_m: f64) -> bool {
    supply.is_free && supply.could_serve(VehicleType::FourWheeler, category(), distance_m, at(1))
}

proptest! {
    #[test]
    fn availability_is_what_a_look_at_every_mechanic_finds(
        fleet in prop::collection::vec(any_mechanic(), 0..200),
        most in 0..60_usize,
        within_m in 100.0..4_000.0_f64,
    ) {
        let fleet = numbered(fleet);
        let (vehicle_type, category_id) = (VehicleType::FourWheeler, category());
        let query = AvailabilityQuery { pickup: CENTRE, vehicle_type, category_id, within_m, most };
        let cells = fleet.values().map(|supply| (supply, supply.point.snapped(Availability::CELL_M)));
        let cells = cells.map(|(supply, cell)| (supply, CENTRE.distance_m(cell), cell));
        let fit = cells.filter(|(supply, m, _)| *m <= within_m && serves(supply, *m));
        let mut cells: Vec<_> = fit.map(|(_, m, cell)| (m, cell)).collect();
        cells.sort_by(|(a, one), (b, other)| {
            a.total_cmp(b).then(one.lat.total_cmp(&other.lat)).then(one.lng.total_cmp(&other.lng))
        });
        cells.truncate(most);
        let found = state_of(&fleet).availability(&query, &eta(), at(1));
        prop_assert_eq!(found.count, cells.len());
        prop_assert_eq!(found.nearest, cells.first().map(|(_, cell)| eta().estimate(*cell, CENTRE, at(1))));
        let shown: Vec<_> = cells.into_iter().take(Availability::MAX_CELLS).map(|(_, cell)| cell).collect();
        prop_assert_eq!(found.cells, shown);
    }

    #[test]
    fn the_nearest_are_those_that_a_look_at_every_mechanic_finds(
        fleet in prop::collection::vec(any_mechanic(), 0..200),
        k in 0..60_usize,
        within_m in 100.0..4_000.0_f64,
    ) {
        let fleet = numbered(fleet);
        let state = state_of(&fleet);
        let (vehicle_type, category_id) = (VehicleType::FourWheeler, category());
        let query = NearestQuery { pickup: CENTRE, vehicle_type, category_id, within_m, k };
        let mut expected = by_distance(&fleet, |supply, m| m <= within_m && serves(supply, m));
        expected.truncate(k);
        prop_assert_eq!(state.nearest(&query, at(1)), expected);
        let everybody = by_distance(&fleet, |_, m| m <= within_m);
        let query = CandidatesQuery { demand: demand(), within_m, k };
        let found = state.candidates(&query, at(1)).into_iter().map(|near| near.id);
        prop_assert!(found.eq(everybody.into_iter().take(k).map(|(id, _)| id)));
    }

    #[test]
    fn a_move_is_the_same_as_a_whole_report_from_the_new_place(
        first in prop::collection::vec(any_mechanic(), 1..20),
        moves in prop::collection::vec((0..25_u128, -0.4..0.4_f64, -0.4..0.4_f64, 0..90_i64), 0..40),
        is_far in any::<bool>(),
    ) {
        let (mut fleet, pickup) = (numbered(first), beside(if is_far { 0.3 } else { 0.0 }, 0.0));
        let (mut moved, mut reported) = (state_of(&fleet), state_of(&fleet));
        for (n, lat, lng, fresh_s) in moves {
            for state in [&mut moved, &mut reported] {
                state.update_demand(job(1), Some(Demand { pickup, ..demand() }), at(0));
                state.mark_unmatched(job(1));
            }
            let (point, fresh_until) = (beside(lat, lng), at(fresh_s));
            let whole = fleet.get_mut(&mechanic(n)).map(|supply| {
                (supply.point, supply.fresh_until) = (point, fresh_until);
                supply.clone()
            });
            let expected = whole.map(|supply| reported.update_supply(mechanic(n), Some(supply), at(1)));
            prop_assert_eq!(moved.update_position(mechanic(n), point, fresh_until, at(1)), expected);
            prop_assert_eq!(moved.ready(), reported.ready());
        }
        for id in fleet.keys() {
            prop_assert_eq!(moved.supply(*id), fleet.get(id));
        }
        let within = |state: &DispatchState| -> Vec<_> {
            state.nearest_of_all(&demand(), 40_000.0).map(|(id, _, m)| (id, m)).collect()
        };
        prop_assert_eq!(within(&moved), by_distance(&fleet, |_, m| m <= 40_000.0));
    }

    #[test]
    fn a_record_of_a_small_fleet_counts_exactly_those_whom_it_leaves_out(
        fleet in prop::collection::vec(any_mechanic(), 1..200),
    ) {
        let fleet = numbered(fleet);
        let mut state = state_of(&fleet);
        state.update_demand(job(1), Some(demand()), at(0));
        let look = state.look(&eta(), &shipped(), at(1));
        let job = look.open.into_iter().chain(look.unmatched).next().expect("the job");
        let told = explanation(&state, &Decision::nobody(job, Policy::Exact, at(1)), &BTreeSet::new());
        let in_ring = by_distance(&fleet, |_, m| m <= told.ring_m);
        prop_assert_eq!(told.considered.len() + told.omitted as usize, in_ring.len());
        let nearest: BTreeSet<_> = told.considered.iter().map(|one| one.mechanic_id).collect();
        prop_assert!(nearest.len() == in_ring.len().min(MAX_CONSIDERED) || told.omitted > 0);
        prop_assert!(nearest.iter().all(|id| in_ring.iter().any(|(other, _)| other == id)));
    }
}

#[test]
fn a_mechanic_who_was_taken_stays_taken_when_they_move() {
    let mut state = state_of(&numbered(vec![supply(CENTRE)]));
    state.take(mechanic(0));
    assert_eq!(state.update_position(mechanic(0), north(100.0), at(90), at(1)), Some(false));
    let taken = state.supply(mechanic(0)).expect("they are online");
    assert_eq!((taken.is_free, taken.point, taken.fresh_until), (false, north(100.0), at(90)));
}

#[test]
fn mechanics_with_the_same_skills_share_one_copy_of_them() {
    let state = state_of(&numbered(vec![supply(CENTRE), supply(north(100.0))]));
    let [one, other] = [0, 1].map(|n| state.supply(mechanic(n)).expect("they are online"));
    assert!(Arc::ptr_eq(&one.categories, &other.categories));
    assert!(Arc::ptr_eq(&one.vehicle_types, &other.vehicle_types));
}
