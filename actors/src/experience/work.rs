//! How long mechanics are away for a job, and how far trips are from their ETAs: sums over the newest jobs, drawn
//! towards the prior belief. With Σ and n of the jobs, and of those of a category, the means are
//! ```text
//! travel   = (Σ + 3 · 720) / (n + 3)                 on site = (Σ + 3 · 1500) / (n + 3)
//! category = (Σ + 5 · on site) / (n + 5)             trip ratio = (Σ actual + 3600) / (Σ ETA + 3600)
//! ```
//! A category is drawn towards the *current* mean of all jobs. If it were drawn towards their mean at its first
//! job, a category that began with a wrong mean would keep it for as long as no mechanic is sent to such jobs
//! because of it.

use std::collections::BTreeMap;

use crate::ids::CategoryId;

/// The prior means of the seconds that a mechanic is on the way to a pickup, and there, with the weight of this
/// many jobs.
const PRIOR_TRAVEL_S: f64 = 720.0;
const PRIOR_ON_SITE_S: f64 = 1_500.0;
const PRIOR_JOBS: f64 = 3.0;
/// The weight of all jobs in the mean of a category.
const PRIOR_CATEGORY_JOBS: f64 = 5.0;
/// The number of jobs, the newest, that a mean follows.
const MEMORY_JOBS: f64 = 500.0;
/// The weight of the belief that trips take as long as their ETAs, in seconds of trips; and the number of trips
/// that the ratio follows. They are few, so that the ratio soon forgets the time before the ETAs themselves were
/// corrected.
const PRIOR_TRIPS_S: f64 = 3_600.0;
const MEMORY_TRIPS: f64 = 100.0;
/// The number of completed jobs after which half of their evidence counts.
const EVIDENCE_JOBS: f64 = 10.0;
/// A longer trip or longer work says nothing about the others, because a mechanic forgot to tap.
const LONGEST_S: f64 = 4.0 * 3600.0;

/// A job that a mechanic completed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompletedWork {
    pub category_id: CategoryId,
    /// The seconds from the acceptance to the arrival, and from there to the completion.
    pub travel_s: f64,
    pub on_site_s: f64,
    /// The expected `travel_s` at the acceptance; `None` if it was not known.
    pub eta_s: Option<f64>,
}

/// The average times that mechanics are away for a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkTimes {
    travel: Sum,
    on_site: Sum,
    by_category: BTreeMap<CategoryId, Sum>,
    /// The trips with an ETA: their actual and their expected times.
    actual: Sum,
    expected: Sum,
}

/// A sum over jobs whose weights fade.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sum {
    seconds: f64,
    jobs: f64,
}

impl WorkTimes {
    pub(super) fn learn(&mut self, CompletedWork { category_id, travel_s, on_site_s, eta_s }: CompletedWork) {
        let is_usable = |value: f64| (0.0..=LONGEST_S).contains(&value);
        if is_usable(travel_s) {
            self.travel.add(travel_s, MEMORY_JOBS);
            if let Some(eta_s) = eta_s.filter(|eta_s| is_usable(*eta_s) && *eta_s > 0.0) {
                self.actual.add(travel_s, MEMORY_TRIPS);
                self.expected.add(eta_s, MEMORY_TRIPS);
            }
        }
        if is_usable(on_site_s) {
            self.on_site.add(on_site_s, MEMORY_JOBS);
            self.by_category.entry(category_id).or_default().add(on_site_s, MEMORY_JOBS);
        }
    }

    /// Returns the seconds from the acceptance of a job to the arrival.
    pub fn travel_s(&self) -> f64 {
        self.travel.mean(PRIOR_TRAVEL_S, PRIOR_JOBS)
    }

    /// Returns the seconds from the arrival to the completion.
    pub fn on_site_s(&self, category_id: CategoryId) -> f64 {
        let all_s = self.on_site.mean(PRIOR_ON_SITE_S, PRIOR_JOBS);
        let own = self.by_category.get(&category_id).copied().unwrap_or_default();
        own.mean(all_s, PRIOR_CATEGORY_JOBS)
    }

    /// Returns how much these times can be relied on, 0 to 1: n / (n + 10) after n completed jobs.
    pub fn evidence(&self) -> f64 {
        self.on_site.jobs / (self.on_site.jobs + EVIDENCE_JOBS)
    }

    /// Returns the duration of trips as a multiple of their ETAs.
    pub fn trip_ratio(&self) -> f64 {
        (self.actual.seconds + PRIOR_TRIPS_S) / (self.expected.seconds + PRIOR_TRIPS_S)
    }
}

impl Sum {
    fn add(&mut self, seconds: f64, memory_jobs: f64) {
        if self.jobs >= memory_jobs {
            let kept = 1.0 - 1.0 / memory_jobs;
            (self.seconds, self.jobs) = (self.seconds * kept, self.jobs * kept);
        }
        self.seconds += seconds;
        self.jobs += 1.0;
    }

