//! What the engine has learned from what happened: how often customers call for what and where, and how long mechanics
//! are away for a job.
//!
//! Calls are counted with exponentially fading weights (time constant: the caller's window). Durations are running means
//! that begin at a prior of [`PRIOR_JOBS`] jobs and follow the newest [`MEMORY_JOBS`]. All of it can be learned again from
//! the journal's jobs, which a new process passes as its history.

use std::{collections::BTreeMap, sync::Mutex};

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    geo::{Cell, Point},
    ids::{CategoryId, JobId},
    registry::locked,
    vehicle::VehicleType,
};

/// The prior means of the seconds that a mechanic is on the way to a pickup, and there, with the weight of this many jobs.
const PRIOR_TRAVEL_S: f64 = 720.0;
const PRIOR_ON_SITE_S: f64 = 1_500.0;
const PRIOR_JOBS: f64 = 10.0;
/// A mean follows about as many jobs, the newest.
const MEMORY_JOBS: f64 = 500.0;
/// A longer trip or longer work says nothing about the others: somebody forgot to tap.
const LONGEST_S: f64 = 4.0 * 3600.0;
/// Kinds of calls that are remembered, over all places; the rarest are forgotten first.
const MAX_CALL_KINDS: usize = 20_000;
/// A kind of call with less weight than this is forgotten.
const LEAST_WEIGHT: f64 = 0.01;
/// After a start without any history, a rate is no more than what was seen over this share of the window.
const LEAST_SEEN: f64 = 0.15;

/// Jobs whose promised chance is remembered until they end.
const MAX_PROMISES: usize = 100_000;
/// Ranges of promised chances that are corrected each by its own jobs, and the jobs that a promise weighs against them.
const BINS: usize = 10;
const PRIOR_PROMISES: f64 = 20.0;

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    pub category_id: CategoryId,
    pub vehicle_type: VehicleType,
}

/// A job whose dispatch began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    pub kind: Kind,
    pub pickup: Point,
    pub at: DateTime<Utc>,
}

/// A job that a mechanic completed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    pub category_id: CategoryId,
    /// Seconds from the acceptance to the arrival, and from there to the completion.
    pub travel_s: f64,
    pub on_site_s: f64,
}

/// Something to learn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lesson {
    Call(Call),
    Work(Work),
    /// A mechanic reached the job, in time or not, or its customer gave up.
    Ended {
        job_id: JobId,
        in_time: bool,
    },
}

/// What happened before this process started, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Lessons {
    /// Since when it is complete; `None` if there is none.
    pub since: Option<DateTime<Utc>>,
    pub lessons: Vec<Lesson>,
}

/// How long mechanics are away for a job, on average.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkTimes {
    travel: Mean,
    on_site: Mean,
    by_category: BTreeMap<CategoryId, Mean>,
}

/// How often jobs that were given a chance were served in time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Calibration {
    /// Jobs and those in time, by tenths of the chance.
    bins: [(f64, f64); BINS],
}

/// How many calls to expect from one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallRate {
    pub cell: Cell,
    pub kind: Kind,
    pub per_s: f64,
}

/// Shared by all actors.
#[derive(Debug)]
pub(crate) struct Experience(Mutex<Learned>);

#[derive(Debug, Clone)]
struct Learned {
    since: DateTime<Utc>,
    window_s: f64,
    calls: BTreeMap<(Cell, Kind), Fading>,
    work: WorkTimes,
    /// Chances in thousandths, by job that has not ended.
    promised: BTreeMap<JobId, u32>,
    calibration: Calibration,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Mean {
    value: f64,
    jobs: f64,
}

/// A sum of weights that fade.
#[derive(Debug, Clone, Copy)]
struct Fading {
    weight: f64,
    at: DateTime<Utc>,
}

impl Experience {
    pub(crate) fn new(past: Lessons, window: TimeDelta, now: DateTime<Utc>) -> Self {
        let mut learned = Learned {
            since: past.since.unwrap_or(now).min(now),
            window_s: seconds(window).max(1.0),
            calls: BTreeMap::new(),
            work: WorkTimes::default(),
            promised: BTreeMap::new(),
            calibration: Calibration::default(),
        };
        past.lessons.into_iter().for_each(|lesson| learned.learn(lesson));
        Self(Mutex::new(learned))
    }

