//! Stores the mechanic's report, in the transaction that cancels the job.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use super::{dto::NoShowStatus, queries};
use crate::jobs::log::HookError;

/// Stores a reported no-show: the customer owes for a proven one and can contest it; an unproven one waits for an
/// admin.
pub async fn keep_claim(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Event::Cancelled { claimed_paise: Some(amount_paise), fee_paise, .. } = &change.event else {
        return Ok(());
    };
    let Some(assignment) = change.next.assignment() else { return Ok(()) };
    let (job, customer) = (change.next.id.0, change.next.spec.customer_id.0);
    let status = if *fee_paise > 0 { NoShowStatus::Due } else { NoShowStatus::Open };
    Ok(queries::insert(tx, (job, customer, assignment.mechanic_id.0), status, *amount_paise, change.at)
        .await?)
}
