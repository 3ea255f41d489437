//! Turns a command into a commit: decides on the actor's copy of the job, and relies on nothing that the journal
//! has not confirmed.

use uuid::Uuid;

use super::{
    cache::Execution,
    context::JobContext,
    decide::refused_start_again,
    messages::{CreateJob, Order},
    ports::{JobChange, JobJournal},
    state::{Command, Event, Ineligibility, ItemCommand, Job, Refusal, Stage},
};
use crate::{
    commit::{CommitError, Guard},
    ids::JobId,
};

/// Decides and commits. If the copy is stale, loads the job and decides the command once more. A copy that is in
/// question never leads to a refusal.
pub(super) async fn execute(
    context: &JobContext,
    id: JobId,
    mut copy: Option<Job>,
    order: &Order,
    is_in_question: bool,
) -> Execution {
    let mut is_reloaded = false;
    let mut discarded = None;
    for _ in 0..2 {
        let job = match copy.take() {
            Some(job) => job,
            None => {
                is_reloaded = true;
                match load(context.journal.as_ref(), id).await {
                    Ok(job) => job,
                    Err(refusal) => return Execution { discarded, ..Execution::unloaded(refusal) },
                }
            }
        };
        let job = context.with_current_policy(job);
        let now = context.clock.now();
        let event = match job.decide(&order.command, context.rules(), now) {
            Ok(event) => event,
            Err(Refusal::AlreadyDone) => return Execution::known(job, Ok(None), is_reloaded),
            Err(_) if is_in_question && !is_reloaded && order.command != Command::Tick => {
                discarded = Some(job);
                continue;
            }
            Err(refusal) => return Execution::known(job, Err(refusal), is_reloaded),
        };
        let next = job.apply(&event, now);
        let change = JobChange {
            command_id: order.id,
            by: order.by,
            at: now,
            before: Some(job.clone()),
            event: event.clone(),
            next: next.clone(),
            idempotency: mark_of(&order.command),
        };
        match context.journal.commit(change).await {
            Ok(()) => return Execution::known(next, Ok(Some(event)), is_reloaded),
            // The copy was stale: load the job, and decide once more.
            Err(CommitError::Conflict) => discarded = Some(job),
            Err(CommitError::AlreadyCommitted) => {
                let again = Execution { discarded: Some(job), ..reloaded(context, id).await };
                return match &again.job {
                    Some(job) if is_wrong_start(&event, job) => {
                        let refusal = refused_start_again(job, &context.settings.jobs, now);
                        Execution { result: Err(refusal), ..again }
                    }
                    Some(_) | None => again,
                };
            }
            Err(error) => return Execution { is_reloaded, ..failed(error, job) },
        }
    }
    let refusal = Refusal::Unavailable("the job changes too fast, try again".to_owned());
    Execution { discarded, ..Execution::unloaded(refusal) }
}

/// Returns whether a start whose id is in the log was logged there as a wrong code. If its code is right now, the
/// job shows it, because it has not started.
fn is_wrong_start(event: &Event, job: &Job) -> bool {
    let is_to_start = matches!(
        job.stage,
        Stage::Dispatching(_) | Stage::Accepted(_) | Stage::EnRoute(_) | Stage::Arrived(_)
    );
    matches!(event, Event::WrongCodeEntered { .. }) || (matches!(event, Event::Started) && is_to_start)
}

/// Returns the idempotency mark that a command's commit completes.
fn mark_of(command: &Command) -> Option<Uuid> {
    let Command::Item(ItemCommand::Propose { idempotency, .. }) = command else { return None };
    *idempotency
}

/// Commits a new job.
pub(super) async fn create(context: &JobContext, id: JobId, open: &CreateJob) -> Execution {
    let now = context.clock.now();
    let job = Job::new(id, open.spec.clone(), open.excluded.clone());
    let event = Event::Created { details: Box::new(open.details.clone()) };
    let change = JobChange {
        command_id: open.id,
        by: open.by,
        at: now,
        before: None,
        event: event.clone(),
        next: job.clone(),
        idempotency: open.idempotency,
    };
    match context.journal.commit(change).await {
        Ok(()) => Execution::known(job, Ok(Some(event)), false),
        Err(CommitError::AlreadyCommitted | CommitError::Conflict) => reloaded(context, id).await,
        Err(error) => Execution { job: None, ..failed(error, job) },
    }
}

/// Returns the job as the journal has it.
pub(crate) async fn load<J: JobJournal + ?Sized>(journal: &J, id: JobId) -> Result<Job, Refusal> {
    match journal.load_job(id).await {
        Ok(Some(job)) => Ok(job),
        Ok(None) => Err(Refusal::NotFound),
        Err(error) => Err(Refusal::Unavailable(error.to_string())),
    }
}

/// Reloads the job for a command that is already in the journal: its caller gets the current job.
async fn reloaded(context: &JobContext, id: JobId) -> Execution {
    match load(context.journal.as_ref(), id).await {
        Ok(job) => Execution::known(job, Ok(None), true),
        Err(Refusal::Unavailable(why)) => Execution::unloaded(Refusal::OutcomeUnknown(why)),
        Err(refusal) => Execution::unloaded(refusal),
    }
}

fn failed(error: CommitError, job: Job) -> Execution {
    let (is_certain, refusal) = match error {
        // The copy still had the offer, so it is stale.
        CommitError::Refused(guard @ Guard::OfferGone) => (false, refusal_of(guard)),
        CommitError::Refused(guard) => (true, refusal_of(guard)),
        CommitError::Unknown(why) => (false, Refusal::OutcomeUnknown(why)),
        CommitError::Failed(why) => (true, Refusal::Unavailable(why)),
        CommitError::Conflict | CommitError::AlreadyCommitted => {
            (false, Refusal::Unavailable(error.to_string()))
        }
    };
    match is_certain {
        true => Execution::known(job, Err(refusal), false),
        false => Execution { discarded: Some(job), ..Execution::unloaded(refusal) },
    }
}

fn refusal_of(guard: Guard) -> Refusal {
    match guard {
        Guard::OneActiveJobPerMechanic | Guard::OnePendingOfferPerMechanic => Refusal::MechanicBusy,
        Guard::OneOpenJobPerVehicle => Refusal::VehicleBusy,
        Guard::OfferGone => Refusal::OfferExpired,
        Guard::TooManyOpenJobs { most } => Refusal::TooManyOpenJobs { most },
        Guard::FreeCancellationsUsed => Refusal::FreeCancellationsUsed,
        Guard::VehicleGone => Refusal::VehicleGone,
        Guard::CategoryGone => Refusal::CategoryGone,
        Guard::CaseNotOpen => Refusal::CaseNotOpen,
        Guard::NotACustomer => Refusal::NotACustomer,
        Guard::NotVerified => Refusal::NotEligible(Ineligibility::NotVerified),
        Guard::MarkUsed => Refusal::AlreadyDone,
    }
}
