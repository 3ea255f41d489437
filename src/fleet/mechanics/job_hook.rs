//! The mechanic's part in the transaction that completes their job.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::queries;

/// Counts another completed job.
pub async fn count_completed(tx: &mut PgConnection, _: &Random, change: &JobChange) -> sqlx::Result<()> {
    let (Event::Completed { .. }, Some(assignment)) = (&change.event, change.next.assignment()) else {
        return Ok(());
    };
    queries::count_job(tx, assignment.mechanic_id.0).await
}
