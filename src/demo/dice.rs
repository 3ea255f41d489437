//! Chance, drawn from the scenario's seed.

use std::time::Duration;

use roadcall_actors::{geo::Point, random::Random};

use super::walk;

/// Fine enough for shares and seconds.
const STEPS: u32 = 1 << 30;

/// One stream of draws. Everyone has their own, so that nobody's draws depend on who runs first.
#[derive(Debug, Clone)]
pub struct Dice(Random);

impl Dice {
    pub fn of(seed: u64, number: u64) -> Self {
        // An odd constant spreads neighbouring numbers over the seeds.
        Self(Random::seeded(seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// 0 to just below 1.
    pub fn share(&self) -> f64 {
        f64::from(self.0.below(STEPS)) / f64::from(STEPS)
    }

    pub fn chance(&self, share: f64) -> bool {
        self.share() < share
    }

    pub fn seconds(&self, [least, most]: [f64; 2]) -> Duration {
        Duration::from_secs_f64((least + (most - least) * self.share()).clamp(0.0, 86_400.0))
    }

    /// The time to the next of events that come independently, at most a minute.
    pub fn gap(&self, per_minute: f64) -> Duration {
        let minutes = -(1.0 - self.share()).ln() / per_minute;
        Duration::from_secs_f64((minutes * 60.0).clamp(0.0, 60.0))
    }

    pub fn pick<'a, T>(&self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.0.below(u32::try_from(from.len()).ok()?) as usize)
    }

    /// One of weighted things.
    pub fn weighted<'a, T>(&self, from: &'a [(T, f64)]) -> Option<&'a T> {
        let mut left = self.share() * from.iter().map(|(_, weight)| weight).sum::<f64>();
        for (thing, weight) in from {
            left -= weight;
            if left < 0.0 {
                return Some(thing);
            }
        }
        from.last().map(|(thing, _)| thing)
    }

    /// A point at most `radius_m` away, spread evenly over the disc.
    pub fn near(&self, centre: Point, radius_m: f64) -> Point {
        let (radius, turn) = (radius_m * self.share().sqrt(), std::f64::consts::TAU * self.share());
        walk::offset(centre, radius * turn.cos(), radius * turn.sin())
    }

    pub fn digits(&self, digits: u32) -> String {
        self.0.digits(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_kept() {
        let dice = Dice::of(7, 0);
        let from = [("tow", 41.0), ("battery", 20.0), ("never", 0.0), ("other", 39.0)];
        let drawn: Vec<&str> = (0..2000).filter_map(|_| dice.weighted(&from).copied()).collect();
        let count = |name| drawn.iter().filter(|drawn| **drawn == name).count();
        assert_eq!(count("never"), 0);
        assert!((700..940).contains(&count("tow")), "{}", count("tow"));
    }

    #[test]
    fn a_seed_draws_the_same_again_and_neighbours_differ() {
        let draws = |number| {
            let dice = Dice::of(7, number);
            [dice.share(), dice.share(), dice.share()]
        };
        assert_eq!(draws(1), draws(1));
        assert_ne!(draws(1), draws(2));
    }

    #[test]
    fn pickups_stay_within_the_spread() {
        let (dice, centre) = (Dice::of(1, 1), Point::new(12.97, 77.6));
        for _ in 0..200 {
            assert!(dice.near(centre, 600.0).distance_m(centre) <= 601.0);
        }
    }
}
