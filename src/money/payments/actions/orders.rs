//! Makes orders: the payment's row first, then the order at the gateway, then its id in the row. Concurrent requests
//! for the same subject wait for it. A crash in between leaves a row without an order, which the next request closes
//! once no request can still be at the gateway with it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::job::state::{Job, Status};
use sqlx::PgConnection;
use uuid::Uuid;

use super::gateway::{self, gateway_error};
use crate::{
    accounting::dues::{self, FeeRow, JobDue},
    http::ValidationErrors,
    money::payments::{
        bookings,
        context::PaymentsContext,
        dto::{Channel, Purpose},
        queries::{self, NewPayment, PaymentRow},
        transaction::{self, AfterCommit},
    },
    platform::{
        error::{ApiError, ApiResult, Code, after_commit, commit_error, constraint},
        idempotency::{self, Claim},
    },
    providers::gateway::NewGatewayOrder,
};

/// The number of tries to make an order, and the pause after each, while another request is at the gateway with the
/// same order. After the last try the answer is 409 with `Retry-After`.
const TRIES: usize = 50;
const PAUSE: Duration = Duration::from_millis(100);
/// The time beyond the gateway's time limit for which an order may be in the making.
const SLACK: TimeDelta = TimeDelta::seconds(2);

/// The person who asks for an order.
#[derive(Debug, Clone, Copy)]
pub struct Payer {
    pub user_id: Uuid,
    /// The person's profile as a mechanic, if any: mechanics can make a cash payment of a job that they served.
    pub mechanic_profile_id: Option<Uuid>,
}

impl Payer {
    /// Returns whether the job is the payer's own, or served by them and paid in cash.
    fn may_pay(self, job: &Job, channel: Channel) -> bool {
        let serving = job.assignment().map(|assignment| assignment.mechanic_id.0);
        let is_mechanic = self.mechanic_profile_id.is_some() && serving == self.mechanic_profile_id;
        job.spec.customer_id.0 == self.user_id || (channel == Channel::Cash && is_mechanic)
    }
}

/// The subject of an order.
#[derive(Debug)]
pub enum OrderSubject {
    Job { job_id: Uuid, channel: Channel },
    Fees(Vec<Uuid>),
}

/// The amount due for a subject, whose jobs are locked.
struct Bill {
    customer_id: Uuid,
    purpose: Purpose,
    job_id: Option<Uuid>,
    channel: Channel,
    fees: Vec<FeeRow>,
    amount_paise: i64,
}

impl Bill {
    fn jobs(&self) -> Vec<Uuid> {
        self.job_id.into_iter().chain(self.fees.iter().map(|fee| fee.job_id)).collect()
    }
}

/// The outcome of a try.
enum Attempted {
    /// The order, and whether it is new.
    Done(Box<PaymentRow>, bool),
    /// Another request is making the order, or was quicker: the caller tries again.
    Again,
}

/// Returns the order for `subject`, and whether it is new. 409 with `Retry-After` if another request takes too long to
/// make it.
pub async fn order(
    context: &PaymentsContext,
    payer: Payer,
    subject: OrderSubject,
    claim: &Claim,
) -> ApiResult<(PaymentRow, bool)> {
    if let OrderSubject::Job { job_id, channel: Channel::Cash } = subject
        && let Some(payment) = make_in_cash(context, payer, job_id, claim).await?
    {
        return Ok((payment, true));
    }
    for _ in 0..TRIES {
        match try_order(context, payer, &subject, claim).await? {
            Attempted::Done(payment, is_new) => return Ok((*payment, is_new)),
            Attempted::Again => tokio::time::sleep(PAUSE).await,
        }
    }
    Err(ApiError::new(Code::Conflict, "An order for this is being made. Try again in a moment.")
        .retry_after(1))
}

/// Makes a cash payment by one statement. Returns `None` if a transaction has to decide.
async fn make_in_cash(
    context: &PaymentsContext,
    payer: Payer,
    job_id: Uuid,
    claim: &Claim,
) -> ApiResult<Option<PaymentRow>> {
    let may_pay = |job: &Job| payer.may_pay(job, Channel::Cash);
    match bookings::made_in_cash(context, job_id, may_pay, claim.mark()).await? {
        Some(booking) => bookings::write(context, &context.bookings, booking).await,
        None => Ok(None),
    }
}

