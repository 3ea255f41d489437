//! The state of a run: its people, its service, and the queue of what they do next.

use std::collections::HashMap;

use roadcall_actors::{ids::JobId, learning::Trip};
use uuid::Uuid;

use super::{
    outcome::BesideHeld,
    people::{Customer, Worker},
    plan::Plan,
    prices::PricesOfDay,
    queue::Queue,
    service::Service,
    travel::Millis,
};
use crate::rng::Rng;

/// The state of a run.
#[derive(Debug)]
pub struct Run {
    pub(super) plan: Plan,
    pub(super) service: Service,
    pub(super) queue: Queue,
    pub(super) customers: Vec<Customer>,
    pub(super) workers: Vec<Worker>,
    pub(super) now: Millis,
    pub(super) rng: Rng,
    /// The number of jobs that ended, as far as their customers know.
    pub(super) ended: usize,
    pub(super) prices: PricesOfDay,
    pub(super) beside_held: BesideHeld,
    /// The trips that ended with an arrival, by which estimates are corrected.
    pub(super) trips: Vec<Trip>,
    pub(super) next_look: Millis,
    pub(super) customer_of: HashMap<JobId, usize>,
    pub(super) worker_of: HashMap<Uuid, usize>,
}

impl Run {
    pub(super) fn customer(&self, job: JobId) -> Option<usize> {
        self.customer_of.get(&job).copied()
    }

    pub(super) fn know_job(&mut self, job: JobId, c: usize) {
        self.customer_of.insert(job, c);
    }

    pub(super) fn worker(&self, id: Uuid) -> Option<usize> {
        self.worker_of.get(&id).copied()
    }
}
