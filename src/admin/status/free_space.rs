//! How the free space under the data folder has changed, and when the disk will be full.

use std::{collections::VecDeque, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

/// The number of looks that are remembered, one an hour: a week.
const KEPT: usize = 7 * 24;
const EVERY: TimeDelta = TimeDelta::hours(1);
/// Fewer looks show no trend: a backup comes and goes within a day.
const ENOUGH: usize = 24;
/// A disk that lasts longer than ten years is not filling.
const FOR_EVER_S: f64 = 10.0 * 365.0 * 86_400.0;

/// The time of a look, and the number of free bytes.
type Look = (DateTime<Utc>, u64);

/// The looks of this process: they begin anew with each start. A cheap clone.
#[derive(Debug, Clone, Default)]
pub struct FreeSpace(Arc<Mutex<VecDeque<Look>>>);

impl FreeSpace {
    /// Remembers a look, unless the last one was less than an hour ago.
    pub fn note(&self, at: DateTime<Utc>, free_bytes: u64) {
        let mut kept = self.0.lock();
        if kept.back().is_some_and(|(last, _)| (at - *last).abs() < EVERY) {
            return;
        }
        kept.push_back((at, free_bytes));
        while kept.len() > KEPT {
            kept.pop_front();
        }
    }

    /// Returns how long the free space lasts at the present pace. `None` if nothing is known, or the space does not shrink.
    pub(super) fn lasts(&self, free_bytes: u64) -> Option<TimeDelta> {
        let kept = self.0.lock();
        let lost_per_s = -slope(&kept)?;
        let left_s = free_bytes as f64 / lost_per_s;
        (lost_per_s > 0.0 && left_s < FOR_EVER_S).then(|| TimeDelta::seconds(left_s as i64))
    }
}

/// Returns the slope in bytes per second, by least squares.
fn slope(looks: &VecDeque<Look>) -> Option<f64> {
    let (first, _) = *looks.front().filter(|_| looks.len() >= ENOUGH)?;
    let points = || looks.iter().map(|(at, free)| ((*at - first).num_seconds() as f64, *free as f64));
    let count = looks.len() as f64;
    let (sum_x, sum_y) = points().fold((0.0, 0.0), |(sum_x, sum_y), (x, y)| (sum_x + x, sum_y + y));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let along: f64 = points().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let across: f64 = points().map(|(x, _)| (x - mean_x).powi(2)).sum();
    (across > 0.0).then(|| along / across)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    /// Builds the looks of some hours, with that much free at the end of each.
    fn after(free: impl IntoIterator<Item = u64>) -> FreeSpace {
        let space = FreeSpace::default();
        for (hour, free) in (0..).zip(free) {
            space.note(at(hour * 60), free);
        }
        space
    }

    #[test]
    fn free_space_lasts_as_long_as_its_pace_says() {
        let space = after((0..48).map(|hour| (200 - hour) * GB));
        assert_eq!(space.lasts(100 * GB), Some(TimeDelta::hours(100)));
        // A backup that comes and goes is no trend.
        let with_backup = after((0..96).map(|hour| if hour % 24 < 2 { 150 * GB } else { 200 * GB }));
        let lasts = with_backup.lasts(100 * GB);
        assert!(lasts.is_none_or(|lasts| lasts > TimeDelta::days(30)), "{lasts:?}");
    }

    #[test]
    fn a_trend_needs_a_day_of_looks_and_growing_space_lasts() {
        assert_eq!(after((0..23).map(|hour| (200 - hour) * GB)).lasts(GB), None);
        assert_eq!(after((0..48).map(|hour| (100 + hour) * GB)).lasts(GB), None);
        assert_eq!(after([50 * GB; 48]).lasts(GB), None);
        assert_eq!(FreeSpace::default().lasts(0), None);
    }

    #[test]
    fn a_week_is_remembered_hour_by_hour() {
        let space = after((0..400).map(|hour| hour * GB));
        let kept = || space.0.lock().clone();
        assert_eq!((kept().len(), kept().front().copied()), (KEPT, Some((at(232 * 60), 232 * GB))));
        space.note(at(399 * 60 + 59), GB);
        assert_eq!(kept().len(), KEPT);
        assert_eq!(kept().back().copied(), Some((at(399 * 60), 399 * GB)), "less than an hour later");
    }
}
