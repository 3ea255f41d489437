//! The part of a correction in the transaction that changes its job.

use roadcall_actors::{
    job::state::{DetailChanges, Event, Job, NewTime},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;

use super::queries;

/// A customer's corrections.
#[derive(Debug)]
pub struct CorrectedJob<'a> {
    job: &'a Job,
    details: &'a DetailChanges,
    time: Option<NewTime>,
}

/// Returns the customer's corrections.
pub fn correction(change: &JobChange) -> Option<CorrectedJob<'_>> {
    let Event::Corrected { details, time, .. } = &change.event else { return None };
    Some(CorrectedJob { job: &change.next, details, time: *time })
}

/// Writes corrections, before the rows advance and their events tell what they replaced.
pub async fn write_corrections(
    tx: &mut PgConnection,
    _: &Random,
    corrected: &[CorrectedJob<'_>],
) -> sqlx::Result<()> {
    for CorrectedJob { job, details, time } in corrected {
        queries::correct(tx, job, details, *time).await?;
    }
    Ok(())
}
