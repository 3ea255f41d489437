//! The mechanic's part in the transaction that completes their job.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;

/// Returns the mechanic who has completed the job.
pub fn completed(change: &JobChange) -> Option<Uuid> {
    let Event::Completed { .. } = &change.event else { return None };
    change.next.assignment().map(|assignment| assignment.mechanic_id.0)
}

/// Counts another completed job of each mechanic.
pub async fn count_completed(tx: &mut PgConnection, _: &Random, mechanics: &[Uuid]) -> sqlx::Result<()> {
    queries::count_jobs(tx, mechanics).await
}
