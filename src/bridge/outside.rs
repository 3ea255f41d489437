//! A job's commands from outside its actor: what belongs in somebody else's transaction (a payment, a dispute).
//!
//! The row is locked first, so that its actor, whose memory is stale from then on, loses the compare-and-set and loads
//! it again. After the commit call [`told`]: the actor loads the job, and whoever watches it is woken.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::{CommandId, JobId},
    job::state::{Actor, Command, Job, Refusal, Rules},
    ports::{Change, CommitError},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{engine, journal, load};
use crate::state::AppState;

/// Decides `command` on the job as it stands in its row, and appends what follows within `tx`. Takes the job's lock:
/// before any of payments, refunds or the ledger.
pub async fn command(
    tx: &mut PgConnection,
    state: &AppState,
    job_id: Uuid,
    by: Actor,
    command: &Command,
    at: DateTime<Utc>,
) -> Result<Job, Refusal> {
    let job = lock(tx, state, job_id).await?;
    let settings = engine::engine_settings(&state.settings);
    let rules = Rules { jobs: &settings.jobs, fees: &settings.fees };
    let event = job.decide(command, rules, at)?;
    let next = job.apply(&event, at);
    let change = Change {
        command_id: CommandId(state.random.id(at)),
        by,
        at,
        expected_version: job.version,
        event,
        next: next.clone(),
        idempotency: None,
    };
    match journal::append(tx, &change, &state.random).await {
        Ok(()) => Ok(next),
        // The row is locked: whatever is in the way is not another decision.
        Err(error @ (CommitError::Conflict | CommitError::AlreadyCommitted | CommitError::Refused(_))) => {
            Err(Refusal::Unavailable(error.to_string()))
        }
        Err(CommitError::Failed(why) | CommitError::Unknown(why)) => Err(Refusal::Unavailable(why)),
    }
}

/// The job as it stands in its row, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, state: &AppState, job_id: Uuid) -> Result<Job, Refusal> {
    let found = load::job_locked(tx, &state.dispatch, job_id).await;
    found.map_err(|error| Refusal::Unavailable(error.to_string()))?.ok_or(Refusal::NotFound)
}

/// After the commit. What is committed has happened, whether anybody could be told or not.
pub async fn told(state: &AppState, job_id: Uuid) {
    state.notes.noted();
    if let Err(refusal) = state.engine.refresh(JobId(job_id)).await {
        tracing::warn!(job.id = %job_id, %refusal, "a job's watchers could not be told");
    }
}
