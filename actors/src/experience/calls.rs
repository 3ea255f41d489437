//! Counts how often customers call, with weights that fade exponentially.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

/// The number of keys that are remembered; the rarest are forgotten first.
const MAX_KEYS: usize = 20_000;
/// The weight below which a key is forgotten.
const MIN_WEIGHT: f64 = 0.01;
/// The smallest share of the window that counts as observed, which limits rates after a start without any history.
const MIN_SEEN: f64 = 0.15;

/// The calls by `K`, for example by a place and what the call was about.
#[derive(Debug, Clone)]
pub struct CallCounts<K> {
    since: DateTime<Utc>,
    /// The time constant.
    window_s: f64,
    counts: BTreeMap<K, Fading>,
}

/// A sum of weights that fade.
#[derive(Debug, Clone, Copy)]
struct Fading {
    weight: f64,
    at: DateTime<Utc>,
}

impl<K: Copy + Ord> CallCounts<K> {
    /// Creates counts of calls that are complete from `since` on.
    pub fn new(since: DateTime<Utc>, window: TimeDelta) -> Self {
        Self { since, window_s: window_s(window), counts: BTreeMap::new() }
    }

    pub fn count(&mut self, key: K, at: DateTime<Utc>) {
        if self.counts.len() >= MAX_KEYS && !self.counts.contains_key(&key) {
            self.forget(MIN_WEIGHT, at);
            if self.counts.len() >= MAX_KEYS {
                self.forget(1.0, at);
            }
            if self.counts.len() >= MAX_KEYS {
                return;
            }
        }
        let window_s = self.window_s;
        let fading = self.counts.entry(key).or_insert(Fading { weight: 0.0, at });
        fading.weight = fading.weight_at(at, window_s) + 1.0;
        fading.at = fading.at.max(at);
    }

    /// Returns the calls per second to expect, from the calls of about the last window, in order.
    pub fn rates(&mut self, now: DateTime<Utc>) -> impl Iterator<Item = (K, f64)> {
        self.forget(MIN_WEIGHT, now);
        let window_s = self.window_s;
        // At first only a part of the window was observed.
        let seen_s = seconds(now - self.since).max(0.0);
        let seen = (1.0 - (-seen_s / window_s).exp()).max(MIN_SEEN);
        self.counts
            .iter()
            .map(move |(key, fading)| (*key, fading.weight_at(now, window_s) / (window_s * seen)))
    }

    /// Sets another time constant: the rates stay, and fade anew from here.
    pub fn set_window(&mut self, window: TimeDelta, now: DateTime<Utc>) {
        let window_s = window_s(window);
        if window_s == self.window_s {
            return;
        }
        let scale = window_s / self.window_s;
        for fading in self.counts.values_mut() {
            *fading = Fading { weight: fading.weight_at(now, self.window_s) * scale, at: fading.at.max(now) };
        }
        self.window_s = window_s;
    }

    fn forget(&mut self, least: f64, now: DateTime<Utc>) {
        let window_s = self.window_s;
        self.counts.retain(|_, fading| fading.weight_at(now, window_s) >= least);
    }
}

impl Fading {
    /// Returns the weight at `now`. A clock that jumps back fades nothing.
    fn weight_at(&self, now: DateTime<Utc>, window_s: f64) -> f64 {
        self.weight * (-seconds(now - self.at).max(0.0) / window_s).exp()
    }
}

fn window_s(window: TimeDelta) -> f64 {
    seconds(window).max(1.0)
}

fn seconds(time: TimeDelta) -> f64 {
    time.num_milliseconds() as f64 / 1000.0
}
