//! The mechanic's part in the transactions that assign them a job and that complete it.

use roadcall_actors::{
    job::state::Event,
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Checks that the mechanic who gets the job may serve, and keeps it so until the transaction ends.
pub async fn lock_mechanic(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Event::Accepted { assignment, .. } = &change.event else { return Ok(()) };
    match queries::lock_verified(tx, assignment.mechanic_id.0).await? {
        true => Ok(()),
        false if assignment.offer_id.is_some() => Err(HookError::Refused(Guard::OfferGone)),
        false => Err(HookError::Refused(Guard::NotVerified)),
    }
}

/// Counts another completed job.
pub async fn count_completed(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let (Event::Completed { .. }, Some(assignment)) = (&change.event, change.next.assignment()) else {
        return Ok(());
    };
    Ok(queries::count_job(tx, assignment.mechanic_id.0).await?)
}
