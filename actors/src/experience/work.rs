//! How long mechanics are away for a job: running means that begin at a prior of [`PRIOR_JOBS`] jobs and follow the newest
//! [`MEMORY_JOBS`].

use std::collections::BTreeMap;

use crate::ids::CategoryId;

/// The prior means of the seconds that a mechanic is on the way to a pickup, and there, with the weight of this many jobs.
const PRIOR_TRAVEL_S: f64 = 720.0;
const PRIOR_ON_SITE_S: f64 = 1_500.0;
const PRIOR_JOBS: f64 = 10.0;
/// A mean follows about as many jobs, the newest.
const MEMORY_JOBS: f64 = 500.0;
/// A longer trip or longer work says nothing about the others: somebody forgot to tap.
const LONGEST_S: f64 = 4.0 * 3600.0;
/// A job that a mechanic completed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    pub category_id: CategoryId,
    /// Seconds from the acceptance to the arrival, and from there to the completion.
    pub travel_s: f64,
    pub on_site_s: f64,
}

/// How long mechanics are away for a job, on average.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkTimes {
    travel: Mean,
    on_site: Mean,
    by_category: BTreeMap<CategoryId, Mean>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Mean {
    value: f64,
    jobs: f64,
}

impl WorkTimes {
    pub(super) fn learn(&mut self, Work { category_id, travel_s, on_site_s }: Work) {
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const TOW: CategoryId = CategoryId(Uuid::from_u128(1));

    #[test]
    fn times_of_work_are_believed_job_by_job_and_absurd_ones_are_left_out() {
        let mut times = WorkTimes::default();
        assert_eq!(times.on_site_s(TOW), PRIOR_ON_SITE_S);
        let work = |on_site_s| Work { category_id: TOW, travel_s: 600.0, on_site_s };
        for absurd in [f64::NAN, -1.0, f64::INFINITY, 1e9] {
            times.learn(work(absurd));
        }
        assert_eq!(times.on_site_s(TOW), PRIOR_ON_SITE_S);
        (0..300).for_each(|_| times.learn(work(3_000.0)));
        assert!((2_900.0..3_000.0).contains(&times.on_site_s(TOW)), "{}", times.on_site_s(TOW));
        let other = CategoryId(Uuid::from_u128(2));
        assert!((2_900.0..3_000.0).contains(&times.on_site_s(other)), "as all jobs, for want of its own");
        assert!((600.0..605.0).contains(&times.travel_s()), "{}", times.travel_s());
    }
}
