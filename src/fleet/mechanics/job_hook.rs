//! The mechanic in the transactions that give them a job and that complete it.

use roadcall_actors::{
    job::state::Event,
    ports::{Change, Guard},
    random::Random,
};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Whoever gets a job may serve, and stays so until the transaction ends.
pub async fn lock_mechanic(tx: &mut PgConnection, _: &Random, change: &Change) -> Result<(), HookError> {
    let Event::Accepted { assignment, .. } = &change.event else { return Ok(()) };
    match super::lock_verified(tx, assignment.mechanic_id.0).await? {
        true => Ok(()),
        false if assignment.offer_id.is_some() => Err(HookError::Refused(Guard::OfferGone)),
        false => Err(HookError::Refused(Guard::NotVerified)),
    }
}

/// One more completed job.
pub async fn count_completed(tx: &mut PgConnection, _: &Random, change: &Change) -> Result<(), HookError> {
    let (Event::Completed { .. }, Some(assignment)) = (&change.event, change.next.assignment()) else {
        return Ok(());
    };
    Ok(queries::count_job(tx, assignment.mechanic_id.0).await?)
}
