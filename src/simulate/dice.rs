//! Chance without a stream: every draw is a function of the seed and of what it is for.
//!
//! A policy that asks fewer questions must not shift the answers to the others, or two policies could not be compared
//! on the same day. So nobody's draws come out of a shared sequence: whoever decides names itself, the kind of decision
//! and its ordinal, and gets the same answer under every policy.

use std::f64::consts::TAU;

/// The seed of one draw, or of all draws below it.
#[derive(Debug, Clone, Copy)]
pub struct Dice(u64);

/// Whose draw it is, and what for.
#[derive(Debug, Clone, Copy)]
pub enum Of {
    Gap,
    Place,
    Category,
    Vehicle,
    Urgency,
    Patience,
    ArrivalPatience,
    Retry,
    Service,
    Home,
    Radius,
    Accept,
    Ignore,
    Reaction,
    Trip,
    Release,
    Cruise,
    Dark,
    Lost,
    Customer,
    Mechanic,
    Engine,
    Journal,
}

impl Dice {
    pub fn of(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// The draws for this alone.
    pub fn on(self, what: Of) -> Self {
        self.number(what as u64)
    }

    /// The draws of the one with this number.
    pub fn number(self, number: u64) -> Self {
        Self(mix(self.0 ^ mix(number.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// The seed of a generator elsewhere.
    pub fn seed(self) -> u64 {
        self.0
    }

    /// 0 to just below 1.
    pub fn share(self) -> f64 {
        // The upper 53 bits are as many as a double holds.
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn chance(self, share: f64) -> bool {
        self.share() < share
    }

    pub fn percent(self, percent: f64) -> bool {
        self.chance(percent / 100.0)
    }

    pub fn between(self, [least, most]: [f64; 2]) -> f64 {
        least + (most - least) * self.share()
    }

    /// With this mean, for events that come independently.
    pub fn exponential(self, mean: f64) -> f64 {
        -(1.0 - self.share()).ln() * mean
    }

    /// Mean 0, variance 1 (Box and Muller).
    pub fn normal(self) -> f64 {
        let radius = (-2.0 * (1.0 - self.number(0).share()).ln()).sqrt();
        radius * (TAU * self.number(1).share()).cos()
    }

    /// With this median; `sigma` is the standard deviation of its logarithm.
    pub fn lognormal(self, median: f64, sigma: f64) -> f64 {
        median * (sigma * self.normal()).exp()
    }

    /// The place of one of these weights; the last where rounding leaves none.
    pub fn weighted(self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        pick(self.share(), weights)
    }
}

/// Which of these weights a share of their sum falls on.
pub fn pick(share: f64, weights: impl Iterator<Item = f64> + Clone) -> usize {
    let mut left = share * weights.clone().sum::<f64>();
    let mut last = 0;
    for (place, weight) in weights.enumerate() {
        left -= weight;
        if left < 0.0 {
            return place;
        }
        last = place;
    }
    last
}

/// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection whose output looks random for counted inputs.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws() -> impl Iterator<Item = Dice> {
        (0..4000).map(|n| Dice::of(7).on(Of::Gap).number(n))
    }

    fn mean(values: impl Iterator<Item = f64>) -> f64 {
        let values: Vec<f64> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn draws_have_the_mean_and_spread_that_they_name() {
        assert!((mean(draws().map(Dice::share)) - 0.5).abs() < 0.02);
        assert!((mean(draws().map(|dice| dice.exponential(3.0))) - 3.0).abs() < 0.15);
        assert!(mean(draws().map(Dice::normal)).abs() < 0.05);
        assert!((mean(draws().map(|dice| dice.normal().powi(2))) - 1.0).abs() < 0.08);
        let below = draws().filter(|dice| dice.lognormal(5.0, 0.4) < 5.0).count();
        assert!((1850..2150).contains(&below), "{below} below the median");
    }

    #[test]
    fn weights_are_kept() {
        let weights = [41.0, 20.0, 0.0, 39.0];
        let drawn: Vec<usize> = draws().map(|dice| dice.weighted(weights.into_iter())).collect();
        let count = |place| drawn.iter().filter(|drawn| **drawn == place).count();
        assert_eq!(count(2), 0);
        assert!((1540..1740).contains(&count(0)), "{}", count(0));
    }

    #[test]
    fn a_draw_depends_on_what_it_is_for_and_on_nothing_else() {
        let dice = Dice::of(1).on(Of::Mechanic).number(3);
        assert_eq!(dice.on(Of::Accept).share(), dice.on(Of::Accept).share());
        assert_ne!(dice.on(Of::Accept).share(), dice.on(Of::Ignore).share());
        assert_ne!(
            dice.on(Of::Accept).share(),
            Dice::of(2).on(Of::Mechanic).number(3).on(Of::Accept).share()
        );
    }
}
