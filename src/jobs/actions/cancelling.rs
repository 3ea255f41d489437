//! A job is cancelled, by its customer or an admin.

use chrono::TimeDelta;
use roadcall_actors::{
    engine::{AcceptedFee, FeeQuote, FreeCancellationAllowance},
    ids::{JobId, UserId},
    job::state::Actor,
    protocol::{Cancel, QuoteCancellation, QuoteCancellationByAdmin},
};
use uuid::Uuid;

use crate::{
    jobs::{
        context::JobsContext,
        dto::{BY_ADMIN, CancelReason},
        lookup::row_of,
        queries::{self, JobRow},
        step::JobStep,
    },
    platform::error::ApiResult,
    wire::refused,
};

/// The reason for which a customer cancels, and the fee that they accept.
#[derive(Debug)]
pub struct CancelRequest {
    pub reason_code: String,
    pub reason: Option<String>,
    pub accepted_fee: AcceptedFee,
}

/// Counts how often a customer may still cancel for free soon after an acceptance. Accounts with the same `person_key` count
/// together.
pub async fn free_cancellations(
    context: &JobsContext,
    customer_id: Uuid,
    person_key: Uuid,
) -> ApiResult<FreeCancellationAllowance> {
    let fees = &context.fee_settings;
    let since = context.clock.now() - TimeDelta::days(fees.free_cancellation_days);
    let used = queries::free_cancellations(&context.db, customer_id, person_key, since).await?;
    let used = u32::try_from(used).unwrap_or(u32::MAX);
    Ok(FreeCancellationAllowance { most: fees.free_cancellations, since, used, person_key })
}

/// Returns the customer's fee for cancelling now.
pub async fn quote_cancellation(
    context: &JobsContext,
    job_id: Uuid,
    free: FreeCancellationAllowance,
) -> ApiResult<FeeQuote> {
    let quote = QuoteCancellation { job: JobId(job_id), free_cancellations: Some(free) };
    context.engine.ask(quote).await.map_err(refused)
}

/// Returns the customer's fee if an admin cancelled the job now.
pub async fn quote_cancellation_by_admin(context: &JobsContext, job_id: Uuid) -> ApiResult<FeeQuote> {
    context.engine.ask(QuoteCancellationByAdmin { job: JobId(job_id) }).await.map_err(refused)
}

/// Cancels the job for the customer, who has to accept the fee if there is one.
pub async fn cancel(
    context: &JobsContext,
    step: JobStep,
    customer_id: Uuid,
    person_key: Uuid,
    how: CancelRequest,
) -> ApiResult<JobRow> {
    let CancelRequest { reason_code, reason, accepted_fee } = how;
    let free_cancellations = Some(free_cancellations(context, customer_id, person_key).await?);
    let cancel = Cancel {
        command: context.new_command(),
        logged_under: step.logged_under,
        job: JobId(step.job_id),
        by: Actor::Customer(UserId(customer_id)),
        reason_code,
        reason,
        accepted_fee,
        free_cancellations,
    };
    row_of(context, context.engine.ask(cancel).await).await
}

/// Cancels a job on account for its organisation, at the fee that the bill will show. Nothing limits how often the free time is
/// used: the contract says what a cancellation costs.
pub async fn cancel_on_account(
    context: &JobsContext,
    step: JobStep,
    account_id: Uuid,
    (reason_code, reason): (CancelReason, Option<String>),
) -> ApiResult<JobRow> {
    let cancel = Cancel {
        command: context.new_command(),
        logged_under: step.logged_under,
        job: JobId(step.job_id),
        by: Actor::Partner(UserId(account_id)),
        reason_code: reason_code.to_string(),
        reason,
        accepted_fee: AcceptedFee::Any,
        free_cancellations: None,
    };
    row_of(context, context.engine.ask(cancel).await).await
}

/// Cancels the job for an admin, even while it is being worked on, at the fee that the customer owes.
pub async fn cancel_by_admin(
    context: &JobsContext,
    step: JobStep,
    admin: Uuid,
    reason: String,
) -> ApiResult<JobRow> {
    let cancel = Cancel {
        command: context.new_command(),
        logged_under: step.logged_under,
        job: JobId(step.job_id),
        by: Actor::Admin(UserId(admin)),
        reason_code: BY_ADMIN.to_owned(),
        reason: Some(reason),
        accepted_fee: AcceptedFee::Any,
        free_cancellations: None,
    };
    row_of(context, context.engine.ask(cancel).await).await
}

/// Deletes cancellations that no longer count, and returns how many it deleted.
pub async fn sweep_free_cancellations(context: &JobsContext, limit: i64) -> sqlx::Result<u64> {
    let kept = TimeDelta::days(context.fee_settings.free_cancellation_days);
    queries::sweep_free_cancellations(&context.db, context.clock.now() - kept, limit).await
}
