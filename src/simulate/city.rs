//! Where things are and how long the way is. Pure.

use std::f64::consts::TAU;

use roadcall_actors::geo::Point;

use super::{
    dice::Dice,
    scenario::{Scenario, Shape},
};
use crate::demo::walk;

/// Virtual milliseconds since the run began.
pub type Millis = u64;

/// Draws around a hot spot until one lies within the city; then anywhere will do.
const TRIES: u64 = 8;
/// No trip is shorter: parking takes a while.
const LEAST_TRIP_S: f64 = 30.0;

pub fn millis(seconds: f64) -> Millis {
    // Casts of floats saturate: nothing that is drawn comes near.
    (seconds * 1000.0).round().max(0.0) as Millis
}

/// Where somebody is at any time: on the way between two points, or at one.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    pub from: Point,
    pub to: Point,
    pub departs: Millis,
    pub arrives: Millis,
}

impl Motion {
    pub fn still(at: Point) -> Self {
        Self { from: at, to: at, departs: 0, arrives: 0 }
    }

    /// How much of the way lies behind, 0 to 1.
    pub fn progress(&self, now: Millis) -> f64 {
        match self.arrives.saturating_sub(self.departs) {
            0 => 1.0,
            whole => (now.saturating_sub(self.departs) as f64 / whole as f64).min(1.0),
        }
    }

    pub fn at(&self, now: Millis) -> Point {
        let progress = self.progress(now);
        if progress >= 1.0 {
            return self.to;
        }
        // Over a few kilometres a straight line on the plane is the great circle.
        let between = |from: f64, to: f64| from + (to - from) * progress;
        Point::new(between(self.from.lat, self.to.lat), between(self.from.lng, self.to.lng))
    }
}

/// A place where calls come from, or anywhere in the city.
pub fn demand_place(scenario: &Scenario, dice: Dice) -> Point {
    let city = &scenario.city;
    if dice.number(0).percent(city.background_percent) {
        return any_place(scenario, dice.number(1));
    }
    let spot = &city.hot_spots[dice.number(2).weighted(city.hot_spots.iter().map(|spot| spot.weight))];
    let around = |n: u64, km: f64| (km + spot.spread_km * dice.number(n).normal()) * 1000.0;
    let tries = (0..TRIES).map(|n| (around(10 + 2 * n, spot.north_km), around(11 + 2 * n, spot.east_km)));
    let within = tries.into_iter().find(|(north_m, east_m)| is_within(scenario, *north_m, *east_m));
    match within {
        Some((north_m, east_m)) => walk::offset(centre(scenario), north_m, east_m),
        None => any_place(scenario, dice.number(3)),
    }
}

/// Evenly over the city.
pub fn any_place(scenario: &Scenario, dice: Dice) -> Point {
    let half_m = scenario.city.radius_km * 1000.0;
    let (north_m, east_m) = match scenario.city.shape {
        Shape::Square => {
            let side = |n: u64| dice.number(n).between([-half_m, half_m]);
            (side(0), side(1))
        }
        Shape::Disc => {
            let (radius, turn) = (half_m * dice.number(0).share().sqrt(), TAU * dice.number(1).share());
            (radius * turn.cos(), radius * turn.sin())
        }
    };
    walk::offset(centre(scenario), north_m, east_m)
}

/// Evenly over a disc, whether within the city or not.
pub fn near(centre: Point, radius_km: f64, dice: Dice) -> Point {
    let radius = radius_km * 1000.0 * dice.number(0).share().sqrt();
    let turn = TAU * dice.number(1).share();
    walk::offset(centre, radius * turn.cos(), radius * turn.sin())
}

/// Metres on the road.
pub fn road_m(scenario: &Scenario, from: Point, to: Point) -> f64 {
    from.distance_m(to) * scenario.traffic.detour
}

/// How long somebody that sets out at `departs` is on the way; `dice` are the trip's own.
pub fn trip(scenario: &Scenario, from: Point, to: Point, departs: Millis, dice: Dice) -> Millis {
    let traffic = &scenario.traffic;
    let speed_mps = traffic.speed_kmh / 3.6 * traffic.by_hour[hour_of_day(scenario, departs)];
    let seconds = road_m(scenario, from, to) / speed_mps * dice.lognormal(1.0, traffic.trip_sigma);
    millis(seconds.max(LEAST_TRIP_S))
}

/// 0 to 23.
pub fn hour_of_day(scenario: &Scenario, at: Millis) -> usize {
    (scenario.start_hour + at as f64 / 3_600_000.0) as usize % 24
}

fn centre(scenario: &Scenario) -> Point {
    Point::new(scenario.city.lat, scenario.city.lng)
}

fn is_within(scenario: &Scenario, north_m: f64, east_m: f64) -> bool {
    let radius_m = scenario.city.radius_km * 1000.0;
    match scenario.city.shape {
        Shape::Disc => north_m.hypot(east_m) <= radius_m,
        Shape::Square => north_m.abs().max(east_m.abs()) <= radius_m,
    }
}
