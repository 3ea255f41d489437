//! Writes a change.

use roadcall_actors::{
    job::state::Event,
    ports::{Change, CommitError, Guard},
    random::Random,
};
use sqlx::PgConnection;

use super::{
    columns::{event_columns, state_columns},
    queries,
};
use crate::platform::{
    error::constraint,
    hooks::{Hook, HookError, Hooks},
};

/// Writes one change within a transaction: the row by compare-and-set, the event, and whatever the hooks add.
pub async fn append(
    tx: &mut PgConnection,
    random: &Random,
    hooks: Hooks,
    change: &Change,
) -> Result<(), CommitError> {
    run(hooks.before, tx, random, change).await?;
    write(tx, change).await?;
    run(hooks.after, tx, random, change).await
}

async fn run(
    hooks: &[Hook],
    tx: &mut PgConnection,
    random: &Random,
    change: &Change,
) -> Result<(), CommitError> {
    for hook in hooks {
        hook(tx, random, change).await.map_err(stopped)?;
    }
    Ok(())
}

/// The row and its event.
async fn write(tx: &mut PgConnection, change: &Change) -> Result<(), CommitError> {
    let event = event_columns(change);
    if let Event::Created { details } = &change.event {
        return queries::insert(tx, &change.next, details, &event).await.map_err(refused);
    }
    let (id, state) = (change.next.id.0, state_columns(&change.next));
    match queries::advance(tx, id, change.expected_version, &state, &event).await.map_err(refused)? {
        true => Ok(()),
        false => Err(CommitError::Conflict),
    }
}

fn stopped(error: HookError) -> CommitError {
    match error {
        HookError::Database(error) => refused(error),
        HookError::Refused(guard) => CommitError::Refused(guard),
        HookError::Conflict => CommitError::Conflict,
        HookError::AlreadyCommitted => CommitError::AlreadyCommitted,
        HookError::Failed(error) => CommitError::Failed(error.to_string()),
    }
}

/// A named constraint is a named refusal; after any other failure before the commit was sent, surely nothing has
/// happened.
pub fn refused(error: sqlx::Error) -> CommitError {
    match constraint(&error) {
        Some("jobs_one_active_per_mechanic") => CommitError::Refused(Guard::OneActiveJobPerMechanic),
        Some("jobs_one_open_per_vehicle") => CommitError::Refused(Guard::OneOpenJobPerVehicle),
        Some("offers_one_pending_per_mechanic") => CommitError::Refused(Guard::OnePendingOfferPerMechanic),
        Some("job_events_command_key" | "jobs_pkey") => CommitError::AlreadyCommitted,
        Some("job_events_pkey" | "job_events_seq_key") => CommitError::Conflict,
        _ => CommitError::Failed(error.to_string()),
    }
}
