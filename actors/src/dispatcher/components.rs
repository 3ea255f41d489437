//! Finds the waiting jobs that have to be decided together, and those that may be decided at once. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};

use super::matching::{MAX_CANDIDATES, WaitingJob};
use crate::ids::MechanicId;

/// Jobs that share candidates, directly or through one another.
#[derive(Debug, Clone)]
pub struct Component {
    /// Oldest first.
    pub jobs: Vec<WaitingJob>,
    /// Whether two of them have the same cheapest candidate; see [`Component::is_contested`].
    pub is_contested: bool,
}

impl Component {
    /// Returns how many of the cheapest candidates of each job have to be looked at: as many as there are jobs.
    ///
    /// Leaving out the others loses no optimum. Take an optimal assignment of n jobs in which some job is served by
    /// none of its n cheapest candidates. The n - 1 other jobs use at most n - 1 mechanics, so one of those n
    /// candidates is left, and giving it to the job costs no more. Each such exchange moves one more job to one of
    /// its n cheapest candidates and moves no other job, so after at most n exchanges every job has one.
    pub fn depth(&self) -> usize {
        depth(self.jobs.len())
    }

    /// Returns whether some job has to give way. If not, each job's own cheapest candidate *is* the optimum: no
    /// assignment can cost less than the sum of every job's cheapest choice, and this assignment costs exactly that
    /// sum, because the choices are different mechanics. (Leaving a job out never costs less than its cheapest
    /// candidate, see `solving::unserved`.)
    fn is_contested(jobs: &[WaitingJob]) -> bool {
        let mut wanted = BTreeSet::new();
        let cheapest = jobs.iter().filter_map(|job| job.candidates.first());
        !cheapest.into_iter().all(|candidate| wanted.insert(candidate.mechanic_id))
    }

    /// Returns until when a contested component gathers others, measured from the oldest member's
    /// [`Waiting::round_since`].
    pub fn gathers_until(&self, window: TimeDelta) -> Option<DateTime<Utc>> {
        let oldest = self.jobs.iter().map(|job| job.round_since).min();
        oldest.filter(|_| self.is_contested).map(|round_since| round_since + window)
    }
}

fn depth(jobs: usize) -> usize {
    jobs.min(MAX_CANDIDATES)
}

/// Splits waiting jobs into groups that have to be decided together. The order of `waiting` does not matter.
pub fn split(mut waiting: Vec<WaitingJob>) -> Vec<Component> {
    waiting.sort_by_key(WaitingJob::age);
    let mut done = Vec::new();
    // A smaller component looks at fewer candidates, so it may split further. A component of MAX_CANDIDATES jobs or
    // more looks at all candidates and is not split twice, so the work stays within a small multiple of the input.
    let mut open = vec![waiting];
    while let Some(jobs) = open.pop() {
        let size = jobs.len();
        for jobs in parts(jobs) {
            if depth(jobs.len()) == depth(size) {
                let is_contested = Component::is_contested(&jobs);
                done.push(Component { jobs, is_contested });
            } else {
                open.push(jobs);
            }
        }
    }
    done.sort_by_key(|component| component.jobs.first().map(WaitingJob::age));
    done
}

/// Groups jobs that share a mechanic, looking at as many candidates as the number of jobs requires. Keeps their order.
fn parts(jobs: Vec<WaitingJob>) -> Vec<Vec<WaitingJob>> {
    let depth = depth(jobs.len());
    let mut leaders: Vec<usize> = (0..jobs.len()).collect();
    let mut first_user: HashMap<MechanicId, usize> = HashMap::new();
    for (index, job) in jobs.iter().enumerate() {
        for candidate in job.candidates.iter().take(depth) {
            let other = *first_user.entry(candidate.mechanic_id).or_insert(index);
            let (a, b) = (leader(&mut leaders, index), leader(&mut leaders, other));
            // The oldest job leads.
            leaders[a.max(b)] = a.min(b);
        }
    }
    let mut parts: BTreeMap<usize, Vec<WaitingJob>> = BTreeMap::new();
    for (index, job) in jobs.into_iter().enumerate() {
        parts.entry(leader(&mut leaders, index)).or_default().push(job);
    }
    parts.into_values().collect()
}

/// Returns the leader of a job's set (union-find with path halving).
fn leader(leaders: &mut [usize], mut index: usize) -> usize {
    while leaders[index] != index {
        leaders[index] = leaders[leaders[index]];
        index = leaders[index];
    }
    index
}
