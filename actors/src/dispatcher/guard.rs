//! Lets prices give way when they hold back too much. Pure.
//!
//! The price of an hour follows from estimates of calls and of work. When these are wrong, mechanics stand free
//! near jobs that are held back from them, and unserved jobs teach nothing. So the guard watches these mechanics:
//! ```text
//! h = min(held jobs that a free mechanic fits, those mechanics) / mechanics online     over the last two minutes
//! each minute: the share of the prices that counts is halved if h > 10 %, and grows by a tenth otherwise, up to all
//! ```
//! Cities whose prices are right show 0.4 to 6 %, cities whose prices are wrong 16 to 22 %.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The number of samples in a mean. At [`super::actor`]'s rate of one every ten seconds they cover two minutes.
const SAMPLES: usize = 12;
/// The share of the online mechanics above which too many stand free near held jobs.
const TOO_MANY: f64 = 0.1;
const FALL: f64 = 0.5;
const RISE: f64 = 0.1;

/// A look at a market.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Sample {
    pub online: usize,
    /// Mechanics who are on a job, or being offered one.
    pub busy: usize,
    /// The jobs held back from mechanics who are free, and these mechanics.
    pub held_jobs: usize,
    pub beside: usize,
}

/// The share of a market's prices that counts, and the samples behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Guard {
    samples: VecDeque<Sample>,
    share: f64,
}

impl Default for Guard {
    fn default() -> Self {
        Self { samples: VecDeque::new(), share: 1.0 }
    }
}

impl Sample {
    /// Adds another sample to this one.
    pub fn add(&mut self, other: &Self) {
        self.online += other.online;
        self.busy += other.busy;
        self.held_jobs += other.held_jobs;
        self.beside += other.beside;
    }

    /// Returns the mechanics who could each serve a held job, as a share of those online.
    fn idle_beside_held(&self) -> f64 {
        match self.online {
            0 => 0.0,
            online => self.held_jobs.min(self.beside).min(online) as f64 / online as f64,
        }
    }
}

impl Guard {
    pub fn note(&mut self, sample: Sample) {
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// Adjusts the share, once a minute.
    pub fn adjust(&mut self) {
        let next = if self.is_alarmed() { self.share * FALL } else { self.share + RISE };
        self.share = next.clamp(0.0, 1.0);
    }

    /// Returns how much of the prices counts, 0 to 1.
    pub fn price_share(&self) -> f64 {
        self.share
    }

    /// Returns the mechanics who stood free near held jobs, as a share of those online, over the last two minutes.
    pub fn idle_beside_held(&self) -> f64 {
        // In a new market, the time before its first sample counts as quiet.
        self.samples.iter().map(Sample::idle_beside_held).sum::<f64>() / SAMPLES as f64
    }

    /// Returns whether this share is too large.
    pub fn is_alarmed(&self) -> bool {
        self.idle_beside_held() > TOO_MANY
    }

    /// Returns the number of busy mechanics, on average over the last two minutes.
    pub fn busy(&self) -> f64 {
        self.samples.iter().map(|sample| sample.busy as f64).sum::<f64>() / self.samples.len().max(1) as f64
    }

    /// Returns the number of online mechanics, on average over the last two minutes.
    pub fn online(&self) -> f64 {
        self.samples.iter().map(|sample| sample.online as f64).sum::<f64>() / self.samples.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn noted(guard: &mut Guard, held_jobs: usize, beside: usize, times: usize) {
        (0..times).for_each(|_| guard.note(Sample { online: 20, busy: 5, held_jobs, beside }));
    }

    #[test]
    fn prices_are_halved_each_minute_while_many_mechanics_stand_free_near_held_jobs_and_then_recover() {
        let mut guard = Guard::default();
        assert_eq!(guard.price_share(), 1.0);
        noted(&mut guard, 18, 14, SAMPLES);
        assert!((guard.idle_beside_held() - 0.7).abs() < 1e-9 && guard.is_alarmed());
        let mut shares = Vec::new();
        for _ in 0..3 {
            guard.adjust();
            shares.push(guard.price_share());
        }
        assert_eq!(shares, [0.5, 0.25, 0.125]);
        noted(&mut guard, 0, 0, SAMPLES);
        (0..4).for_each(|_| guard.adjust());
        assert!((guard.price_share() - 0.525).abs() < 1e-9);
        (0..40).for_each(|_| guard.adjust());
        assert_eq!(guard.price_share(), 1.0);
    }

    #[test]
    fn a_few_held_jobs_are_what_prices_are_for() {
        let mut guard = Guard::default();
        // With many mechanics near one job, or many jobs near one mechanic, only one of them could be served.
        noted(&mut guard, 1, 15, SAMPLES);
        noted(&mut guard, 15, 1, SAMPLES);
        guard.adjust();
        assert!(!guard.is_alarmed() && guard.price_share() == 1.0);
        assert!((guard.idle_beside_held() - 0.05).abs() < 1e-9);
        assert!((guard.busy() - 5.0).abs() < 1e-9 && (guard.online() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn samples_older_than_two_minutes_are_forgotten() {
        let mut guard = Guard::default();
        noted(&mut guard, 20, 20, 100);
        noted(&mut guard, 0, 0, SAMPLES);
        assert_eq!(guard.idle_beside_held(), 0.0);
    }

    #[test]
    fn samples_of_a_market_add_up_and_its_means_cover_the_samples_so_far() {
        let mut sum = Sample { online: 3, busy: 1, held_jobs: 4, beside: 2 };
        sum.add(&Sample { online: 10, busy: 5, held_jobs: 7, beside: 6 });
        assert_eq!(sum, Sample { online: 13, busy: 6, held_jobs: 11, beside: 8 });
        let mut guard = Guard::default();
        assert_eq!((guard.online(), guard.busy()), (0.0, 0.0));
        guard.note(sum);
        guard.note(Sample { online: 4, busy: 1, ..sum });
        assert_eq!((guard.online(), guard.busy()), (8.5, 3.5));
    }

    proptest! {
        #[test]
        fn shares_stay_within_0_and_1_and_quiet_minutes_restore_the_prices(
            looks in vec((0_usize..50, 0_usize..50, 0_usize..50, any::<bool>()), 0..300),
        ) {
            let mut guard = Guard::default();
            for (online, held_jobs, beside, is_minute) in looks {
                guard.note(Sample { online, busy: online / 2, held_jobs, beside });
                if is_minute {
                    guard.adjust();
                }
                prop_assert!((0.0..=1.0).contains(&guard.price_share()));
                prop_assert!((0.0..=1.0).contains(&guard.idle_beside_held()));
                prop_assert!(guard.samples.len() <= SAMPLES);
            }
            noted(&mut guard, 0, 0, SAMPLES);
            (0..11).for_each(|_| guard.adjust());
            prop_assert_eq!(guard.price_share(), 1.0);
        }
    }
}
