//! Commands to a job from outside its actor, for changes that belong in another area's transaction, such as a payment
//! or a dispute.
//!
//! The row is locked first. The actor's memory is stale from then on: it loses the compare-and-set and loads the job
//! again.

use std::time::Instant;

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{CommandId, JobId},
    job::state::{Actor, Command, Job, Refusal},
    ports::{CommitError, JobChange},
    protocol::{JobChanged, RowsChanged},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{append::append, load, steps::JobSteps};
use crate::{
    jobs::{
        context::JobsContext,
        queries::{JobEventRow, JobRow},
    },
    platform::db::REMEMBERED_FOR,
};

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
    context.remembered.suspect(job.id.0);
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
    context.remembered.forget(job.id.0);
    announce(context, job, entries).await;
}

/// Hands over the job as its steps left it, like [`adopt_committed`]. The caller has noted their change of the row.
pub async fn adopt_steps(context: &JobsContext, steps: &JobSteps, row: JobRow) {
    announce(context, steps.job().clone(), steps.shown(row)).await;
}

async fn announce(context: &JobsContext, job: Job, entries: Vec<JobEventRow>) {
    let job_id = job.id.0;
    entries.into_iter().for_each(|entry| context.recent.put(job_id, entry));
    context.traces.changed_here(job_id);
    context.wakeups.notify();
    tell(context, Some(job_id), context.engine.adopt(job)).await;
}

/// Makes the actor load the job again, and wakes its watchers. Call this after the commit, which stands whether this succeeds or
/// not.
pub async fn notify_committed(context: &JobsContext, job_id: Uuid) {
    context.remembered.forget(job_id);
    context.traces.changed_here(job_id);
    context.wakeups.notify();
    tell(context, Some(job_id), context.engine.ask(JobChanged { job: JobId(job_id), version: None })).await;
}

/// Makes every server read the job again, or all jobs. Call this after the commit of a change that is not in a job's log.
pub async fn details_changed(context: &JobsContext, job_id: Option<Uuid>) {
    match job_id {
        Some(job_id) => context.remembered.forget(job_id),
        None => context.remembered.forget_all(),
    }
    tell(context, job_id, context.engine.ask(RowsChanged { job: job_id.map(JobId) })).await;
}

/// Tells the leader of a committed change. If that fails, waits until the leader remembers no row from before the change.
async fn tell(context: &JobsContext, job_id: Option<Uuid>, told: impl Future<Output = Result<(), Refusal>>) {
    let began_at = Instant::now();
    if let Err(refusal) = told.await {
        let id = job_id.map(tracing::field::display);
        tracing::warn!(job.id = id, %refusal, "telling the leader of a change failed");
        // A server that leads has forgotten the rows already, and no other one remembers any.
        if context.bus.is_some() && !context.remembered.is_in_use() {
            tokio::time::sleep(REMEMBERED_FOR.saturating_sub(began_at.elapsed())).await;
        }
    }
}