    /// Returns the mean, drawn towards `prior_s`, which weighs as much as `weight` jobs.
    fn mean(&self, prior_s: f64, weight: f64) -> f64 {
        (self.seconds + weight * prior_s) / (self.jobs + weight)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use uuid::Uuid;

    use super::*;

    const TOW: CategoryId = CategoryId(Uuid::from_u128(1));
    const BATTERY: CategoryId = CategoryId(Uuid::from_u128(2));

    fn work(category_id: CategoryId, on_site_s: f64) -> CompletedWork {
        CompletedWork { category_id, travel_s: 600.0, on_site_s, eta_s: Some(600.0) }
    }

    #[test]
    fn times_of_work_are_learned_job_by_job_and_absurd_ones_are_left_out() {
        let mut times = WorkTimes::default();
        assert_eq!(times.on_site_s(TOW), PRIOR_ON_SITE_S);
        for absurd in [f64::NAN, -1.0, f64::INFINITY, 1e9] {
            times.learn(CompletedWork { travel_s: absurd, eta_s: Some(absurd), ..work(TOW, absurd) });
        }
        assert_eq!(times, WorkTimes::default());
        (0..300).for_each(|_| times.learn(work(TOW, 3_000.0)));
        assert!((2_900.0..3_000.0).contains(&times.on_site_s(TOW)), "{}", times.on_site_s(TOW));
        let other = times.on_site_s(BATTERY);
        assert!((2_900.0..3_000.0).contains(&other), "as all jobs, for want of its own");
        assert!((600.0..605.0).contains(&times.travel_s()), "{}", times.travel_s());
    }

    #[test]
    fn a_category_that_is_never_done_follows_what_is_learned_of_the_others() {
        let mut times = WorkTimes::default();
        // Its only job came first, when the prior belief was 25 minutes for every job.
        times.learn(work(BATTERY, 60.0));
        (0..100).for_each(|_| times.learn(work(TOW, 60.0)));
        let believed_s = times.on_site_s(BATTERY);
        assert!(believed_s < 110.0, "{believed_s}");
    }

    #[test]
    fn trips_that_take_a_fifth_of_their_etas_lower_the_ratio() {
        let mut times = WorkTimes::default();
        assert_eq!(times.trip_ratio(), 1.0);
        let trip = |eta_s| CompletedWork { travel_s: 120.0, eta_s, ..work(TOW, 60.0) };
        times.learn(trip(None));
        times.learn(trip(Some(0.0)));
        assert_eq!(times.trip_ratio(), 1.0, "nothing to compare with");
        (0..200).for_each(|_| times.learn(trip(Some(600.0))));
        assert!((0.2..0.25).contains(&times.trip_ratio()), "{}", times.trip_ratio());
        // Then the ETAs are corrected, and the ratio follows.
        (0..400).for_each(|_| times.learn(trip(Some(120.0))));
        assert!((0.9..=1.0).contains(&times.trip_ratio()), "{}", times.trip_ratio());
    }

    #[test]
    fn ten_completed_jobs_are_half_of_the_evidence() {
        let mut times = WorkTimes::default();
        assert_eq!(times.evidence(), 0.0);
        (0..10).for_each(|_| times.learn(work(TOW, 1_200.0)));
        assert!((times.evidence() - 0.5).abs() < 1e-9);
        (0..2_000).for_each(|_| times.learn(work(TOW, 1_200.0)));
        assert!((0.97..1.0).contains(&times.evidence()), "{}", times.evidence());
    }

    fn any_work() -> impl Strategy<Value = CompletedWork> {
        (0_u128..4, 0.0..2e4_f64, 0.0..2e4_f64, proptest::option::of(0.0..2e4_f64)).prop_map(
            |(category, travel_s, on_site_s, eta_s)| CompletedWork {
                category_id: CategoryId(Uuid::from_u128(category)),
                travel_s,
                on_site_s,
                eta_s,
            },
        )
    }

    proptest! {
        #[test]
        fn estimates_lie_between_the_observed_and_the_prior_times(works in vec(any_work(), 0..700)) {
            let mut times = WorkTimes::default();
            works.iter().for_each(|work| times.learn(*work));
            let seen = works.iter().map(|work| work.on_site_s).filter(|s| *s <= LONGEST_S);
            let (least, most) = seen.fold((PRIOR_ON_SITE_S, PRIOR_ON_SITE_S), |(a, b), s| (a.min(s), b.max(s)));
            for category in 0..5 {
                let believed_s = times.on_site_s(CategoryId(Uuid::from_u128(category)));
                prop_assert!((least - 1e-6..=most + 1e-6).contains(&believed_s), "{believed_s}");
            }
            prop_assert!(times.trip_ratio() > 0.0 && times.trip_ratio().is_finite());
            prop_assert!((0.0..1.0).contains(&times.evidence()));
        }

        #[test]
        fn a_category_with_a_wrong_start_is_corrected_by_enough_jobs_of_its_own_and_of_others(
            first in vec(any_work(), 0..30), truth_s in 30.0..3_000.0_f64, ratio in 0.1..5.0_f64,
        ) {
            let mut times = WorkTimes::default();
            first.iter().for_each(|work| times.learn(*work));
            let steady = |_| CompletedWork { category_id: TOW, travel_s: 600.0 * ratio, on_site_s: truth_s, eta_s: Some(600.0) };
            (0..4_000).map(steady).for_each(|work| times.learn(work));
            prop_assert!((times.on_site_s(TOW) / truth_s - 1.0).abs() < 0.2, "{}", times.on_site_s(TOW));
            prop_assert!((times.trip_ratio() / ratio - 1.0).abs() < 0.6, "{}", times.trip_ratio());
        }
    }
}
