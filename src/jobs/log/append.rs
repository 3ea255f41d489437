//! Writes a job's changes.

use roadcall_actors::{
    job::state::Event,
    ports::{CommitError, Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use super::{
    columns::event_columns,
    queries::{self, EventColumns},
};
use crate::{
    jobs::queries::JobEventRow,
    notifications::{self, DomainEvent},
    platform::{
        error::constraint,
        hooks::{Hook, HookError, Hooks},
    },
};

/// Writes one change within a transaction: the row by compare-and-set, the event, the notifications, and whatever the hooks add.
/// Returns the log's new entry if it shows the row: for [`super::RecentEntries`], after the commit.
pub async fn append(
    tx: &mut PgConnection,
    random: &Random,
    hooks: Hooks,
    change: &JobChange,
) -> Result<Option<JobEventRow>, CommitError> {
    run(hooks.before, tx, random, change).await?;
    let entry = write(tx, random, change).await?;
    run(hooks.after, tx, random, change).await?;
    Ok(entry)
}

async fn run(
    hooks: &[Hook],
    tx: &mut PgConnection,
    random: &Random,
    change: &JobChange,
) -> Result<(), CommitError> {
    for hook in hooks {
        hook(tx, random, change).await.map_err(stopped)?;
    }
    Ok(())
}

/// Writes the row, its event and its notifications.
async fn write(
    tx: &mut PgConnection,
    random: &Random,
    change: &JobChange,
) -> Result<Option<JobEventRow>, CommitError> {
    let event = event_columns(change);
    let by_change = DomainEvent::Job { job: &change.next, event: &change.event, by: change.by };
    let notes = notifications::prepare(random, by_change, change.at);
    let written = match &change.event {
        Event::Created { details } => {
            let written = queries::insert(tx, &change.next, details, &event).await.map_err(refused)?;
            notifications::insert(tx, &notes, change.at).await.map_err(refused)?;
            written
        }
        _ => {
            let advanced = queries::advance(tx, &change.next, change.expected_version, &event, &notes).await;
            advanced.map_err(refused)?.ok_or(CommitError::Conflict)?
        }
    };
    let EventColumns { kind, data, at, .. } = event;
    Ok(written.seq.zip(written.snapshot).map(|(seq, snapshot)| JobEventRow {
        seq,
        kind: kind.to_owned(),
        data,
        at,
        is_active: false,
        unpaid_since: None,
        snapshot: Some(snapshot),
    }))
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

/// Turns a named constraint into its refusal. After any other failure before the commit was sent, surely nothing has happened.
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
