//! Refunds by admins, and the gateway's reports about refunds.

use uuid::Uuid;

use crate::{
    http::Money,
    money::payments::{
        audited,
        context::PaymentsContext,
        dto::{NewRefund, RefundSource},
        refunds::{self, RefundRequest, RefundRow},
        state::RefundStatus,
        transaction::{AfterCommit, lock_by_id, show_on_jobs},
    },
    platform::{
        audit,
        error::{ApiError, ApiResult, commit_error},
        idempotency::{self, Claim},
    },
    providers::gateway::GatewayRefund,
};

/// Promises a refund of a captured payment, in part or in full. The worker has the gateway make it.
pub async fn promise(
    context: &PaymentsContext,
    admin_id: Uuid,
    payment_id: Uuid,
    new: NewRefund,
    claim: &Claim,
) -> ApiResult<RefundRow> {
    let NewRefund { amount, reason } = new;
    if amount.is_some_and(|Money(paise)| paise <= 0) {
        return Err(ApiError::invalid("amount", "must be above 0"));
    }
    let now = context.clock.now();
    let mut after = AfterCommit::with_refund();
    let mut tx = context.db.begin().await?;
    let payment = lock_by_id(&mut tx, context, payment_id, &mut after).await?;
    let left_paise = payment.amount_paise - payment.refunded_paise;
    if payment.captured_at.is_some() && left_paise == 0 {
        return Err(ApiError::invalid("amount", "this payment has already been refunded in full"));
    }
    let request = RefundRequest {
        amount_paise: amount.map_or(left_paise, |amount| amount.0),
        source: RefundSource::Admin,
        reason: Some(&reason.0),
        requested_by: Some(admin_id),
        gateway_refund_id: None,
        first_from: None,
    };
    let row = refunds::create(&mut tx, context, &payment, request, now).await?;
    show_on_jobs(&mut tx, context, &payment, &mut after, now).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "payment.refund",
        subject_kind: "payment",
        subject_id: payment_id,
        before: audited::refunded(payment.refunded_paise, None),
        after: audited::refunded(payment.refunded_paise + row.amount_paise, row.reason.as_deref()),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(row)
}

/// Returns the refund as it was when it was promised, which is the answer that the admin got.
pub async fn as_promised(context: &PaymentsContext, id: Uuid) -> ApiResult<RefundRow> {
    let row = refunds::queries::find(&context.db, id).await?;
    let row = row.ok_or_else(|| ApiError::not_found("refund"))?;
    let status = RefundStatus::Requested;
    Ok(RefundRow { status, gateway_refund_id: None, failure: None, settled_at: None, ..row })
}

/// Records that a refund of a cash payment was paid by hand.
pub async fn mark_paid(
    context: &PaymentsContext,
    admin_id: Uuid,
    found: &RefundRow,
    reference: &str,
    claim: &Claim,
) -> ApiResult<()> {
    let now = context.clock.now();
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    let payment = lock_by_id(&mut tx, context, found.payment_id, &mut after).await?;
    refunds::mark_paid(&mut tx, context, &payment, found.id, reference, now).await?;
    show_on_jobs(&mut tx, context, &payment, &mut after, now).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin_id),
        action: "refund.mark_paid",
        subject_kind: "refund",
        subject_id: found.id,
        before: audited::refund_status(found.status, None),
        after: audited::refund_status(RefundStatus::Processed, Some(reference)),
    };
    audit::record(&mut tx, &context.random, now, entry).await?;
    idempotency::complete(&mut tx, claim, found.id).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(())
}

/// Applies the gateway's report about a refund. Returns the announcements to make after the commit.
pub async fn apply(context: &PaymentsContext, reported: &GatewayRefund) -> ApiResult<AfterCommit> {
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    refunds::apply(&mut tx, context, reported, &mut after).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(after)
}
