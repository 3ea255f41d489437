//! What customers do in a run: they call, wait, try again, and cancel.

use std::collections::BTreeSet;

use roadcall_actors::{
    ids::{JobId, UserId, VehicleId},
    job::state::{Actor as By, Command, JobDetails, JobSpec, Refusal, Status},
    ports::NewJob,
};
use uuid::Uuid;

use super::{city::millis, demand::Call, people::category_id, queue::Step, run::Run};

/// An app tries again after this when it got no answer, or one that says nothing.
pub(super) const AGAIN_S: f64 = 3.0;
/// Tries of one command; beyond it something is wrong that no trying mends.
pub(super) const MOST_TRIES: u32 = 500;

/// Prices, in paise: nothing in a run depends on them.
const BASE_PAISE: i64 = 30_000;
const TRAVEL_PAISE: i64 = 4_000;

/// Somebody whose vehicle broke down.
#[derive(Debug)]
pub struct Customer {
    pub call: Call,
    pub job: Option<JobId>,
    /// As far as it was told.
    pub has_ended: bool,
    has_retried: bool,
    is_shrugging: bool,
    tries: u32,
}

impl Customer {
    pub fn new(call: Call) -> Self {
        Self { call, job: None, has_ended: false, has_retried: false, is_shrugging: false, tries: 0 }
    }
}

fn user_of(customer: usize) -> UserId {
    UserId(Uuid::from_u128((1 << 100) + customer as u128))
}

impl Run {
    /// Makes the job. Its id is the app's, so that a request that is sent again makes no second one.
    pub(super) async fn call(&mut self, c: usize) {
        let id = match self.customers[c].job {
            Some(id) => id,
            None => {
                let id = JobId(self.world.random.id(self.world.now()));
                self.customers[c].job = Some(id);
                self.know_job(id, c);
                let call = &self.customers[c].call;
                self.queue.plan(self.now + call.patience, Step::GiveUpSearch(c));
                self.queue.plan(self.now + call.arrival_patience, Step::GiveUpWaiting(c));
                id
            }
        };
        let new = self.new_job(c, id);
        match self.world.engine.open_job(By::Customer(user_of(c)), new).await {
            Ok(_) => {}
            Err(_) => self.call_again(c, Step::Call(c)),
        }
    }

    fn new_job(&self, c: usize, id: JobId) -> NewJob {
        let (call, now) = (&self.customers[c].call, self.world.now());
        let spec = JobSpec {
            customer_id: user_of(c),
            vehicle_id: VehicleId(Uuid::from_u128((1 << 101) + c as u128)),
            category_id: category_id(call.category),
            vehicle_type: call.vehicle_type,
            pickup: call.pickup,
            urgency: call.urgency,
            base_price_paise: BASE_PAISE,
            travel_price_paise: TRAVEL_PAISE,
            created_at: now,
            begin_at: now,
            search: self.world.search.clone(),
        };
        NewJob { id, spec, details: JobDetails::default(), excluded: BTreeSet::new(), idempotency: None }
    }

    /// The log of the job grew: only what a customer acts on is looked at.
    pub(super) fn hear_of_change(&mut self, job: JobId) {
        let Some(c) = self.customer(job) else { return };
        let status = self.world.journal.status(job);
        if matches!(status, Some(Status::Completed | Status::Cancelled)) && !self.customers[c].has_ended {
            self.customers[c].has_ended = true;
            self.ended += 1;
        }
        if status == Some(Status::NoMechanicFound) && !self.customers[c].is_shrugging {
            self.customers[c].is_shrugging = true;
            let pause = millis(self.plan.scenario.customers.retry_after_s);
            self.queue.plan(self.now + pause, Step::Shrug(c));
        }
    }

    /// Nobody was found: once more, or no more.
    pub(super) async fn shrug(&mut self, c: usize) {
        self.customers[c].is_shrugging = false;
        let Some(job) = self.customers[c].job else { return };
        if self.status(c) != Some(Status::NoMechanicFound) {
            return;
        }
        if !self.customers[c].call.tries_again || self.customers[c].has_retried {
            return self.cancel(c, Step::Shrug(c)).await;
        }
        match self.world.engine.order(job, By::Customer(user_of(c)), Command::Retry).await {
            Ok(_) => self.customers[c].has_retried = true,
            Err(_) => self.call_again(c, Step::Shrug(c)),
        }
    }

    pub(super) async fn give_up_search(&mut self, c: usize) {
        let waits = [Status::Pending, Status::Dispatching, Status::NoMechanicFound];
        if self.status(c).is_some_and(|status| waits.contains(&status)) {
            self.cancel(c, Step::GiveUpSearch(c)).await;
        }
    }

    /// Whoever is not there by now need not come. A job that was never made has nothing to cancel.
    pub(super) async fn give_up_waiting(&mut self, c: usize) {
        let waits = [
            Status::Pending,
            Status::Dispatching,
            Status::NoMechanicFound,
            Status::Accepted,
            Status::EnRoute,
        ];
        // Else given back after the arrival, or on its way to an end.
        if self.status(c).is_some_and(|status| waits.contains(&status)) {
            self.cancel(c, Step::GiveUpWaiting(c)).await;
        }
    }

    async fn cancel(&mut self, c: usize, step: Step) {
        let Some(job) = self.customers[c].job else { return };
        let reason = "waited_too_long".to_owned();
        match self.world.engine.cancel(job, By::Customer(user_of(c)), reason, None, None).await {
            Ok(_) | Err(Refusal::InvalidTransition { .. }) => {}
            Err(_) => self.call_again(c, step),
        }
    }

    fn call_again(&mut self, c: usize, step: Step) {
        let customer = &mut self.customers[c];
        customer.tries += 1;
        assert!(customer.tries < MOST_TRIES, "customer {c} tries in vain: {step:?}");
        self.queue.plan(self.now + millis(AGAIN_S), step);
    }

    fn status(&self, c: usize) -> Option<Status> {
        self.world.journal.status(self.customers[c].job?)
    }
}
