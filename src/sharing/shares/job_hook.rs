//! A job's links in the transaction that changes the job.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::queries;
use crate::jobs::log::HookError;

/// Extends the links of a job that moves to a later time, so that they live long enough.
pub async fn keep_links(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Event::Corrected { time: Some(time), .. } = &change.event else { return Ok(()) };
    Ok(queries::prolong(tx, change.next.id.0, time.begin_at).await?)
}
