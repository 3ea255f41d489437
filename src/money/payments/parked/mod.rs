//! Money at the gateway that fits nothing of ours. It is never booked: an admin has it given back, or dismisses it.

pub(super) mod queries;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    money::payments::{PaymentsContext, audited, state::ParkedStatus},
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
    },
    providers::{
        ProviderError,
        gateway::{GatewayRefund, GatewayRefundStatus, NewGatewayRefund},
    },
};
use queries::ParkedRow;

pub(super) fn no_such_parked_payment() -> ApiError {
    ApiError::not_found("parked payment")
}

/// Has the gateway give the money back. Asked again, it is the same refund: 502 and 503 leave it under way.
pub(super) async fn refund(
    context: &PaymentsContext,
    admin: Uuid,
    id: Uuid,
    reason: &str,
) -> ApiResult<ParkedRow> {
    let refund_id = context.random.id(context.clock.now());
    let begun = settle(context, (admin, "parked_payment.refund", reason), id, |row, _| {
        matches!(row.status, ParkedStatus::Open | ParkedStatus::Refunding).then(|| ParkedRow {
            status: ParkedStatus::Refunding,
            refund_id: row.refund_id.or(Some(refund_id)),
            failure: None,
            ..row
        })
    });
    let begun = begun.await?;
    let asked = NewGatewayRefund {
        refund_id: begun.refund_id.unwrap_or(refund_id),
        attempt_id: begun.gateway_payment_id.clone(),
        amount_paise: begun.amount_paise,
    };
    let reported = match context.gateway.refund(&asked).await {
        Ok(refund) => Ok(GatewayRefund { refund_id: Some(asked.refund_id), ..refund }),
        Err(ProviderError::Refused { description, .. }) => Err(description),
        Err(error) => return Err(super::reconcile::gateway_error(error)),
    };
    let mut tx = context.db.begin().await?;
    let row = queries::lock(&mut tx, id).await?.ok_or_else(no_such_parked_payment)?;
    let row = match reported {
        Ok(reported) => after_refund(row, &reported, context.clock.now()),
        Err(why) => refused(row, why),
    };
    queries::update(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Closes it without a refund.
pub(super) async fn dismiss(
    context: &PaymentsContext,
    admin: Uuid,
    id: Uuid,
    reason: &str,
) -> ApiResult<ParkedRow> {
    let dismissal = (admin, "parked_payment.dismiss", reason);
    let dismissed = settle(context, dismissal, id, |row, at| {
        let is_open = row.status == ParkedStatus::Open;
        is_open.then_some(ParkedRow { status: ParkedStatus::Dismissed, settled_at: Some(at), ..row })
    });
    dismissed.await
}

/// Applies what the gateway says of a refund; false where it gives back no parked payment.
pub(super) async fn apply_refund(
    tx: &mut PgConnection,
    reported: &GatewayRefund,
    at: DateTime<Utc>,
) -> ApiResult<bool> {
    let Some(row) = queries::lock_of_attempt(tx, &reported.attempt_id).await? else { return Ok(false) };
    queries::update(tx, &after_refund(row, reported, at)).await?;
    Ok(true)
}

/// A refund of a part, which only the gateway's own pages can make, settles nothing.
fn after_refund(row: ParkedRow, reported: &GatewayRefund, at: DateTime<Utc>) -> ParkedRow {
    let is_whole = reported.amount_paise == row.amount_paise;
    let is_ours = reported.refund_id.is_some() && reported.refund_id == row.refund_id;
    match reported.status {
        GatewayRefundStatus::Processed if is_whole && row.status != ParkedStatus::Refunded => {
            ParkedRow { status: ParkedStatus::Refunded, failure: None, settled_at: Some(at), ..row }
        }
        GatewayRefundStatus::Failed if is_ours && row.status == ParkedStatus::Refunding => {
            refused(row, "the gateway could not refund it".to_owned())
        }
        GatewayRefundStatus::Processed | GatewayRefundStatus::Failed | GatewayRefundStatus::Pending => row,
    }
}

/// The next refund is another one: under the same id the gateway would repeat its answer.
fn refused(row: ParkedRow, why: String) -> ParkedRow {
    ParkedRow { status: ParkedStatus::Open, refund_id: None, failure: Some(why), ..row }
}

/// An admin's step, with its audit row; `None` of `next` is 409.
async fn settle(
    context: &PaymentsContext,
    (admin, action, reason): (Uuid, &'static str, &str),
    id: Uuid,
    next: impl FnOnce(ParkedRow, DateTime<Utc>) -> Option<ParkedRow>,
) -> ApiResult<ParkedRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let before = queries::lock(&mut tx, id).await?.ok_or_else(no_such_parked_payment)?;
    let after = next(before.clone(), now).ok_or_else(|| {
        let message = format!("This parked payment is {}: nothing is left to decide.", before.status);
        ApiError::new(Code::InvalidTransition, message)
    })?;
    queries::update(&mut tx, &after).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin),
        action,
        subject_kind: "parked_payment",
        subject_id: id,
        before: audited::parked(before.status, None),
        after: audited::parked(after.status, Some(reason)),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(after)
}
