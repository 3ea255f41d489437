//! Asks the gateway about payments, and applies its answers.

use uuid::Uuid;

use crate::{
    money::payments::{
        apply::{self, AppliedAtOnce},
        context::PaymentsContext,
        dto::Verify,
        queries::{self, PaymentRow},
        transaction::{self, AfterCommit},
    },
    platform::error::{ApiError, ApiResult, Code, commit_error},
    providers::{
        ProviderError,
        gateway::{Attempt, AttemptStatus},
    },
};

/// The subject of a question to the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    Order(String),
    Attempt(String),
}

/// Takes the data that the gateway's checkout returned to a customer's app, and asks the gateway itself. If the gateway
/// can't be reached, the payment stays as it is, and is updated later.
pub async fn verify(context: &PaymentsContext, customer_id: Uuid, checkout: Verify) -> ApiResult<PaymentRow> {
    let Verify { gateway_order_id, gateway_payment_id, signature } = checkout;
    let row = queries::by_order(&context.db, &gateway_order_id.0).await?;
    let row = row.filter(|row| row.customer_id == customer_id);
    let row = row.ok_or_else(|| ApiError::invalid("gateway_order_id", "is not an order of yours"))?;
    if !context.gateway.is_checkout_genuine(&gateway_order_id.0, &gateway_payment_id.0, &signature.0) {
        return Err(ApiError::invalid("signature", "is not the gateway's"));
    }
    let subject = Lookup::Order(gateway_order_id.0);
    if let Err(error) = ask_about(context, &subject).await {
        tracing::info!(payment.id = %row.id, %error, "the gateway could not be asked about a verified payment");
    }
    queries::find(&context.db, row.id).await?.ok_or_else(|| ApiError::not_found("payment"))
}

/// Closes a payment in a transaction of its own, and notifies its watchers.
pub async fn close(context: &PaymentsContext, payment_id: Uuid, failure: &str) -> ApiResult<()> {
    let now = context.clock.now();
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    let payment = transaction::lock_by_id(&mut tx, context, payment_id, &mut after).await?;
    let jobs = transaction::jobs_of(&mut tx, &payment).await?;
    transaction::close(&mut tx, context, &payment, Some(failure), &jobs, &mut after, now).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(())
}

/// Asks the gateway and applies the answer. Authorized attempts are captured.
pub async fn ask_about(context: &PaymentsContext, lookup: &Lookup) -> ApiResult<()> {
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

/// Returns whether an attempt is one that was asked for. No other attempt may be captured.
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
    if apply::apply_at_once(context, attempt, Vec::new()).await? != AppliedAtOnce::Not {
        return Ok(());
    }
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    apply::apply_attempt(&mut tx, context, attempt, &mut after).await?;
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(())
}

/// Converts a provider's failure to an answer.
pub fn gateway_error(error: ProviderError) -> ApiError {
    let text = match &error {
        ProviderError::Unavailable(why) => return ApiError::unavailable(why.clone()),
        ProviderError::Refused { .. } => "The payment gateway refused the request. Please try again later.",
        ProviderError::Unknown(_) => "The payment gateway gave no answer. Please try again later.",
    };
    ApiError::new(Code::ProviderError, text).caused_by(error)
}
