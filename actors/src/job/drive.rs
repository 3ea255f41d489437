//! From a command to a commit: decides on what memory holds, and believes nothing that the journal did not confirm.

use super::{
    messages::{Open, Order},
    state::{Command, Event, Job, Refusal},
};
use crate::{
    ids::JobId,
    ports::{Change, CommitError, Guard},
    world::World,
};

/// What became of one command, and the memory that goes with it.
#[derive(Debug)]
pub(super) struct Driven {
    /// `None` where memory may be wrong.
    pub job: Option<Job>,
    pub result: Result<Option<Event>, Refusal>,
    /// The job was loaded: commits may have happened that nobody was told of.
    pub is_reloaded: bool,
}

impl Driven {
    fn unloaded(refusal: Refusal) -> Self {
        Self { job: None, result: Err(refusal), is_reloaded: false }
    }
}

/// Decides and commits. A stale memory is loaded anew and decided once more.
pub(super) async fn drive(world: &World, id: JobId, mut memory: Option<Job>, order: &Order) -> Driven {
    let mut is_reloaded = false;
    for _ in 0..2 {
        let job = match memory.take() {
            Some(job) => job,
            None => {
                is_reloaded = true;
                match load(world, id).await {
                    Ok(job) => job,
                    Err(refusal) => return Driven::unloaded(refusal),
                }
            }
        };
        let now = world.clock.now();
        let event = match job.decide(&order.command, world.rules(), now) {
            Ok(event) => event,
            Err(Refusal::AlreadyDone) => return Driven { job: Some(job), result: Ok(None), is_reloaded },
            Err(refusal) => return Driven { job: Some(job), result: Err(refusal), is_reloaded },
        };
        let next = job.apply(&event, now);
        let change = Change {
            command_id: order.id,
            by: order.by,
            at: now,
            expected_version: job.version,
            event: event.clone(),
            next: next.clone(),
            idempotency: None,
        };
        match world.ports.journal.commit(change).await {
            Ok(()) => return Driven { job: Some(next), result: Ok(Some(event)), is_reloaded },
            // Memory was stale, or this command was carried out before a crash: look, and decide once more.
            Err(CommitError::Conflict) => {}
            Err(CommitError::AlreadyCommitted) => return reloaded(world, id).await,
            Err(error) => return Driven { is_reloaded, ..failed(error, job) },
        }
    }
    Driven::unloaded(Refusal::Unavailable("the job changes too fast".to_owned()))
}

/// Makes the job's row.
pub(super) async fn create(world: &World, id: JobId, open: &Open) -> Driven {
    let now = world.clock.now();
    let job = Job::new(id, open.spec.clone(), open.excluded.clone());
    let event = Event::Created { details: Box::new(open.details.clone()) };
    let change = Change {
        command_id: open.id,
        by: open.by,
        at: now,
        expected_version: 0,
        event: event.clone(),
        next: job.clone(),
        idempotency: open.idempotency,
    };
    match world.ports.journal.commit(change).await {
        Ok(()) => Driven { job: Some(job), result: Ok(Some(event)), is_reloaded: false },
        Err(CommitError::AlreadyCommitted | CommitError::Conflict) => reloaded(world, id).await,
        Err(error) => Driven { job: None, ..failed(error, job) },
    }
}

/// The job as the journal has it.
pub(super) async fn load(world: &World, id: JobId) -> Result<Job, Refusal> {
    match world.ports.journal.load_job(id).await {
        Ok(Some(job)) => Ok(job),
        Ok(None) => Err(Refusal::NotFound),
        Err(error) => Err(Refusal::Unavailable(error.to_string())),
    }
}

/// The command is in the journal already: its caller is told of the job as it stands.
async fn reloaded(world: &World, id: JobId) -> Driven {
    match load(world, id).await {
        Ok(job) => Driven { job: Some(job), result: Ok(None), is_reloaded: true },
        Err(Refusal::Unavailable(why)) => Driven::unloaded(Refusal::OutcomeUnknown(why)),
        Err(refusal) => Driven::unloaded(refusal),
    }
}

fn failed(error: CommitError, job: Job) -> Driven {
    let (job, refusal) = match error {
        // Memory still had the offer: it is stale.
        CommitError::Refused(guard @ Guard::OfferGone) => (None, refusal_of(guard)),
        CommitError::Refused(guard) => (Some(job), refusal_of(guard)),
        CommitError::Unknown(why) => (None, Refusal::OutcomeUnknown(why)),
        CommitError::Failed(why) => (Some(job), Refusal::Unavailable(why)),
        CommitError::Conflict | CommitError::AlreadyCommitted => {
            (None, Refusal::Unavailable(error.to_string()))
        }
    };
    Driven { job, result: Err(refusal), is_reloaded: false }
}

fn refusal_of(guard: Guard) -> Refusal {
    match guard {
        Guard::OneActiveJobPerMechanic | Guard::OnePendingOfferPerMechanic => Refusal::MechanicBusy,
        Guard::OneOpenJobPerVehicle => Refusal::VehicleBusy,
        Guard::OfferGone => Refusal::OfferExpired,
        Guard::VehicleGone => Refusal::VehicleGone,
        Guard::NotVerified => Refusal::NotEligible("it is not verified"),
        Guard::MarkUsed => Refusal::AlreadyDone,
    }
}

/// Whether asking again at once would meet the same failure: a pause comes first.
pub(super) fn is_worth_a_pause(command: &Command, refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Unavailable(_) | Refusal::OutcomeUnknown(_) => true,
        // The schema knows an engagement that the mechanic's actor has yet to load.
        Refusal::MechanicBusy => matches!(command, Command::Offer { .. }),
        // Nothing that is due by itself may be refused for good; if it is, not in a tight loop.
        Refusal::NothingDue | Refusal::NotFound => false,
        _ => *command == Command::Tick,
    }
}
