//! The plan of a run, decided by a seed before it starts: when jobs come, where they are, how mechanics move.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use roadcall_client::frame;
use serde_json::{Value, json};

/// The middle of the town, which is Bengaluru's.
pub const MIDDLE: Place = Place { lat: 12.9716, lng: 77.5946 };
const METRES_PER_DEGREE: f64 = 111_320.0;
/// The speed of 30 km/h.
const SPEED_MPS: f64 = 8.3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub lat: f64,
    pub lng: f64,
}

/// A square town; degrees are as long as in Bengaluru, wherever the town is.
#[derive(Debug, Clone, Copy)]
pub struct Town {
    pub middle: Place,
    pub half_side_m: f64,
}

impl Town {
    pub fn somewhere(self, random: &mut StdRng) -> Place {
        let mut offset = || random.random_range(-self.half_side_m..self.half_side_m);
        let (east, north) = (offset(), offset());
        self.middle.moved(east, north)
    }

    fn holds(self, place: Place) -> bool {
        let (east, north) = self.middle.offset_to(place);
        east.abs() <= self.half_side_m && north.abs() <= self.half_side_m
    }
}

impl Place {
    fn moved(self, east_m: f64, north_m: f64) -> Self {
        let lng_scale = METRES_PER_DEGREE * MIDDLE.lat.to_radians().cos();
        Self { lat: self.lat + north_m / METRES_PER_DEGREE, lng: self.lng + east_m / lng_scale }
    }

    fn offset_to(self, other: Self) -> (f64, f64) {
        let lng_scale = METRES_PER_DEGREE * MIDDLE.lat.to_radians().cos();
        ((other.lng - self.lng) * lng_scale, (other.lat - self.lat) * METRES_PER_DEGREE)
    }

    /// Returns a key that differs between any two positions of one mechanic: its unit is about a centimetre.
    pub fn key(self) -> (i64, i64) {
        let fixed = |degrees: f64| (degrees * 1e7).round() as i64;
        (fixed(self.lat), fixed(self.lng))
    }
}

/// Builds a `location.update` with one point, recorded now.
pub fn ping(seq: i64, at: Place) -> String {
    frame("location.update", &format!("p{seq}"), json!({ "points": [point(seq, at)] }))
}

/// Builds a point, recorded now.
pub fn point(seq: i64, at: Place) -> Value {
    let recorded_at = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Millis, true);
    json!({ "seq": seq, "lat": at.lat, "lng": at.lng, "accuracy_m": 8.0, "recorded_at": recorded_at })
}

/// A mechanic who drives straight on and turns at the edge of town: no two positions in a row are the same.
#[derive(Debug)]
pub struct Walker {
    town: Town,
    random: StdRng,
    pub at: Place,
    heading_rad: f64,
}

impl Walker {
    pub fn new(town: Town, seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let at = town.somewhere(&mut random);
        let heading_rad = random.random_range(0.0..std::f64::consts::TAU);
        Self { town, random, at, heading_rad }
    }

    pub fn drive(&mut self, time: Duration) -> Place {
        let metres = SPEED_MPS * time.as_secs_f64();
        let next = self.ahead(metres);
        if self.town.holds(next) {
            self.at = next;
        } else {
            let (east, north) = self.at.offset_to(self.town.middle);
            self.heading_rad = north.atan2(east) + self.random.random_range(-0.5..0.5);
            self.at = self.ahead(metres);
        }
        self.at
    }

    fn ahead(&self, metres: f64) -> Place {
        self.at.moved(metres * self.heading_rad.cos(), metres * self.heading_rad.sin())
    }
}

/// One planned job: when it comes after the start, and where.
#[derive(Debug, Clone, Copy)]
pub struct PlannedJob {
    pub at: Duration,
    pub pickup: Place,
}

/// Plans exactly `per_s` jobs a second for `lasting`, each at a random time: customers don't queue up evenly.
pub fn jobs(per_s: f64, lasting: Duration, town: Town, seed: u64) -> Vec<PlannedJob> {
    let mut random = StdRng::seed_from_u64(seed);
    let count = (per_s * lasting.as_secs_f64()).round() as usize;
    let mut planned: Vec<PlannedJob> = (0..count)
        .map(|_| {
            let at = lasting.mul_f64(random.random_range(0.0..1.0));
            PlannedJob { at, pickup: town.somewhere(&mut random) }
        })
        .collect();
    planned.sort_unstable_by_key(|job| job.at);
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOWN: Town = Town { middle: MIDDLE, half_side_m: 3000.0 };

    #[test]
    fn a_plan_has_the_given_number_of_jobs_in_order_and_in_town() {
        let lasting = Duration::from_secs(60);
        let planned = jobs(50.0, lasting, TOWN, 1);
        assert_eq!(planned.len(), 3000);
        assert!(planned.is_sorted_by_key(|job| job.at));
        assert!(planned.iter().all(|job| job.at < lasting && TOWN.holds(job.pickup)));
        let again = jobs(50.0, lasting, TOWN, 1);
        assert!(
            planned.iter().zip(&again).all(|(one, other)| one.at == other.at && one.pickup == other.pickup)
        );
    }

    #[test]
    fn a_mechanic_stays_in_town_and_never_stands_still() {
        let mut walker = Walker::new(TOWN, 7);
        for _ in 0..10_000 {
            let before = walker.at;
            let after = walker.drive(Duration::from_secs(2));
            assert_ne!(before.key(), after.key());
            let (east, north) = before.offset_to(after);
            assert!((east.hypot(north) - 2.0 * SPEED_MPS).abs() < 0.01);
            let (east, north) = MIDDLE.offset_to(after);
            assert!(east.hypot(north) < 3000.0 * 1.5, "{after:?}");
        }
    }
}
