//! The admins' actions on money at the gateway that fits no payment.

use uuid::Uuid;

use super::gateway::gateway_error;
use crate::{
    money::payments::{
        audited,
        context::PaymentsContext,
        parked::queries::{self, ParkedRow},
        state::ParkedMove,
    },
    platform::{
        audit,
        error::{ApiError, ApiResult, Code, commit_error},
    },
    providers::{
        ProviderError,
        gateway::{GatewayRefund, NewGatewayRefund},
    },
};

pub fn no_such_parked_payment() -> ApiError {
    ApiError::not_found("parked payment")
}

/// Refunds a parked payment at the gateway. A repetition while the refund is under way is the same refund; 502 and 503
/// leave it under way.
pub async fn refund(context: &PaymentsContext, admin: Uuid, id: Uuid, reason: &str) -> ApiResult<ParkedRow> {
    let refund_id = context.random.id(context.clock.now());
    let request = (admin, "parked_payment.refund", reason);
    let begun = settle(context, request, id, ParkedMove::Refund { refund_id }).await?;
    let asked = NewGatewayRefund {
        refund_id: begun.state.refund_id.unwrap_or(refund_id),
        attempt_id: begun.gateway_payment_id.clone(),
        amount_paise: begun.amount_paise,
    };
    let step = match context.gateway.refund(&asked).await {
        Ok(refund) => {
            let refund = GatewayRefund { refund_id: Some(asked.refund_id), ..refund };
            ParkedMove::reported(&refund, begun.amount_paise)
        }
        Err(ProviderError::Refused { description, .. }) => {
            Some(ParkedMove::RefundFailed { refund_id: asked.refund_id, why: description })
        }
        Err(error) => return Err(gateway_error(error)),
    };
    let mut tx = context.db.begin().await?;
    let mut row = queries::lock(&mut tx, id).await?.ok_or_else(no_such_parked_payment)?;
    // A webhook may have settled the payment meanwhile.
    if let Some(after) = step.and_then(|step| row.state.after(step, context.clock.now())) {
        row.state = after;
        queries::update(&mut tx, &row).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Closes a parked payment without a refund.
pub async fn dismiss(context: &PaymentsContext, admin: Uuid, id: Uuid, reason: &str) -> ApiResult<ParkedRow> {
    settle(context, (admin, "parked_payment.dismiss", reason), id, ParkedMove::Dismiss).await
}

/// Takes an admin's step, with its audit row; 409 if the step is not allowed.
async fn settle(
    context: &PaymentsContext,
    (admin, action, reason): (Uuid, &'static str, &str),
    id: Uuid,
    step: ParkedMove,
) -> ApiResult<ParkedRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let mut row = queries::lock(&mut tx, id).await?.ok_or_else(no_such_parked_payment)?;
    let before = row.state.status;
    row.state = row.state.after(step, now).ok_or_else(|| {
        let message = format!("This parked payment is already {before}. Reload the list.");
        ApiError::new(Code::InvalidTransition, message)
    })?;
    queries::update(&mut tx, &row).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin),
        action,
        subject_kind: "parked_payment",
        subject_id: id,
        before: audited::parked(before, None),
        after: audited::parked(row.state.status, Some(reason)),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}
