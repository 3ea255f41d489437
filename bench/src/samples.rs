//! Measured durations and their summary.
//!
//! A run keeps every sample (8 bytes each, and a run is bounded), so percentiles are exact: nearest rank, no buckets.

use std::time::Duration;

use serde::Serialize;

/// Durations in the order in which they came.
#[derive(Debug, Default, Clone)]
pub struct Samples {
    us: Vec<u64>,
}

/// The summary of samples; times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    pub count: usize,
    pub p50_ms: f64,
    pub p90_ms: f64,
    pub p99_ms: f64,
    pub p999_ms: f64,
    pub max_ms: f64,
}

impl Samples {
    pub fn of(all: &[Duration]) -> Self {
        let mut samples = Self::default();
        all.iter().for_each(|took| samples.add(*took));
        samples
    }

    pub fn add(&mut self, took: Duration) {
        self.us.push(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    pub fn extend(&mut self, other: Self) {
        self.us.extend(other.us);
    }

    /// Summarises the samples; `None` without samples.
    pub fn summary(&self) -> Option<Summary> {
        let mut sorted = self.us.clone();
        sorted.sort_unstable();
        let ms = |per_mille| percentile(&sorted, per_mille).map(|us| us as f64 / 1000.0);
        Some(Summary {
            count: sorted.len(),
            p50_ms: ms(500)?,
            p90_ms: ms(900)?,
            p99_ms: ms(990)?,
            p999_ms: ms(999)?,
            max_ms: ms(1000)?,
        })
    }
}

/// Returns the percentile by nearest rank: the smallest value that at least `per_mille` of 1,000 values do not exceed.
fn percentile(sorted: &[u64], per_mille: usize) -> Option<u64> {
    let rank = (sorted.len() * per_mille).div_ceil(1_000).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_that_was_measured() {
        let hundred: Vec<u64> = (1..=100).collect();
        let cases = [
            (&hundred[..], 500, Some(50)),
            (&hundred[..], 900, Some(90)),
            (&hundred[..], 990, Some(99)),
            (&hundred[..], 999, Some(100)),
            (&hundred[..], 1000, Some(100)),
            (&[7][..], 500, Some(7)),
            (&[7][..], 999, Some(7)),
            (&[1, 9][..], 500, Some(1)),
            (&[1, 9][..], 501, Some(9)),
            (&[][..], 500, None),
        ];
        for (sorted, per_mille, expected) in cases {
            assert_eq!(percentile(sorted, per_mille), expected, "{per_mille} of {} values", sorted.len());
        }
    }

    #[test]
    fn a_summary_does_not_depend_on_the_order_of_the_samples() {
        let mut samples = Samples::default();
        assert_eq!(samples.summary(), None);
        for ms in [30, 10, 20] {
            samples.add(Duration::from_millis(ms));
        }
        let expected =
            Summary { count: 3, p50_ms: 20.0, p90_ms: 30.0, p99_ms: 30.0, p999_ms: 30.0, max_ms: 30.0 };
        assert_eq!(samples.summary(), Some(expected));
    }
}
