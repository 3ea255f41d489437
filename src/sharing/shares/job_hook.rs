//! A job's links in the transaction that changes the job.

use chrono::{DateTime, Utc};
use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;

/// Returns a job that moves to another time, and when dispatch begins then.
pub fn new_time(change: &JobChange) -> Option<(Uuid, DateTime<Utc>)> {
    let Event::Corrected { time: Some(time), .. } = &change.event else { return None };
    Some((change.next.id.0, time.begin_at))
}

/// Extends the links of jobs that move to a later time, so that they live long enough.
pub async fn keep_links(
    tx: &mut PgConnection,
    _: &Random,
    moved: &[(Uuid, DateTime<Utc>)],
) -> sqlx::Result<()> {
    for (job_id, begin_at) in moved {
        queries::prolong(tx, *job_id, *begin_at).await?;
    }
    Ok(())
}
