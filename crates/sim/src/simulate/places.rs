//! Places in the city of a scenario. Pure.

use roadcall_actors::geo::Point;

use super::scenario::{Scenario, Shape};
use crate::{city, rng::Rng};

/// The number of draws around a hot spot until one is within the city; then any place is taken.
const TRIES: u64 = 8;

/// Draws a place where calls come from, or anywhere in the city.
pub fn demand_place(scenario: &Scenario, rng: Rng) -> Point {
    let (area, spots) = (&scenario.city, &scenario.city.hot_spots);
    if rng.number(0).percent(area.background_percent) {
        return any_place(scenario, rng.number(1));
    }
    let spot = &spots[rng.number(2).weighted(spots.iter().map(|spot| spot.weight))];
    let around = |n: u64, km: f64| (km + spot.spread_km * rng.number(n).normal()) * 1000.0;
    let tries = (0..TRIES).map(|n| (around(10 + 2 * n, spot.north_km), around(11 + 2 * n, spot.east_km)));
    let within = tries.into_iter().find(|(north_m, east_m)| is_within(scenario, *north_m, *east_m));
    match within {
        Some((north_m, east_m)) => city::offset(centre(scenario), north_m, east_m),
        None => any_place(scenario, rng.number(3)),
    }
}

/// Draws a place evenly over the city.
fn any_place(scenario: &Scenario, rng: Rng) -> Point {
    let half_m = scenario.city.radius_km * 1000.0;
    match scenario.city.shape {
        Shape::Square => {
            let side = |n: u64| rng.number(n).between([-half_m, half_m]);
            city::offset(centre(scenario), side(0), side(1))
        }
        Shape::Disc => city::near(centre(scenario), half_m, rng),
    }
}

fn centre(scenario: &Scenario) -> Point {
    scenario.city.centre()
}

fn is_within(scenario: &Scenario, north_m: f64, east_m: f64) -> bool {
    let radius_m = scenario.city.radius_km * 1000.0;
    match scenario.city.shape {
        Shape::Disc => north_m.hypot(east_m) <= radius_m,
        Shape::Square => north_m.abs().max(east_m.abs()) <= radius_m,
    }
}
