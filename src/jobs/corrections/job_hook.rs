//! The part of a correction in the transaction that changes its job.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Writes the customer's corrections, before the row advances and its event tells what they replaced.
pub async fn write_correction(
    tx: &mut PgConnection,
    _: &Random,
    change: &JobChange,
) -> Result<(), HookError> {
    let Event::Corrected { details, time, .. } = &change.event else { return Ok(()) };
    Ok(queries::correct(tx, &change.next, details, *time).await?)
}
