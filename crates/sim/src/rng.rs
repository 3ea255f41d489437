//! Chance, drawn from a seed.
//!
//! [`Rng`] has no stream: every draw is a function of the seed and of its purpose. A policy that asks fewer questions must not
//! shift the answers to the others, or two policies could not be compared on the same day. So a draw names the person who
//! decides, the decision and how often it was made before, and has the same result under every policy.
//!
//! [`Stream`] makes one draw after the other, for people whose order of questions depends on a real service anyway.

use std::{
    f64::consts::TAU,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// The seed of one draw, or of all draws below it.
#[derive(Debug, Clone, Copy)]
pub struct Rng(u64);

/// The purpose of a draw. The place in this list is part of the seed: new purposes go to the end.
#[derive(Debug, Clone, Copy)]
pub enum Purpose {
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
    Disconnection,
    Lost,
    Customer,
    Mechanic,
    Engine,
    Journal,
    EtaError,
    Follow,
    Navigation,
    Tracker,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// Returns the draws for this purpose alone.
    pub fn on(self, purpose: Purpose) -> Self {
        self.number(purpose as u64)
    }

    /// Returns the draws of the person, or of the occasion, with this number.
    pub fn number(self, number: u64) -> Self {
        Self(mix(self.0 ^ mix(number.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// Returns the seed of a generator elsewhere.
    pub fn seed(self) -> u64 {
        self.0
    }

    /// Draws a share: 0 to just below 1.
    pub fn share(self) -> f64 {
        // A double holds exactly these upper 53 bits.
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

    /// Draws a gap with this mean between events that come independently.
    pub fn exponential(self, mean: f64) -> f64 {
        -(1.0 - self.share()).ln() * mean
    }

    /// Draws from the normal distribution with mean 0 and variance 1 (Box and Muller).
    pub fn normal(self) -> f64 {
        let radius = (-2.0 * (1.0 - self.number(0).share()).ln()).sqrt();
        radius * (TAU * self.number(1).share()).cos()
    }

    /// Draws a lognormal value with this median; `sigma` is the standard deviation of its logarithm.
    pub fn lognormal(self, median: f64, sigma: f64) -> f64 {
        median * (sigma * self.normal()).exp()
    }

    /// Draws the place of one of these weights; the last where rounding leaves none.
    pub fn weighted(self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        pick(self.share(), weights)
    }
}

/// Makes one draw after the other. Everyone has their own stream, so that no one's draws depend on who runs first; clones share
/// one.
#[derive(Debug, Clone)]
pub struct Stream {
    rng: Rng,
    drawn: Arc<AtomicU64>,
}

impl Stream {
    pub fn new(rng: Rng) -> Self {
        Self { rng, drawn: Arc::default() }
    }

    /// Makes the next draw.
    pub fn draw(&self) -> Rng {
        self.rng.number(self.drawn.fetch_add(1, Ordering::Relaxed))
    }

    pub fn chance(&self, share: f64) -> bool {
        self.draw().chance(share)
    }

    pub fn seconds(&self, span: [f64; 2]) -> Duration {
        Duration::from_secs_f64(self.draw().between(span).clamp(0.0, 86_400.0))
    }

    /// Draws the time to the next of events that come independently, at most a minute.
    pub fn gap(&self, per_minute: f64) -> Duration {
        Duration::from_secs_f64(self.draw().exponential(60.0 / per_minute).clamp(0.0, 60.0))
    }

    pub fn pick<'a, T>(&self, from: &'a [T]) -> Option<&'a T> {
        from.get((self.draw().share() * from.len() as f64) as usize)
    }

    /// Draws a decimal number of so many digits, leading zeros kept.
    pub fn digits(&self, digits: usize) -> String {
        let below = 10_f64.powi(digits as i32);
        format!("{:0digits$}", (self.draw().share() * below) as u64)
    }
}

/// Returns the place of the weight on which this share of their sum falls.
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

/// Mixes with SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection whose output looks random for counted inputs.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws() -> impl Iterator<Item = Rng> {
        (0..4000).map(|n| Rng::new(7).on(Purpose::Gap).number(n))
    }

    fn mean(values: impl Iterator<Item = f64>) -> f64 {
        let values: Vec<f64> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn draws_have_the_given_mean_and_spread() {
        assert!((mean(draws().map(Rng::share)) - 0.5).abs() < 0.02);
        assert!((mean(draws().map(|rng| rng.exponential(3.0))) - 3.0).abs() < 0.15);
        assert!(mean(draws().map(Rng::normal)).abs() < 0.05);
        assert!((mean(draws().map(|rng| rng.normal().powi(2))) - 1.0).abs() < 0.08);
        let below = draws().filter(|rng| rng.lognormal(5.0, 0.4) < 5.0).count();
        assert!((1850..2150).contains(&below), "{below} below the median");
    }

    #[test]
    fn weights_are_kept() {
        let weights = [41.0, 20.0, 0.0, 39.0];
        let drawn: Vec<usize> = draws().map(|rng| rng.weighted(weights.into_iter())).collect();
        let count = |place| drawn.iter().filter(|drawn| **drawn == place).count();
        assert_eq!(count(2), 0);
        assert!((1540..1740).contains(&count(0)), "{}", count(0));
    }

    #[test]
    fn a_stream_draws_the_same_again_and_neighbours_differ() {
        let drawn = |number| {
            let stream = Stream::new(Rng::new(7).number(number));
            [stream.digits(6), stream.digits(6), stream.digits(6)]
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert_ne!(drawn(1)[0], drawn(1)[1]);
    }

    #[test]
    fn a_draw_depends_only_on_its_purpose() {
        let rng = Rng::new(1).on(Purpose::Mechanic).number(3);
        assert_eq!(rng.on(Purpose::Accept).share(), rng.on(Purpose::Accept).share());
        assert_ne!(rng.on(Purpose::Accept).share(), rng.on(Purpose::Ignore).share());
        assert_ne!(
            rng.on(Purpose::Accept).share(),
            Rng::new(2).on(Purpose::Mechanic).number(3).on(Purpose::Accept).share()
        );
    }
}
