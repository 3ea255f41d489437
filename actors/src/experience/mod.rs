//! The engine's experience: how often customers call for what and where, how long mechanics are away for a job, how
//! often promises were kept, and what holding jobs back led to.
//!
//! Everything but the last can be learned again from the journal's jobs, which a new process passes as its history.

mod calibration;
mod calls;
mod holds;
mod work;

use std::{collections::BTreeMap, sync::Mutex};

use chrono::{DateTime, TimeDelta, Utc};

pub use self::{
    calibration::Calibration,
    holds::{HeldJob, HoldCounts, HoldReport, StarvingCategory},
    work::{CompletedWork, WorkTimes},
};
use self::{calls::CallCounts, holds::Holds};
use crate::{
    geo::{Area, Cell, Point},
    ids::{CategoryId, JobId, MechanicId},
    registry::locked,
    vehicle::VehicleType,
};

/// The number of jobs whose promised chance is remembered until they end.
const MAX_PROMISES: usize = 100_000;
/// The length of the window of calls that show from which areas of a town calls come.
const AREA_WINDOW: TimeDelta = TimeDelta::days(7);

/// The kind of help that a call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    pub category_id: CategoryId,
    pub vehicle_type: VehicleType,
}

/// A job whose dispatch began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallForHelp {
    pub kind: Kind,
    pub pickup: Point,
    pub at: DateTime<Utc>,
}

/// A fact to learn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lesson {
    Call(CallForHelp),
    Work(CompletedWork),
    /// A mechanic took a job.
    Taken {
        job_id: JobId,
        mechanic_id: MechanicId,
        at: DateTime<Utc>,
    },
    /// A mechanic reached the job, in time or not, or its customer gave up.
    Ended {
        job_id: JobId,
        in_time: bool,
    },
}

/// The lessons from before this process started, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Lessons {
    /// When the complete history begins; `None` without a history.
    pub since: Option<DateTime<Utc>>,
    pub lessons: Vec<Lesson>,
    /// The outcomes of earlier promises.
    pub calibration: Calibration,
}

/// The calls to expect from one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallRate {
    pub cell: Cell,
    pub kind: Kind,
    pub per_s: f64,
}

/// The calls to expect from one area of a town.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaRate {
    pub area: Area,
    pub category_id: CategoryId,
    pub per_s: f64,
}

/// The experience of the engine, shared by all actors.
#[derive(Debug)]
pub(crate) struct Experience(Mutex<Learned>);

#[derive(Debug, Clone)]
struct Learned {
    calls: CallCounts<(Cell, Kind)>,
    areas: CallCounts<(Area, CategoryId)>,
    work: WorkTimes,
    /// The promised chances in thousandths, by job that has not ended.
    promised: BTreeMap<JobId, u32>,
    calibration: Calibration,
    holds: Holds,
}

impl Experience {
    pub(crate) fn new(past: Lessons, window: TimeDelta, now: DateTime<Utc>) -> Self {
        let since = past.since.unwrap_or(now).min(now);
        let mut learned = Learned {
            calls: CallCounts::new(since, window),
            areas: CallCounts::new(since, AREA_WINDOW),
            work: WorkTimes::default(),
            promised: BTreeMap::new(),
            calibration: past.calibration,
            holds: Holds::default(),
        };
        past.lessons.into_iter().for_each(|lesson| learned.learn(lesson));
        Self(Mutex::new(learned))
    }

    pub(crate) fn learn(&self, lesson: Lesson) {
        locked(&self.0).learn(lesson);
    }

    /// Returns the calls to expect by place and kind, in a fixed order, from the calls of about the last `window`.
    pub(crate) fn call_rates(&self, window: TimeDelta, now: DateTime<Utc>) -> Vec<CallRate> {
        let calls = &mut locked(&self.0).calls;
        calls.set_window(window, now);
        calls.rates(now).map(|((cell, kind), per_s)| CallRate { cell, kind, per_s }).collect()
    }

