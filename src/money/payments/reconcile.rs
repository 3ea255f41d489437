//! Asks the gateway about payments for which no webhook came.

use actix_web::web::Data;
use chrono::TimeDelta;
use uuid::Uuid;

use super::{
    apply::{self, AfterCommit},
    free_jobs,
    queries::{self, PaymentRow},
};
use crate::{
    money::payments::PaymentsContext,
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        worker::{Wakeup, repeat_when_woken},
    },
    providers::{
        ProviderError,
        gateway::{Attempt, AttemptStatus},
    },
};

/// Payments asked about in one go.
const BATCH: i64 = 20;

/// What the gateway is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lookup {
    Order(String),
    Attempt(String),
}

/// Runs until it is aborted. Woken for silent payments, and for completed jobs that cost nothing.
pub async fn reconcile_payments(context: Data<PaymentsContext>, wakeup: Wakeup) {
    repeat_when_woken(&wakeup, async || {
        if let Err(error) = reconcile_silent(&context).await {
            tracing::warn!(%error, "the gateway was not asked about silent payments; trying again");
        }
        if let Err(error) = free_jobs::pay_all(&context, BATCH).await {
            tracing::warn!(%error, "jobs that cost nothing were not marked as paid; trying again");
        }
    })
    .await;
}

/// Asks about every open payment that no event came for in `gateway.reconcile_after_s`; an expired one is
/// closed after it was asked about a last time. Returns how many were asked about.
pub async fn reconcile_silent(context: &PaymentsContext) -> ApiResult<usize> {
    let now = context.clock.now();
    let before = now - TimeDelta::seconds(context.settings.gateway.reconcile_after_s);
    let silent = queries::claim_silent(&context.db, before, now, BATCH).await?;
    let count = silent.len();
    for payment in silent {
        // A failure stops no other, and is retried.
        if let Err(error) = reconcile(context, &payment).await {
            error.log();
            tracing::info!(payment.id = %payment.id, %error, "the gateway could not be asked about a payment");
        }
    }
    Ok(count)
}

async fn reconcile(context: &PaymentsContext, payment: &PaymentRow) -> ApiResult<()> {
    if let Some(order_id) = &payment.gateway_order_id {
        ask_about(context, &Lookup::Order(order_id.clone())).await?;
    }
    let is_over = payment.expires_at.is_some_and(|expires_at| expires_at <= context.clock.now());
    if is_over { close(context, payment.id, "The payment was not made in time.").await } else { Ok(()) }
}

/// Closes a payment in a transaction of its own, and notifies its watchers.
pub(super) async fn close(context: &PaymentsContext, payment_id: Uuid, failure: &str) -> ApiResult<()> {
    let now = context.clock.now();
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    let payment = apply::lock_by_id(&mut tx, context, payment_id, &mut after).await?;
    let jobs = apply::jobs_of(&mut tx, &payment).await?;
    apply::close(&mut tx, context, &payment, Some(failure), &jobs, &mut after, now).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(())
}

/// Asks the gateway and applies the answer. What is authorized is captured.
pub(super) async fn ask_about(context: &PaymentsContext, lookup: &Lookup) -> ApiResult<()> {
    let attempts = match lookup {
        Lookup::Order(id) => context.gateway.attempts_of(id).await.map_err(gateway_error)?,
        Lookup::Attempt(id) => {
            context.gateway.attempt(id).await.map_err(gateway_error)?.into_iter().collect()
        }
    };
    for attempt in attempts {
        apply_or_capture(context, attempt).await?;
    }
    Ok(())
}

async fn apply_or_capture(context: &PaymentsContext, attempt: Attempt) -> ApiResult<()> {
    let is_authorized = attempt.status == AttemptStatus::Authorized;
    apply_attempt(context, &attempt).await?;
    if is_authorized && is_ours(context, &attempt).await? {
        let captured = context.gateway.capture(&attempt).await.map_err(gateway_error)?;
        apply_attempt(context, &captured).await?;
    }
    Ok(())
}

/// Never capture what was not asked for.
async fn is_ours(context: &PaymentsContext, attempt: &Attempt) -> ApiResult<bool> {
    let Some(order_id) = &attempt.order_id else { return Ok(false) };
    let payment = queries::by_order(&context.db, order_id).await?;
    Ok(payment.is_some_and(|payment| {
        payment.captured_at.is_none()
            && payment.amount_paise == attempt.amount_paise
            && payment.currency == attempt.currency
    }))
}

async fn apply_attempt(context: &PaymentsContext, attempt: &Attempt) -> ApiResult<()> {
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    apply::apply_attempt(&mut tx, context, attempt, &mut after).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(())
}

/// A provider's failure, as an answer.
pub(super) fn gateway_error(error: ProviderError) -> ApiError {
    let text = match &error {
        ProviderError::Unavailable(why) => return ApiError::unavailable(why.clone()),
        ProviderError::Refused { .. } => "The payment gateway refused the request. Please try again later.",
        ProviderError::Unknown(_) => "The payment gateway gave no answer. Please try again later.",
    };
    ApiError::new(Code::ProviderError, text).caused_by(error)
}
