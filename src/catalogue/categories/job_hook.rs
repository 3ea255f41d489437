//! The category in the transaction that begins a job.

use roadcall_actors::{
    job::state::Event,
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use crate::platform::hooks::HookError;

/// Ensures that the category is still offered while a job begins, or begins again.
pub async fn lock_category(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if !matches!(change.event, Event::Created { .. } | Event::Retried { .. }) {
        return Ok(());
    }
    match super::lock_offered(tx, change.next.spec.category_id.0).await? {
        true => Ok(()),
        false => Err(HookError::Refused(Guard::CategoryGone)),
    }
}
