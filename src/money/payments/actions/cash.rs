//! Confirmations by both sides of a job that cash changed hands.

use roadcall_actors::{ids::UserId, job::state::Actor};
use sqlx::PgConnection;

use super::orders::{self, OrderSubject, Payer};
use crate::{
    accounting::dues::{self, JobDue},
    http::Money,
    jobs::JobRow,
    money::payments::{
        apply::{CapturedBy, capture},
        bookings,
        context::PaymentsContext,
        dto::Channel,
        queries::{self, PaymentRow},
        transaction::{AfterCommit, lock, show_on_jobs},
    },
    platform::{
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::Claim,
    },
};

/// Confirms for one side that this amount changed hands; when both sides have confirmed it, the job is paid. A
/// repetition changes nothing. `due` was read with the payment. Returns the payment as it is then.
pub async fn confirm(
    context: &PaymentsContext,
    found: &PaymentRow,
    due: Option<JobDue>,
    by: Actor,
    amount: Money,
) -> ApiResult<PaymentRow> {
    if let Some(booking) = bookings::confirmed(context, found, due, by, amount).await?
        && let Some(payment) = bookings::write(context, &context.bookings, booking).await?
    {
        return Ok(payment);
    }
    confirm_locked(context, found, by, amount).await
}

/// Confirms that the person for whom an organisation ordered the job paid their part in cash. The payment is made, too, if the
/// mechanic has not made it.
pub async fn confirm_own_part(context: &PaymentsContext, job: &JobRow, amount: Money) -> ApiResult<()> {
    let payer = Payer { user_id: job.customer_id, mechanic_profile_id: None };
    let subject = OrderSubject::Job { job_id: job.id, channel: Channel::Cash };
    let (payment, _) = orders::order(context, payer, subject, &Claim::Unmarked).await?;
    let due = dues::find(&context.db, job.id).await?;
    confirm(context, &payment, due, Actor::Customer(UserId(job.customer_id)), amount).await.map(drop)
}

/// Confirms like [`confirm`], under the locks of the job and the payment.
async fn confirm_locked(
    context: &PaymentsContext,
    found: &PaymentRow,
    by: Actor,
    amount: Money,
) -> ApiResult<PaymentRow> {
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    let payment = lock(&mut tx, context, found, &mut after).await?;
    if payment.channel != Channel::Cash {
        return Err(ApiError::new(Code::InvalidTransition, "This is not a cash payment."));
    }
    if amount.0 != payment.amount_paise {
        return Err(other_amount(&payment));
    }
    let confirmed = match payment.captured_at {
        None => confirm_open(&mut tx, context, &payment, by, &mut after).await?,
        Some(_) => payment,
    };
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    Ok(confirmed)
}

/// Confirms an open payment for one side; when both sides have confirmed it, it is captured. The payment and its job
/// are locked. 409 if the payment is not open, or if the amount due has changed. Returns the payment as it is then.
async fn confirm_open(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    by: Actor,
    after: &mut AfterCommit,
) -> ApiResult<PaymentRow> {
    let due = check_cash(tx, payment).await?;
    let now = context.clock.now();
    let is_customer = matches!(by, Actor::Customer(_));
    let customer = is_customer.then_some(now).or(payment.cash_customer_at);
    let mechanic = (!is_customer).then_some(now).or(payment.cash_mechanic_at);
    let confirmed = queries::confirm_cash(tx, payment.id, customer, mechanic, now).await?;
    if customer.is_some() && mechanic.is_some() {
        return capture(tx, context, payment, CapturedBy::Party(by, due), after, now).await;
    }
    show_on_jobs(tx, context, payment, after, now).await?;
    Ok(confirmed)
}

/// Returns the amount due for the job, if the payment is for exactly that amount.
async fn check_cash(tx: &mut PgConnection, payment: &PaymentRow) -> ApiResult<JobDue> {
    if !payment.is_open {
        return Err(ApiError::new(Code::InvalidTransition, "This cash payment is closed."));
    }
    let due = match payment.job_id {
        Some(job_id) => dues::find(&mut *tx, job_id).await?,
        None => None,
    };
    let due = due.filter(|due| due.left_paise() == payment.amount_paise);
    due.ok_or_else(|| ApiError::new(Code::Conflict, "The amount due has changed. Create the payment again."))
}

fn other_amount(payment: &PaymentRow) -> ApiError {
    let amount = Money(payment.amount_paise);
    let message = format!("This payment is for {amount}. Confirm that amount, or create the payment again.");
    ApiError::new(Code::Conflict, message)
}
