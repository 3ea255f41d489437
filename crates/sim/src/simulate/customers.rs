//! The customers' actions in a run: they call, wait, try again, and cancel.

use std::{collections::BTreeSet, sync::Arc};

use roadcall_actors::{
    engine::AcceptedFee,
    ids::{JobId, UserId, VehicleId},
    job::state::{Actor as By, Command, JobDetails, JobSpec, Refusal, Status},
    ports::JobToCreate,
    protocol::{Cancel, OpenJob},
};
use uuid::Uuid;

use super::{
    mechanic_profiles::category_id,
    people::{MAX_TRIES, RETRY_S},
    queue::Step,
    run::Run,
    travel::millis,
};

/// Prices, in paise: nothing in a run depends on them.
const BASE_PAISE: i64 = 30_000;
const TRAVEL_PAISE: i64 = 4_000;

fn user_of(customer: usize) -> UserId {
    UserId(Uuid::from_u128((1 << 100) + customer as u128))
}

impl Run {
    /// Creates the job. The app chooses its id, so that a repeated request creates no second job.
    pub(super) async fn call(&mut self, c: usize) {
        let id = match self.customers[c].job {
            Some(id) => id,
            None => {
                let id = JobId(self.service.random.id(self.service.now()));
                self.customers[c].job = Some(id);
                self.know_job(id, c);
                let call = &self.customers[c].call;
                self.queue.plan(self.now + call.patience, Step::GiveUpSearch(c));
                self.queue.plan(self.now + call.arrival_patience, Step::GiveUpWaiting(c));
                id
            }
        };
        let (engine, new) = (&self.service.engine, Box::new(self.new_job(c, id)));
        let open = OpenJob { command: engine.new_command(), by: By::Customer(user_of(c)), new };
        match open.carry_out(engine).await {
            Ok(_) => {}
            Err(_) => self.call_again(c, Step::Call(c)),
        }
    }

    fn new_job(&self, c: usize, id: JobId) -> JobToCreate {
        let (call, now) = (&self.customers[c].call, self.service.now());
        let spec = JobSpec {
            customer_id: user_of(c),
            vehicle_id: VehicleId(Uuid::from_u128((1 << 101) + c as u128)),
            category_id: category_id(call.category),
            vehicle_type: call.vehicle_type,
            pickup: call.pickup,
            summary: Arc::default(),
            urgency: call.urgency,
            base_price_paise: BASE_PAISE,
            travel_price_paise: TRAVEL_PAISE,
            destination: None,
            destination_price_paise: 0,
            on_account: None,
            created_at: now,
            begin_at: now,
            search: self.service.search.clone(),
        };
        JobToCreate { id, spec, details: JobDetails::default(), excluded: BTreeSet::new(), idempotency: None }
    }

    /// Reacts to a new entry in the job's log, if a customer acts on it.
    pub(super) fn on_job_changed(&mut self, job: JobId) {
        let Some(c) = self.customer(job) else { return };
        let status = self.service.journal.status(job);
        if matches!(status, Some(Status::Completed | Status::Cancelled)) && !self.customers[c].has_ended {
            self.customers[c].has_ended = true;
            self.ended += 1;
        }
        if status == Some(Status::NoMechanicFound) && !self.customers[c].is_deciding {
            self.customers[c].is_deciding = true;
            let pause = millis(self.plan.scenario.customers.retry_after_s);
            self.queue.plan(self.now + pause, Step::Reconsider(c));
        }
    }

    /// Tries once more, or cancels, after no mechanic was found.
    pub(super) async fn reconsider(&mut self, c: usize) {
        self.customers[c].is_deciding = false;
        let Some(job) = self.customers[c].job else { return };
        if self.status(c) != Some(Status::NoMechanicFound) {
            return;
        }
        if !self.customers[c].call.tries_again || self.customers[c].has_retried {
            return self.cancel(c, Step::Reconsider(c)).await;
        }
        let (by, retry) = (By::Customer(user_of(c)), Command::Retry { most_open_jobs: None });
        let engine = &self.service.engine;
        match engine.order(engine.new_command(), job, by, retry).await {
            Ok(_) => self.customers[c].has_retried = true,
            Err(_) => self.call_again(c, Step::Reconsider(c)),
        }
    }

    pub(super) async fn give_up_search(&mut self, c: usize) {
        let waits = [Status::Pending, Status::Dispatching, Status::NoMechanicFound];
        if self.status(c).is_some_and(|status| waits.contains(&status)) {
            self.cancel(c, Step::GiveUpSearch(c)).await;
        }
    }

    /// Cancels if the mechanic takes too long, or none has been found yet.
    pub(super) async fn give_up_waiting(&mut self, c: usize) {
        let waits = [
            Status::Pending,
            Status::Dispatching,
            Status::NoMechanicFound,
            Status::Accepted,
            Status::EnRoute,
        ];
        // In any other status the mechanic has arrived, or the job is over.
        if self.status(c).is_some_and(|status| waits.contains(&status)) {
            self.cancel(c, Step::GiveUpWaiting(c)).await;
        }
    }

    async fn cancel(&mut self, c: usize, step: Step) {
        let Some(job) = self.customers[c].job else { return };
        let engine = &self.service.engine;
        let cancel = Cancel {
            command: engine.new_command(),
            logged_under: None,
            job,
            by: By::Customer(user_of(c)),
            reason_code: "waited_too_long".to_owned(),
            reason: None,
            accepted_fee: AcceptedFee::Any,
            free_cancellations: None,
        };
        match cancel.carry_out(engine).await {
            Ok(_) | Err(Refusal::InvalidTransition { .. }) => {}
            Err(_) => self.call_again(c, step),
        }
    }

    fn call_again(&mut self, c: usize, step: Step) {
        let customer = &mut self.customers[c];
        customer.tries += 1;
        assert!(customer.tries < MAX_TRIES, "customer {c} tried {step:?} too often");
        self.queue.plan(self.now + millis(RETRY_S), step);
    }

    fn status(&self, c: usize) -> Option<Status> {
        self.service.journal.status(self.customers[c].job?)
    }
}
