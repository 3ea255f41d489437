//! Commands to a job from outside its actor, for changes that belong in another area's transaction, such as a payment
//! or a dispute.
//!
//! The row is locked first. The actor's memory is stale from then on: it loses the compare-and-set and loads the job
//! again.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{CommandId, JobId},
    job::state::{Actor, Command, Job, Refusal},
    ports::{CommitError, JobChange},
    protocol::JobChanged,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{append::append, load};
use crate::jobs::{context::JobsContext, queries::JobEventRow};

/// Decides `command` on the job as its row describes it, and appends the result within `tx`. Takes the job's lock, so it has to
/// be called before payments, refunds and the ledger are locked.
pub async fn command(
    tx: &mut PgConnection,
    context: &JobsContext,
    job_id: Uuid,
    by: Actor,
    command: &Command,
    at: DateTime<Utc>,
) -> Result<Job, Refusal> {
    let job = lock(tx, context, job_id).await?;
    command_on(tx, context, &job, by, command, at).await.map(|(job, _)| job)
}

/// Decides like [`command`], for a job that was locked and read in this transaction. Also returns the log's new entry, if it
/// shows the row.
pub async fn command_on(
    tx: &mut PgConnection,
    context: &JobsContext,
    job: &Job,
    by: Actor,
    command: &Command,
    at: DateTime<Utc>,
) -> Result<(Job, Option<JobEventRow>), Refusal> {
    let event = job.decide(command, context.rules(), at)?;
    let next = job.apply(&event, at);
    let change = JobChange {
        command_id: CommandId(context.random.id(at)),
        by,
        at,
        before: Some(job.clone()),
        event,
        next: next.clone(),
        idempotency: None,
    };
    match append(tx, &context.random, context.hooks, &change).await {
        Ok(entry) => Ok((next, entry)),
        // The row is locked, so no other decision caused the conflict.
        Err(error @ (CommitError::Conflict | CommitError::AlreadyCommitted | CommitError::Refused(_))) => {
            Err(Refusal::Unavailable(error.to_string()))
        }
        Err(CommitError::Failed(why) | CommitError::Unknown(why)) => Err(Refusal::Unavailable(why)),
    }
}

/// Locks the job until the transaction ends, and returns it as its row describes it.
pub async fn lock(tx: &mut PgConnection, context: &JobsContext, job_id: Uuid) -> Result<Job, Refusal> {
    let found = load::job_locked(tx, &context.dispatch, job_id).await;
    found.map_err(|error| Refusal::Unavailable(error.to_string()))?.ok_or(Refusal::NotFound)
}

/// Hands the job to its actor and wakes the watchers. Call this after the commit of [`command_on`] with its result. The commit
/// stands whether this succeeds or not.
pub async fn adopt_committed(context: &JobsContext, job: Job, entries: Vec<JobEventRow>) {
    let job_id = job.id;
    entries.into_iter().for_each(|entry| context.recent.put(job_id.0, entry));
    context.traces.changed_here(job_id.0);
    context.wakeups.notify();
    if let Err(refusal) = context.engine.adopt(job).await {
        tracing::warn!(job.id = %job_id, %refusal, "notifying the watchers of a job failed");
    }
}

/// Makes the actor load the job again, and wakes its watchers. Call this after the commit, which stands whether this succeeds or
/// not.
pub async fn notify_committed(context: &JobsContext, job_id: Uuid) {
    context.traces.changed_here(job_id);
    context.wakeups.notify();
    if let Err(refusal) = context.engine.ask(JobChanged { job: JobId(job_id), version: None }).await {
        tracing::warn!(job.id = %job_id, %refusal, "notifying the watchers of a job failed");
    }
}
