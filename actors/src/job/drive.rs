//! From a command to a commit: decides on what memory holds, and believes nothing that the journal did not confirm.

use uuid::Uuid;

use super::{
    context::JobContext,
    messages::{Open, Order},
    ports::{Change, JobJournal},
    state::{Command, Event, ItemCommand, Job, Refusal},
};
use crate::{
    commit::{CommitError, Guard},
    ids::JobId,
};

/// What became of one command, and the memory that goes with it.
#[derive(Debug)]
pub(super) struct Driven {
    /// `None` where memory may be wrong.
    pub job: Option<Job>,
    pub result: Result<Option<Event>, Refusal>,
    /// The job was loaded: commits may have happened that nobody was told of.
    pub is_reloaded: bool,
    /// What was last believed where memory may be wrong: its people may have to look too.
    pub doubted: Option<Job>,
}

impl Driven {
    pub(super) fn known(job: Job, result: Result<Option<Event>, Refusal>, is_reloaded: bool) -> Self {
        Self { job: Some(job), result, is_reloaded, doubted: None }
    }

    fn unloaded(refusal: Refusal) -> Self {
        Self { job: None, result: Err(refusal), is_reloaded: false, doubted: None }
    }
}

/// Decides and commits. A stale memory is loaded anew and decided once more; one that is in doubt refuses nobody.
pub(super) async fn drive(
    context: &JobContext,
    id: JobId,
    mut memory: Option<Job>,
    order: &Order,
    is_in_doubt: bool,
) -> Driven {
    let mut is_reloaded = false;
    let mut doubted = None;
    for _ in 0..2 {
        let job = match memory.take() {
            Some(job) => job,
            None => {
                is_reloaded = true;
                match load(context.journal.as_ref(), id).await {
                    Ok(job) => job,
                    Err(refusal) => return Driven { doubted, ..Driven::unloaded(refusal) },
                }
            }
        };
        let job = context.with_current_policy(job);
        let now = context.clock.now();
        let event = match job.decide(&order.command, context.rules(), now) {
            Ok(event) => event,
            Err(Refusal::AlreadyDone) => return Driven::known(job, Ok(None), is_reloaded),
            Err(_) if is_in_doubt && !is_reloaded && order.command != Command::Tick => {
                doubted = Some(job);
                continue;
            }
            Err(refusal) => return Driven::known(job, Err(refusal), is_reloaded),
        };
        let next = job.apply(&event, now);
        let change = Change {
            command_id: order.id,
            by: order.by,
            at: now,
            expected_version: job.version,
            event: event.clone(),
            next: next.clone(),
            idempotency: mark_of(&order.command),
        };
        match context.journal.commit(change).await {
            Ok(()) => return Driven::known(next, Ok(Some(event)), is_reloaded),
            // Memory was stale, or this command was carried out before a crash: look, and decide once more.
            Err(CommitError::Conflict) => doubted = Some(job),
            Err(CommitError::AlreadyCommitted) => {
                return Driven { doubted: Some(job), ..reloaded(context, id).await };
            }
            Err(error) => return Driven { is_reloaded, ..failed(error, job) },
        }
    }
    let refusal = Refusal::Unavailable("the job changes too fast".to_owned());
    Driven { doubted, ..Driven::unloaded(refusal) }
}

/// The idempotency mark that a command's commit completes.
fn mark_of(command: &Command) -> Option<Uuid> {
    let Command::Item(ItemCommand::Propose { idempotency, .. }) = command else { return None };
    *idempotency
}

/// Makes the job's row.
pub(super) async fn create(context: &JobContext, id: JobId, open: &Open) -> Driven {
    let now = context.clock.now();
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
    match context.journal.commit(change).await {
        Ok(()) => Driven::known(job, Ok(Some(event)), false),
        Err(CommitError::AlreadyCommitted | CommitError::Conflict) => reloaded(context, id).await,
        Err(error) => Driven { job: None, ..failed(error, job) },
    }
}

/// The job as the journal has it.
pub(crate) async fn load<J: JobJournal + ?Sized>(journal: &J, id: JobId) -> Result<Job, Refusal> {
    match journal.load_job(id).await {
        Ok(Some(job)) => Ok(job),
        Ok(None) => Err(Refusal::NotFound),
        Err(error) => Err(Refusal::Unavailable(error.to_string())),
    }
}

/// The command is in the journal already: its caller is told of the job as it stands.
async fn reloaded(context: &JobContext, id: JobId) -> Driven {
    match load(context.journal.as_ref(), id).await {
        Ok(job) => Driven::known(job, Ok(None), true),
        Err(Refusal::Unavailable(why)) => Driven::unloaded(Refusal::OutcomeUnknown(why)),
        Err(refusal) => Driven::unloaded(refusal),
    }
}

fn failed(error: CommitError, job: Job) -> Driven {
    let (is_believed, refusal) = match error {
        // Memory still had the offer: it is stale.
        CommitError::Refused(guard @ Guard::OfferGone) => (false, refusal_of(guard)),
        CommitError::Refused(guard) => (true, refusal_of(guard)),
        CommitError::Unknown(why) => (false, Refusal::OutcomeUnknown(why)),
        CommitError::Failed(why) => (true, Refusal::Unavailable(why)),
        CommitError::Conflict | CommitError::AlreadyCommitted => {
            (false, Refusal::Unavailable(error.to_string()))
        }
    };
    match is_believed {
        true => Driven::known(job, Err(refusal), false),
        false => Driven { doubted: Some(job), ..Driven::unloaded(refusal) },
    }
}

fn refusal_of(guard: Guard) -> Refusal {
    match guard {
        Guard::OneActiveJobPerMechanic | Guard::OnePendingOfferPerMechanic => Refusal::MechanicBusy,
        Guard::OneOpenJobPerVehicle => Refusal::VehicleBusy,
        Guard::OfferGone => Refusal::OfferExpired,
        Guard::VehicleGone => Refusal::VehicleGone,
        Guard::CategoryGone => Refusal::CategoryGone,
        Guard::NotACustomer => Refusal::NotACustomer,
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