    pub(crate) fn learn(&self, lesson: Lesson) {
        locked(&self.0).learn(lesson);
    }

    /// The calls to expect by place and kind, in a fixed order, by those of about the last `window`.
    pub(crate) fn call_rates(&self, window: TimeDelta, now: DateTime<Utc>) -> Vec<CallRate> {
        locked(&self.0).call_rates(seconds(window).max(1.0), now)
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
}

impl Learned {
    fn learn(&mut self, lesson: Lesson) {
        match lesson {
            Lesson::Call(call) => self.count(call),
            Lesson::Work(work) => self.work.learn(work),
            Lesson::Ended { job_id, in_time } => {
                // A job that began before a restart was promised nothing that is known here.
                if let Some(chance_permille) = self.promised.remove(&job_id) {
                    self.calibration.learn(chance_permille, in_time);
                }
            }
        }
    }

    fn count(&mut self, Call { kind, pickup, at }: Call) {
        let key = (pickup.cell(), kind);
        if self.calls.len() >= MAX_CALL_KINDS && !self.calls.contains_key(&key) {
            self.forget(LEAST_WEIGHT, at);
            if self.calls.len() >= MAX_CALL_KINDS {
                self.forget(1.0, at);
            }
            if self.calls.len() >= MAX_CALL_KINDS {
                return;
            }
        }
        let window_s = self.window_s;
        let fading = self.calls.entry(key).or_insert(Fading { weight: 0.0, at });
        fading.weight = fading.weight_at(at, window_s) + 1.0;
        fading.at = fading.at.max(at);
    }

    fn forget(&mut self, least: f64, now: DateTime<Utc>) {
        let window_s = self.window_s;
        self.calls.retain(|_, fading| fading.weight_at(now, window_s) >= least);
    }

    fn call_rates(&mut self, window_s: f64, now: DateTime<Utc>) -> Vec<CallRate> {
        if window_s != self.window_s {
            // Another time constant: the rates stay, and fade anew from here.
            let scale = window_s / self.window_s;
            for fading in self.calls.values_mut() {
                *fading =
                    Fading { weight: fading.weight_at(now, self.window_s) * scale, at: fading.at.max(now) };
            }
            self.window_s = window_s;
        }
        self.forget(LEAST_WEIGHT, now);
        let seen_s = seconds(now - self.since).max(0.0);
        // At first only a part of the window was seen.
        let seen = (1.0 - (-seen_s / window_s).exp()).max(LEAST_SEEN);
        let rate = |weight: f64| weight / (window_s * seen);
        let rates = self.calls.iter().map(|((cell, kind), fading)| CallRate {
            cell: *cell,
            kind: *kind,
            per_s: rate(fading.weight_at(now, window_s)),
        });
        rates.collect()
    }
}

impl Fading {
    /// A clock that jumps back fades nothing.
    fn weight_at(&self, now: DateTime<Utc>, window_s: f64) -> f64 {
        self.weight * (-seconds(now - self.at).max(0.0) / window_s).exp()
    }
}

impl WorkTimes {
    fn learn(&mut self, Work { category_id, travel_s, on_site_s }: Work) {
        let is_usable = |value: f64| (0.0..=LONGEST_S).contains(&value);
        if is_usable(travel_s) {
            self.travel.learn(travel_s);
        }
        if is_usable(on_site_s) {
            self.on_site.learn(on_site_s);
            let overall = self.on_site;
            let own = self.by_category.entry(category_id);
            own.or_insert(Mean { value: overall.value, jobs: PRIOR_JOBS }).learn(on_site_s);
        }
    }

    /// Seconds from the acceptance of a job to the arrival.
    pub fn travel_s(&self) -> f64 {
        self.travel.value
    }

    /// Seconds from the arrival to the completion; for a category without jobs that of all of them.
    pub fn on_site_s(&self, category_id: CategoryId) -> f64 {
        self.by_category.get(&category_id).unwrap_or(&self.on_site).value
    }
}

impl Default for WorkTimes {
    fn default() -> Self {
        let prior = |value| Mean { value, jobs: PRIOR_JOBS };
        Self { travel: prior(PRIOR_TRAVEL_S), on_site: prior(PRIOR_ON_SITE_S), by_category: BTreeMap::new() }
    }
}

impl Mean {
    fn learn(&mut self, value: f64) {
        self.jobs = (self.jobs + 1.0).min(MEMORY_JOBS);
        self.value += (value - self.value) / self.jobs;
    }
}

impl Calibration {
    /// What became of a job with this chance, in thousandths.
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