    /// Returns the calls to expect by area and category, in a fixed order: as many as now, from the areas of the
    /// calls in the last days.
    pub(crate) fn area_rates(&self, window: TimeDelta, now: DateTime<Utc>) -> Vec<AreaRate> {
        let mut by_cell: BTreeMap<Cell, (f64, f64)> = BTreeMap::new();
        for rate in self.call_rates(window, now) {
            by_cell.entry(rate.cell).or_default().0 += rate.per_s;
        }
        let mut learned = locked(&self.0);
        let areas: Vec<_> = learned.areas.rates(now).collect();
        for ((area, _), per_s) in &areas {
            by_cell.entry(area.centre().cell()).or_default().1 += per_s;
        }
        let rates = areas.into_iter().map(|((area, category_id), per_s)| {
            let (now, usually) = by_cell.get(&area.centre().cell()).copied().unwrap_or_default();
            let busy = if usually > 0.0 { now / usually } else { 0.0 };
            AreaRate { area, category_id, per_s: per_s * busy }
        });
        rates.collect()
    }

    pub(crate) fn work_times(&self) -> WorkTimes {
        locked(&self.0).work.clone()
    }

    /// Remembers the chance to be in time that a job was given at first, in thousandths.
    pub(crate) fn promise(&self, job_id: JobId, chance_permille: u32) {
        let promised = &mut locked(&self.0).promised;
        if promised.len() < MAX_PROMISES {
            promised.entry(job_id).or_insert(chance_permille);
        }
    }

    pub(crate) fn calibration(&self) -> Calibration {
        locked(&self.0).calibration.clone()
    }

    /// Notes that these jobs are held back now.
    pub(crate) fn hold(&self, held: impl Iterator<Item = HeldJob>, now: DateTime<Utc>) {
        let holds = &mut locked(&self.0).holds;
        held.for_each(|held| holds.hold(&held, now));
    }

    /// Returns the results of holding jobs back, up to now.
    pub(crate) fn holds(&self, now: DateTime<Utc>) -> HoldReport {
        let holds = &mut locked(&self.0).holds;
        holds.settle(now);
        holds.report()
    }

    /// Returns the same counts by the places of the pickups.
    pub(crate) fn holds_by_place(&self, now: DateTime<Utc>) -> Vec<(Cell, HoldCounts)> {
        let holds = &mut locked(&self.0).holds;
        holds.settle(now);
        holds.by_place()
    }
}

