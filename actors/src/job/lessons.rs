//! Extracts what can be learned from a job. Pure.

use chrono::{DateTime, Utc};

use super::model::{Job, JobSpec};
use crate::experience::{CallForHelp, CompletedWork, Kind, Lesson};

impl Job {
    /// Returns what this job's call teaches.
    pub(crate) fn call(&self) -> Lesson {
        let JobSpec { category_id, vehicle_type, pickup, created_at, begin_at, .. } = self.spec;
        let kind = Kind { category_id, vehicle_type };
        Lesson::Call(CallForHelp { kind, pickup, at: created_at.max(begin_at) })
    }

    /// Returns how long the mechanic was away for this job, or `None` unless the job is completed and the arrival
    /// is known.
    pub(crate) fn work(&self) -> Option<Lesson> {
        let (completion, assignment) = (self.completion()?, self.assignment()?);
        let arrived_at = assignment.arrived_at?;
        let seconds = |from: DateTime<Utc>, to: DateTime<Utc>| (to - from).num_milliseconds() as f64 / 1000.0;
        Some(Lesson::Work(CompletedWork {
            category_id: self.spec.category_id,
            travel_s: seconds(assignment.accepted_at, arrived_at),
            on_site_s: seconds(arrived_at, completion.at),
            eta_s: assignment.promise().map(|promised_at| seconds(assignment.accepted_at, promised_at)),
        }))
    }

    /// Returns whether a mechanic arrived in time after the call. A job without an arrival was not served in time.
    pub(crate) fn ended(&self) -> Lesson {
        let JobSpec { created_at, begin_at, search, .. } = &self.spec;
        let arrived_at = self.assignment().and_then(|assignment| assignment.arrived_at);
        let called_at = *created_at.max(begin_at);
        let in_time = arrived_at.is_some_and(|at| at - called_at <= search.in_time);
        Lesson::Ended { job_id: self.id, in_time }
    }
}
