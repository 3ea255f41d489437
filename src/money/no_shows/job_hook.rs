//! Keeps what the mechanic reported, in the transaction that cancels the job.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// The no-show waits for an admin.
pub async fn keep_claim(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Event::Cancelled { claimed_paise: Some(amount_paise), .. } = &change.event else { return Ok(()) };
    let Some(assignment) = change.next.assignment() else { return Ok(()) };
    let (job, customer) = (change.next.id.0, change.next.spec.customer_id.0);
    Ok(queries::insert(tx, job, customer, assignment.mechanic_id.0, *amount_paise, change.at).await?)
}
