//! Money at the gateway that fits no payment. It is never booked: an admin has it refunded, or dismisses it.

pub(super) mod dto;
pub(super) mod queries;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{state::ParkedMove, transaction::check_currency};
use crate::{platform::error::ApiResult, providers::gateway::GatewayRefund};

/// Applies the gateway's report about a refund. Returns false if it is not the refund of a parked payment.
pub(super) async fn apply_refund(
    tx: &mut PgConnection,
    reported: &GatewayRefund,
    at: DateTime<Utc>,
) -> ApiResult<bool> {
    let Some(mut row) = queries::lock_of_attempt(tx, &reported.attempt_id).await? else { return Ok(false) };
    check_currency("refund", reported.currency.as_deref(), &row.currency)?;
    let step = ParkedMove::reported(reported, row.amount_paise);
    if let Some(after) = step.and_then(|step| row.state.after(step, at)) {
        row.state = after;
        queries::update(tx, &row).await?;
    }
    Ok(true)
}
