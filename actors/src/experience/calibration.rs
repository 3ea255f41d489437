//! Corrects promised chances by how often jobs with such a chance were served in time.

use serde::{Deserialize, Serialize};

/// The number of jobs, the newest, that a bin follows.
const MEMORY_JOBS: f64 = 500.0;
/// The number of ranges of promised chances, each corrected by its own jobs; and the weight of a promise against them,
/// in jobs.
const BINS: usize = 10;
const PRIOR_PROMISES: f64 = 20.0;

/// The number of jobs that were given a chance, and of those that were served in time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Calibration {
    /// The jobs and those in time, by tenths of the chance.
    bins: [(f64, f64); BINS],
}

impl Calibration {
    /// Creates a calibration from jobs and those in time, by tenths of the chance. Impossible values are left out.
    pub fn of_tenths(tenths: impl IntoIterator<Item = (usize, f64, f64)>) -> Self {
        let mut calibration = Self::default();
        let sound = |(_, jobs, in_time): &(usize, f64, f64)| {
            (0.0..=MEMORY_JOBS).contains(jobs) && (0.0..=*jobs).contains(in_time)
        };
        for (place, jobs, in_time) in tenths.into_iter().filter(sound) {
            if let Some(bin) = calibration.bins.get_mut(place) {
                *bin = (jobs, in_time);
            }
        }
        calibration
    }

    /// Returns all of these together. A tenth with more jobs than are remembered keeps its share of those in time.
    pub fn merged<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        let mut merged = Self::default();
        for part in parts {
            for ((jobs, in_time), (more, more_in_time)) in merged.bins.iter_mut().zip(part.bins) {
                (*jobs, *in_time) = (*jobs + more, *in_time + more_in_time);
            }
        }
        for (jobs, in_time) in merged.bins.iter_mut().filter(|(jobs, _)| *jobs > MEMORY_JOBS) {
            (*jobs, *in_time) = (MEMORY_JOBS, *in_time / *jobs * MEMORY_JOBS);
        }
        merged
    }

    /// Returns the jobs and those in time, by tenths of the chance.
    pub fn tenths(&self) -> [(f64, f64); BINS] {
        self.bins
    }

    /// Learns the outcome of a job with this chance, in thousandths.
    pub fn learn(&mut self, chance_permille: u32, in_time: bool) {
        let place = (chance_permille as usize * BINS / 1000).min(BINS - 1);
        let (jobs, served) = &mut self.bins[place];
        if *jobs >= MEMORY_JOBS {
            let kept = 1.0 - 1.0 / MEMORY_JOBS;
            (*jobs, *served) = (*jobs * kept, *served * kept);
        }
        *jobs += 1.0;
        *served += f64::from(u8::from(in_time));
    }

    /// Returns the chance that jobs with this promised chance had, both in thousandths. A greater chance never
    /// becomes a smaller one.
    pub fn calibrated(&self, chance_permille: u32) -> u32 {
        let shares = self.shares();
        // The result is linear between the middles of the bins, and beyond the outermost.
        let place = f64::from(chance_permille.min(1000)) / 1000.0 * BINS as f64 - 0.5;
        let left = (place.max(0.0) as usize).min(BINS - 2);
        let share = shares[left] + (place - left as f64) * (shares[left + 1] - shares[left]);
        (share.clamp(0.0, 1.0) * 1000.0).round() as u32
    }

    /// Returns the share in time by bin, rising: neighbours that fall are pooled.
    fn shares(&self) -> [f64; BINS] {
        // Each pool has a share, a weight and a number of bins.
        let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(BINS);
        for (place, (jobs, served)) in self.bins.iter().enumerate() {
            let middle = (place as f64 + 0.5) / BINS as f64;
            let weight = PRIOR_PROMISES + jobs;
            let mut pool = ((PRIOR_PROMISES * middle + served) / weight, weight, 1);
            while let Some(last) = pools.pop_if(|last| last.0 >= pool.0) {
                let weight = last.1 + pool.1;
                pool = ((last.0 * last.1 + pool.0 * pool.1) / weight, weight, last.2 + pool.2);
            }
            pools.push(pool);
        }
        let mut shares = [0.0; BINS];
        let pooled = pools.iter().flat_map(|(share, _, bins)| std::iter::repeat_n(*share, *bins));
        shares.iter_mut().zip(pooled).for_each(|(share, pooled)| *share = pooled);
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_jobs_a_chance_is_not_corrected() {
        let calibration = Calibration::default();
        for chance in (0..=1000).step_by(50) {
            assert_eq!(calibration.calibrated(chance), chance);
        }
    }

    #[test]
    fn chances_follow_their_outcomes_and_never_cross() {
        let mut calibration = Calibration::default();
        for n in 0..400 {
            calibration.learn(850, n % 2 == 0);
            calibration.learn(650, n % 10 != 0);
            calibration.learn(50, false);
        }
        let calibrated: Vec<u32> = (0..=1000).map(|chance| calibration.calibrated(chance)).collect();
        assert!(calibrated.is_sorted() && calibrated.iter().all(|chance| *chance <= 1000));
        // 90 % of the lower and 50 % of the higher were in time: the two are pooled.
        assert!((650..750).contains(&calibrated[850]), "{}", calibrated[850]);
        assert!(calibrated[50] < 10, "{}", calibrated[50]);
    }

    #[test]
    fn a_stored_calibration_is_continued_without_its_impossible_values() {
        let mut calibration = Calibration::default();
        (0..300).for_each(|n| calibration.learn(n * 3, n % 3 == 0));
        let kept = calibration.tenths().into_iter().enumerate();
        let kept = Calibration::of_tenths(kept.map(|(place, (jobs, in_time))| (place, jobs, in_time)));
        assert_eq!(kept, calibration);
        let odd = [
            (10, 1.0, 1.0),
            (0, f64::NAN, 0.0),
            (1, 5.0, 6.0),
            (2, -1.0, -1.0),
            (3, 1e9, 1.0),
            (4, 1.0, f64::NAN),
        ];
        assert_eq!(Calibration::of_tenths(odd), Calibration::default());
    }
}