async fn try_order(
    context: &PaymentsContext,
    payer: Payer,
    subject: &OrderSubject,
    claim: &Claim,
) -> ApiResult<Attempted> {
    let now = context.clock.now();
    let mut after = AfterCommit::default();
    let mut tx = context.db.begin().await?;
    let bill = match subject {
        OrderSubject::Job { job_id, channel } => {
            bill_of_job(&mut tx, context, payer, *job_id, *channel, &mut after).await?
        }
        OrderSubject::Fees(jobs) => bill_of_fees(&mut tx, context, payer, jobs, &mut after).await?,
    };
    if let Some(open) = open_payment(&mut tx, &bill).await? {
        let is_same = is_for(&mut tx, &open, &bill).await?;
        match state_of(&open, context, now) {
            OrderState::Payable if is_same => {
                idempotency::complete_shown(&mut tx, claim, open.id).await?;
                tx.commit().await.map_err(commit_error)?;
                return Ok(Attempted::Done(Box::new(open), false));
            }
            OrderState::InTheMaking => return Ok(Attempted::Again),
            OrderState::Payable | OrderState::Expired => {}
        }
        // If the closed payment is captured after all, the capture is applied, and the surplus is refunded.
        let failure = (!is_payable(&open)).then_some("The order was not made in time.");
        transaction::close(&mut tx, context, &open, failure, &bill.jobs(), &mut after, now).await?;
    }
    let Some(payment) = insert(&mut tx, context, &bill, now).await? else { return Ok(Attempted::Again) };
    transaction::show_on_jobs(&mut tx, context, &payment, &mut after, now).await?;
    if bill.channel == Channel::Cash {
        idempotency::complete(&mut tx, claim, payment.id).await?;
        tx.commit().await.map_err(commit_error)?;
        after.run(context).await;
        return Ok(Attempted::Done(Box::new(payment), true));
    }
    tx.commit().await.map_err(commit_error)?;
    after.run(context).await;
    order_at_gateway(context, payment, claim).await
}

