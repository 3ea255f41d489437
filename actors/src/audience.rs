//! Keeps which jobs' mechanics are being watched.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use chrono::{DateTime, TimeDelta, Utc};

use crate::ids::JobId;

/// The time for which a job counts as watched after the last report that someone watches it. It is longer than a
/// customer's lost connection takes to come back.
pub const WATCHED_FOR: TimeDelta = TimeDelta::seconds(30);

/// The jobs that are watched, each until it has to be reported again. So a server that is gone watches nothing.
#[derive(Debug, Default)]
pub(crate) struct Audience(RwLock<HashMap<JobId, DateTime<Utc>>>);

impl Audience {
    /// Notes that someone other than the mechanic sees where the mechanics on these jobs are. Forgets jobs that
    /// were not reported again.
    pub(crate) fn note(&self, jobs: impl IntoIterator<Item = JobId>, now: DateTime<Utc>) {
        let mut watched = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let room = watched.capacity();
        watched.extend(jobs.into_iter().map(|job| (job, now + WATCHED_FOR)));
        // The map is searched only when it grows, so that the cost of a report is proportional to its size.
        if watched.capacity() > room {
            watched.retain(|_, until| now < *until);
        }
    }

    pub(crate) fn is_watched(&self, job: JobId, now: DateTime<Utc>) -> bool {
        let watched = self.0.read().unwrap_or_else(PoisonError::into_inner);
        watched.get(&job).is_some_and(|until| now < *until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_watched_until_its_report_is_too_old() {
        let (audience, job, other) =
            (Audience::default(), JobId(uuid::Uuid::from_u128(1)), JobId(uuid::Uuid::nil()));
        let start = DateTime::UNIX_EPOCH;
        assert!(!audience.is_watched(job, start));
        audience.note([job], start);
        assert!(audience.is_watched(job, start + TimeDelta::seconds(29)));
        assert!(!audience.is_watched(job, start + WATCHED_FOR));
        assert!(!audience.is_watched(other, start));
    }

    #[test]
    fn jobs_that_are_no_longer_watched_are_forgotten() {
        let (audience, start) = (Audience::default(), DateTime::UNIX_EPOCH);
        for round in 0..100 {
            let jobs = (0..1_000).map(|n| JobId(uuid::Uuid::from_u128(round * 1_000 + n)));
            audience.note(jobs, start + WATCHED_FOR * round as i32);
        }
        let kept = audience.0.read().unwrap().len();
        assert!(kept < 10_000, "{kept} of 100,000");
    }
}
