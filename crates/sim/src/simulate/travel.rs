//! How people move in the city of a scenario, and how long that takes. Pure.

use roadcall_actors::geo::Point;

use super::scenario::Scenario;
use crate::{city, rng::Rng};

/// Virtual milliseconds since the run began.
pub type Millis = u64;

/// The shortest trip: parking takes a while.
pub const MIN_TRIP_S: f64 = 30.0;

pub fn millis(seconds: f64) -> Millis {
    // Casts of floats saturate: nothing that is drawn gets near the limit.
    (seconds * 1000.0).round().max(0.0) as Millis
}

/// A person's place at any time: on the way between two points, or at one.
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

    /// Returns how much of the way is done, 0 to 1.
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
        city::between(self.from, self.to, progress)
    }
}

/// Returns the metres on the road.
pub fn road_m(scenario: &Scenario, from: Point, to: Point) -> f64 {
    from.distance_m(to) * scenario.traffic.detour
}

/// Returns how long a person who sets out at `departs` is on the way; `rng` is the trip's own.
pub fn trip(scenario: &Scenario, from: Point, to: Point, departs: Millis, rng: Rng) -> Millis {
    let traffic = &scenario.traffic;
    let speed_mps = traffic.speed_kmh / 3.6 * traffic.by_hour[hour_of_day(scenario, departs)];
    let seconds = road_m(scenario, from, to) / speed_mps * noise(scenario, rng);
    millis(seconds.max(MIN_TRIP_S))
}

/// Returns the factor of the time of the trip with this `rng`.
pub fn noise(scenario: &Scenario, rng: Rng) -> f64 {
    rng.lognormal(1.0, scenario.traffic.trip_sigma)
}

/// Returns the hour of the day, 0 to 23.
pub fn hour_of_day(scenario: &Scenario, at: Millis) -> usize {
    (scenario.start_hour + at as f64 / 3_600_000.0) as usize % 24
}
