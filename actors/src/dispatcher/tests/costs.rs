//! Tests of the cost of an offer, and of the reach of a look.

use super::{super::worth::Worth, *};
use crate::simulation::world::pricing as shipped_prices;

fn online(supply: Supply) -> Online {
    Online { supply, price: Price { per_hour: 0.8, calls_per_s: 1.0 / 900.0 } }
}

fn estimate(seconds: f64) -> TripEstimate {
    TripEstimate::plain(seconds, 1.0, EtaSource::StraightLine)
}

#[test]
fn the_cost_of_time_and_of_lateness_is_added_to_the_travel_time_and_every_other_term() {
    let policy = MatchingPolicy { pricing: Some(shipped_prices()), ..shipped() };
    let (demand, prices) = (demand(), Prices::default());
    let worth = Worth::of(&demand, &policy, &prices, at(0)).expect("prices are on");
    let supply = Supply { is_parked: true, idle_since: at(-90), acceptance_permille: 500, ..supply(CENTRE) };
    let terms = matching::terms(&online(supply.clone()), &estimate(1_200.0), &policy, Some(&worth), at(0));
    assert_eq!((terms.eta_s, terms.refusal_s, terms.idle_s, terms.parked_s), (1_200, 20, -1, 60));
    let foresight = terms.foresight.expect("prices are on");
    assert!(foresight.price_s > 0 && foresight.late_s > 0, "{foresight:?}");
    assert_eq!(terms.cost_s, 1_200 + 20 - 1 + 60 + foresight.price_s + foresight.late_s);
    // The price is 0.8 / (1 + 90 / 900 / 2).
    assert_eq!((foresight.class_price_per_hour_milli, foresight.price_per_hour_milli), (800, 762));
    let plain = matching::terms(&online(supply), &estimate(1_200.0), &policy, None, at(0));
    assert_eq!((plain.cost_s, plain.foresight), (1_200 + 20 - 1 + 60, None));
}

#[test]
fn a_ring_includes_its_edge_and_is_widened_up_to_the_last_one() {
    let mechanic_there = online(Supply { radius_m: 1e6, ..supply(CENTRE) });
    let look = |demand: &Demand, policy: &MatchingPolicy, distances: &[f64]| {
        let near = (0..).zip(distances).map(|(n, metres)| (mechanic(n), &mechanic_there, *metres));
        let found = matching::candidates(demand, near, |_, _| Some(estimate(60.0)), policy, None, at(1));
        (found.ring_m, found.candidates.len())
    };
    for (distances, expected) in [
        (&[100.0, 3_000.0, 3_000.1][..], (3_000.0, 2)),
        (&[3_000.1, 5_000.0, 5_000.1], (5_000.0, 2)),
        (&[20_000.0, 20_000.1], (20_000.0, 1)),
        (&[20_000.1], (20_000.0, 0)),
    ] {
        assert_eq!(look(&demand(), &shipped(), distances), expected, "{distances:?}");
    }
    let asked = Demand { has_offer: true, ..demand() };
    let broadcast = MatchingPolicy { strategy: Policy::Broadcast, ..shipped() };
    for (what, demand, policy, expected) in [
        ("nobody was asked yet", &demand(), &broadcast, (5_000.0, 1)),
        ("the others are for the next round", &asked, &broadcast, (20_000.0, 0)),
        ("one offer after another", &asked, &shipped(), (5_000.0, 1)),
    ] {
        assert_eq!(look(demand, policy, &[3_000.1]), expected, "{what}");
    }
}

#[test]
fn mechanics_who_are_held_back_count_towards_the_limit_of_candidates() {
    let policy = MatchingPolicy { pricing: Some(shipped_prices()), ..shipped() };
    let (late, prices) = (Demand { waiting_since: at(-1_700), ..demand() }, Prices::default());
    let worth = Worth::of(&late, &policy, &prices, at(0));
    let dear = online(supply(CENTRE));
    let cheap = Online { price: Price::default(), ..dear.clone() };
    let near = (0..100).map(|n| (mechanic(n), if n < 30 { &cheap } else { &dear }, 10.0));
    let found =
        matching::candidates(&late, near, |_, _| Some(estimate(600.0)), &policy, worth.as_ref(), at(0));
    assert_eq!((found.candidates.len(), found.held.len()), (30, 34));
}

#[test]
fn a_report_leaves_a_mechanic_in_their_group_while_they_are_in_its_cell_and_can_do_the_same() {
    let (grouped, again) = (online(supply(CENTRE)), supply(CENTRE));
    assert!(grouped.is_grouped_as(&again));
    assert!(grouped.is_grouped_as(&Supply { is_free: false, point: north(10.0), ..again.clone() }));
    for (what, supply) in [
        ("another cell", Supply { point: north(25_000.0), ..again.clone() }),
        ("other categories", Supply { categories: BTreeSet::new().into(), ..again.clone() }),
        ("other vehicles", Supply { vehicle_types: BTreeSet::new().into(), ..again }),
    ] {
        assert!(!grouped.is_grouped_as(&supply), "{what}");
    }
}