impl Learned {
    fn learn(&mut self, lesson: Lesson) {
        match lesson {
            Lesson::Call(CallForHelp { kind, pickup, at }) => {
                self.calls.count((pickup.cell(), kind), at);
                self.areas.count((pickup.area(), kind.category_id), at);
            }
            Lesson::Work(work) => {
                self.work.learn(work);
                self.holds.completed(work.category_id);
            }
            Lesson::Taken { job_id, mechanic_id, at } => self.holds.took(mechanic_id, job_id, at),
            Lesson::Ended { job_id, in_time } => {
                self.holds.job_ended(job_id, in_time);
                // A job that began before a restart has no promise that is known here.
                if let Some(chance_permille) = self.promised.remove(&job_id) {
                    self.calibration.learn(chance_permille, in_time);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const HOUR: TimeDelta = TimeDelta::hours(1);
    const HERE: Point = Point { lat: 12.97, lng: 77.59 };

    fn tow() -> CategoryId {
        CategoryId(Uuid::from_u128(1))
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn call(second: i64) -> Lesson {
        let kind = Kind { category_id: tow(), vehicle_type: VehicleType::FourWheeler };
        Lesson::Call(CallForHelp { kind, pickup: HERE, at: at(second) })
    }

    fn per_hour(experience: &Experience, second: i64) -> f64 {
        experience.call_rates(HOUR, at(second)).iter().map(|rate| rate.per_s * 3600.0).sum()
    }

    #[test]
    fn a_steady_stream_of_calls_has_its_true_rate_from_the_first_minutes_on() {
        let experience = Experience::new(Lessons::default(), HOUR, at(0));
        assert_eq!(per_hour(&experience, 0), 0.0);
        for second in (0..36_000).step_by(360) {
            experience.learn(call(second));
            if second >= 1_800 {
                let rate = per_hour(&experience, second + 180);
                assert!((8.5..12.5).contains(&rate), "{rate} at {second}");
            }
        }
        let later = per_hour(&experience, 36_000 + 3_600);
        assert!((3.0..4.5).contains(&later), "{later} an hour after the last call");
        assert_eq!(per_hour(&experience, 360_000), 0.0, "forgotten");
    }

    #[test]
    fn one_call_at_a_start_without_history_is_no_rush() {
        let experience = Experience::new(Lessons::default(), HOUR, at(0));
        experience.learn(call(1));
        assert!(per_hour(&experience, 2) <= 1.0 / 0.15 + 1e-9);
    }

    #[test]
    fn history_counts_as_if_this_process_had_seen_it() {
        let seen = Experience::new(Lessons::default(), HOUR, at(0));
        (0..7_200).step_by(60).for_each(|second| seen.learn(call(second)));
        let lessons = (0..7_200).step_by(60).map(call).collect();
        let restarted =
            Experience::new(Lessons { since: Some(at(0)), lessons, ..Lessons::default() }, HOUR, at(7_200));
        assert!((per_hour(&seen, 7_200) - per_hour(&restarted, 7_200)).abs() < 1e-9);
    }

    #[test]
    fn a_clock_that_jumps_leaves_rates_plausible() {
        let experience = Experience::new(Lessons::default(), HOUR, at(1_000_000));
        for second in [1_000_000, 0, i64::from(u32::MAX), 500_000] {
            experience.learn(call(second));
            for now in [0, 1_000_000, i64::from(u32::MAX)] {
                let rate = per_hour(&experience, now);
                assert!(rate.is_finite() && rate >= 0.0, "{rate}");
            }
        }
    }

    #[test]
    fn another_window_changes_no_rate_at_once() {
        let experience = Experience::new(Lessons::default(), HOUR, at(0));
        (0..36_000).step_by(60).for_each(|second| experience.learn(call(second)));
        let before = per_hour(&experience, 36_000);
        let after: f64 = experience
            .call_rates(TimeDelta::minutes(20), at(36_000))
            .iter()
            .map(|rate| rate.per_s * 3600.0)
            .sum();
        assert!((before - after).abs() < 0.01, "{before} {after}");
    }

    #[test]
    fn a_promise_counts_once_and_an_unknown_one_not_at_all() {
        let experience = Experience::new(Lessons::default(), HOUR, at(0));
        let job_id = JobId(Uuid::from_u128(7));
        let ended = |in_time| Lesson::Ended { job_id, in_time };
        experience.learn(ended(false));
        assert_eq!(experience.calibration(), Calibration::default());
        experience.promise(job_id, 900);
        experience.promise(job_id, 100);
        experience.learn(ended(false));
        let learned = experience.calibration();
        assert!(learned.calibrated(950) < 950 && learned.calibrated(150) == 150, "the first promise counts");
        experience.learn(ended(false));
        assert_eq!(experience.calibration(), learned);
    }

    #[test]
    fn areas_share_the_current_calls_like_those_of_the_last_days() {
        let day = 86_400;
        let elsewhere = Point::new(HERE.lat, HERE.lng - 0.03);
        let kind = Kind { category_id: tow(), vehicle_type: VehicleType::FourWheeler };
        let experience = Experience::new(Lessons::default(), HOUR, at(0));
        for second in (0..3 * day).step_by(1_200) {
            // Two of three calls come from the place `HERE`.
            let pickup = if second % 3_600 == 0 { elsewhere } else { HERE };
            experience.learn(Lesson::Call(CallForHelp { kind, pickup, at: at(second) }));
        }
        let rates = experience.area_rates(HOUR, at(3 * day));
        let all = per_hour(&experience, 3 * day);
        let per_hour = |point: Point| {
            rates.iter().filter(|rate| rate.area == point.area()).map(|rate| rate.per_s * 3600.0).sum::<f64>()
        };
        assert_eq!(rates.len(), 2);
        assert!((per_hour(HERE) + per_hour(elsewhere) - all).abs() < 1e-9);
        assert!((per_hour(HERE) / per_hour(elsewhere) - 2.0).abs() < 0.05, "{rates:?}");
        assert!(
            experience.area_rates(HOUR, at(5 * day)).iter().all(|rate| rate.per_s < 1e-9),
            "no calls now"
        );
    }
}