async fn bill_of_job(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payer: Payer,
    job_id: Uuid,
    channel: Channel,
    after: &mut AfterCommit,
) -> ApiResult<Bill> {
    let foreign = || ApiError::invalid("job_id", "is not a job of yours");
    let job = after.job(tx, context, job_id).await;
    let job = job.map_err(|error| if error.code == Code::NotFound { foreign() } else { error })?;
    let (status, customer_id) = (job.status(), job.spec.customer_id.0);
    if !payer.may_pay(job, channel) {
        return Err(foreign());
    }
    let due = dues::find(&mut *tx, job_id).await?;
    let amount_paise = due.as_ref().map_or(0, JobDue::left_paise);
    let may_pay = matches!(status, Status::Completed | Status::Resolved)
        || (status == Status::Disputed && queries::is_disputed_as_unpaid(tx, job_id).await?);
    if !may_pay || amount_paise == 0 {
        let message = format!("This job can't be paid right now because it is {}.", status.as_str());
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    if due.is_some_and(|due| due.awaits_account()) {
        let why = "What the partner pays for this job is being booked. Try again in a moment.";
        return Err(ApiError::new(Code::Conflict, why).retry_after(1));
    }
    Ok(Bill {
        customer_id,
        purpose: Purpose::Job,
        job_id: Some(job_id),
        channel,
        fees: Vec::new(),
        amount_paise,
    })
}

async fn bill_of_fees(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payer: Payer,
    request: &[Uuid],
    after: &mut AfterCommit,
) -> ApiResult<Bill> {
    let mut ids = request.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let known = dues::unpaid_fees(&mut *tx, payer.user_id, dues::MAX_FEES).await?;
    let mut faults = ValidationErrors::default();
    for (index, id) in request.iter().enumerate() {
        if !known.iter().any(|fee| fee.job_id == *id) {
            faults.add(format!("fee_job_ids[{index}]"), "is not a job whose fee you owe");
        }
    }
    faults.into_result()?;
    for id in &ids {
        after.job(tx, context, *id).await?;
    }
    let fees: Vec<FeeRow> = dues::lock_fees(tx, &ids).await?.into_iter().filter(FeeRow::is_due).collect();
    let amount_paise = fees.iter().map(|fee| fee.amount_paise).sum();
    if fees.len() < ids.len() {
        return Err(ApiError::new(
            Code::InvalidTransition,
            "One of these fees has been paid, waived or contested in the meantime. Reload your fees.",
        ));
    }
    let (customer_id, channel) = (payer.user_id, Channel::Online);
    Ok(Bill { customer_id, purpose: Purpose::Fees, job_id: None, channel, fees, amount_paise })
}

/// The state of an open payment.
enum OrderState {
    /// The payment may be paid.
    Payable,
    /// A request is at the gateway with the order.
    InTheMaking,
    /// The order has expired, or the request that was making it died.
    Expired,
}

fn is_payable(open: &PaymentRow) -> bool {
    open.channel == Channel::Cash || open.gateway_order_id.is_some()
}

fn state_of(open: &PaymentRow, context: &PaymentsContext, now: DateTime<Utc>) -> OrderState {
    let time_limit = TimeDelta::milliseconds(context.gateway_settings.timeout_ms as i64);
    let made_by = open.created_at + time_limit + SLACK;
    match is_payable(open) {
        true if open.expires_at.is_none_or(|expires_at| expires_at > now) => OrderState::Payable,
        false if made_by > now => OrderState::InTheMaking,
        true | false => OrderState::Expired,
    }
}

/// Returns the open payment for a job, or for the customer's fees.
async fn open_payment(tx: &mut PgConnection, bill: &Bill) -> ApiResult<Option<PaymentRow>> {
    Ok(match bill.job_id {
        Some(job_id) => queries::open_of_job(tx, job_id).await?,
        None => queries::open_for_fees(tx, bill.customer_id).await?,
    })
}

/// Returns whether a payment is for the bill, to the paisa.
async fn is_for(tx: &mut PgConnection, open: &PaymentRow, bill: &Bill) -> ApiResult<bool> {
    let for_the_same = match bill.job_id {
        Some(_) => open.channel == bill.channel,
        None => {
            let fees = queries::fees_of(&mut *tx, &[open.id]).await?;
            fees.iter().map(|fee| fee.job_id).eq(bill.fees.iter().map(|fee| fee.job_id))
        }
    };
    Ok(for_the_same && open.amount_paise == bill.amount_paise)
}

/// Inserts the payment. Returns `None` if another request was quicker: two sets of fees need not share a job whose lock
/// would make one request wait.
async fn insert(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    bill: &Bill,
    now: DateTime<Utc>,
) -> ApiResult<Option<PaymentRow>> {
    let is_online = bill.channel == Channel::Online;
    let ttl = TimeDelta::seconds(context.gateway_settings.order_ttl_s);
    let new = NewPayment {
        id: context.random.id(now),
        customer_id: bill.customer_id,
        purpose: bill.purpose,
        job_id: bill.job_id,
        channel: bill.channel,
        amount_paise: bill.amount_paise,
        currency: &context.settings.currency,
        gateway: is_online.then(|| context.gateway.name()),
        expires_at: is_online.then_some(now + ttl),
        at: now,
    };
    let row = match queries::insert(tx, &new).await {
        Err(error) if is_one_open(&error) => return Ok(None),
        inserted => inserted?,
    };
    if !bill.fees.is_empty() {
        let ids: Vec<Uuid> = bill.fees.iter().map(|fee| fee.job_id).collect();
        let amounts: Vec<i64> = bill.fees.iter().map(|fee| fee.amount_paise).collect();
        queries::insert_fees(tx, new.id, &ids, &amounts).await?;
    }
    Ok(Some(row))
}

fn is_one_open(error: &sqlx::Error) -> bool {
    matches!(constraint(error), Some("payments_one_open_per_job" | "payments_one_open_for_fees"))
}

async fn order_at_gateway(
    context: &PaymentsContext,
    payment: PaymentRow,
    claim: &Claim,
) -> ApiResult<Attempted> {
    let new = NewGatewayOrder {
        payment_id: payment.id,
        amount_paise: payment.amount_paise,
        currency: payment.currency.clone(),
    };
    let order = match context.gateway.create_order(&new).await {
        Ok(order) => order,
        Err(error) => {
            // Nobody learnt of an order, so it can't be paid.
            gateway::close(context, payment.id, "The gateway could not make an order.").await?;
            return Err(gateway_error(error));
        }
    };
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    if !queries::set_order(&mut tx, payment.id, &order.id, now).await? {
        // The payment was closed meanwhile, for another order.
        return Ok(Attempted::Again);
    }
    idempotency::complete(&mut tx, claim, payment.id).await?;
    tx.commit().await.map_err(commit_error)?;
    let row = queries::find(&context.db, payment.id).await.map_err(after_commit)?;
    let row = row.ok_or_else(|| ApiError::internal("a payment has disappeared"))?;
    Ok(Attempted::Done(Box::new(row), true))
}