    /// The chance that jobs with this one had, both in thousandths. A greater chance never becomes a smaller one.
    pub fn calibrated(&self, chance_permille: u32) -> u32 {
        let shares = self.shares();
        // Linear between the middles of the bins, and on beyond the outermost.
        let place = f64::from(chance_permille.min(1000)) / 1000.0 * BINS as f64 - 0.5;
        let left = (place.max(0.0) as usize).min(BINS - 2);
        let share = shares[left] + (place - left as f64) * (shares[left + 1] - shares[left]);
        (share.clamp(0.0, 1.0) * 1000.0).round() as u32
    }

    /// By bin, rising: neighbours that fall are pooled.
    fn shares(&self) -> [f64; BINS] {
        // Share, weight and number of bins.
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

fn seconds(time: TimeDelta) -> f64 {
    time.num_milliseconds() as f64 / 1000.0
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
        Lesson::Call(Call { kind, pickup: HERE, at: at(second) })
    }

    fn per_hour(experience: &Experience, second: i64) -> f64 {
        experience.call_rates(HOUR, at(second)).iter().map(|rate| rate.per_s * 3600.0).sum()
    }

    #[test]
    fn a_steady_stream_of_calls_is_counted_as_what_it_is_from_the_first_minutes_on() {
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
        assert!(per_hour(&experience, 2) <= 1.0 / LEAST_SEEN + 1e-9);
    }

    #[test]
    fn history_counts_as_if_this_process_had_seen_it() {
        let seen = Experience::new(Lessons::default(), HOUR, at(0));
        (0..7_200).step_by(60).for_each(|second| seen.learn(call(second)));
        let lessons = (0..7_200).step_by(60).map(call).collect();
        let restarted = Experience::new(Lessons { since: Some(at(0)), lessons }, HOUR, at(7_200));
        assert!((per_hour(&seen, 7_200) - per_hour(&restarted, 7_200)).abs() < 1e-9);
    }

    #[test]
    fn a_clock_that_jumps_makes_no_nonsense() {
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
    fn times_of_work_are_believed_job_by_job_and_absurd_ones_are_left_out() {
        let mut times = WorkTimes::default();
        assert_eq!(times.on_site_s(tow()), PRIOR_ON_SITE_S);
        let work = |on_site_s| Work { category_id: tow(), travel_s: 600.0, on_site_s };
        for absurd in [f64::NAN, -1.0, f64::INFINITY, 1e9] {
            times.learn(work(absurd));
        }
        assert_eq!(times.on_site_s(tow()), PRIOR_ON_SITE_S);
        (0..300).for_each(|_| times.learn(work(3_000.0)));
        assert!((2_900.0..3_000.0).contains(&times.on_site_s(tow())), "{}", times.on_site_s(tow()));
        let other = CategoryId(Uuid::from_u128(2));
        assert!((2_900.0..3_000.0).contains(&times.on_site_s(other)), "as all jobs, for want of its own");
        assert!((600.0..605.0).contains(&times.travel_s()), "{}", times.travel_s());
    }

    #[test]
    fn without_jobs_a_chance_is_what_it_is() {
        let calibration = Calibration::default();
        for chance in (0..=1000).step_by(50) {
            assert_eq!(calibration.calibrated(chance), chance);
        }
    }

    #[test]
    fn chances_become_what_came_of_them_and_never_cross() {
        let mut calibration = Calibration::default();
        for n in 0..400 {
            calibration.learn(850, n % 2 == 0);
            calibration.learn(650, n % 10 != 0);
            calibration.learn(50, false);
        }
        let calibrated: Vec<u32> = (0..=1000).map(|chance| calibration.calibrated(chance)).collect();
        assert!(calibrated.is_sorted() && calibrated.iter().all(|chance| *chance <= 1000));
        // 90 % of the lower and 50 % of the higher: pooled.
        assert!((650..750).contains(&calibrated[850]), "{}", calibrated[850]);
        assert!(calibrated[50] < 10, "{}", calibrated[50]);
    }

    #[test]
    fn a_promise_counts_once_and_unknown_ones_not_at_all() {
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
}
