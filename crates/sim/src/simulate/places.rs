//! Places in the city of a scenario. Pure.

use roadcall_actors::geo::Point;

use super::scenario::{City, Scenario, Shape};
use crate::{city, rng::Rng};

/// The number of draws around a hot spot until one is within the city; then any place is taken.
const TRIES: u64 = 8;

/// The distance of a pickup from the centre of the city.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zone {
    /// Within a third of the radius.
    #[default]
    Centre,
    /// Within two thirds.
    Ring,
    Outskirts,
}

impl Zone {
    pub const ALL: [Zone; 3] = [Self::Centre, Self::Ring, Self::Outskirts];

    pub fn of(city: &City, pickup: Point) -> Self {
        let thirds = city.centre().distance_m(pickup) / (city.radius_km * 1000.0 / 3.0);
        match thirds {
            _ if thirds <= 1.0 => Self::Centre,
            _ if thirds <= 2.0 => Self::Ring,
            _ => Self::Outskirts,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Centre => "centre",
            Self::Ring => "ring",
            Self::Outskirts => "outskirts",
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ScenarioFile;

    #[test]
    fn zones_are_thirds_of_the_radius() {
        let city = Scenario::load("even").expect("built in").city;
        let zone = |north_m: f64, east_m: f64| Zone::of(&city, city::offset(city.centre(), north_m, east_m));
        assert_eq!((zone(0.0, 0.0), zone(3_300.0, 0.0)), (Zone::Centre, Zone::Centre));
        assert_eq!((zone(0.0, -3_400.0), zone(-6_600.0, 0.0)), (Zone::Ring, Zone::Ring));
        assert_eq!((zone(4_800.0, 4_800.0), zone(30_000.0, 0.0)), (Zone::Outskirts, Zone::Outskirts));
    }
}
