//! Books an organisation's part of a job as a payment that counts as captured at once. The organisation owes the money
//! from then on, and the mechanic earns as from a payment at the gateway, whether the organisation pays its bill or not.

use chrono::{DateTime, Utc};
use roadcall_actors::job::state::Job;
use sqlx::PgConnection;

use super::{
    apply::{CapturedBy, capture},
    context::PaymentsContext,
    dto::{Channel, Purpose},
    queries::{self, NewPayment},
    transaction::AfterCommit,
};
use crate::{
    accounting::dues::{self, FeeRow},
    platform::error::ApiResult,
};

/// Books the organisation's part of a completed job, or the fee of a cancelled one, and returns the amount. The job is locked.
pub async fn capture_on_account(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    job: &Job,
    after: &mut AfterCommit,
    at: DateTime<Utc>,
) -> ApiResult<i64> {
    let job_id = job.id.0;
    let due = dues::find(&mut *tx, job_id).await?;
    let fee = dues::lock_fees(tx, &[job_id]).await?.pop().filter(FeeRow::is_due);
    let (purpose, amount_paise) = match (due, &fee) {
        (Some(due), _) => (Purpose::Job, due.account_paise.min(due.left_paise())),
        (None, Some(fee)) => (Purpose::Fees, fee.amount_paise),
        (None, None) => return Ok(0),
    };
    if amount_paise <= 0 {
        return Ok(0);
    }
    let new = NewPayment {
        id: context.random.id(at),
        customer_id: job.spec.customer_id.0,
        purpose,
        job_id: (purpose == Purpose::Job).then_some(job_id),
        channel: Channel::Account,
        amount_paise,
        currency: &context.settings.currency,
        gateway: None,
        expires_at: None,
        at,
    };
    let payment = queries::insert(tx, &new).await?;
    if purpose == Purpose::Fees {
        queries::insert_fees(tx, new.id, &[job_id], &[amount_paise]).await?;
    }
    capture(tx, context, &payment, CapturedBy::Account, after, at).await?;
    Ok(amount_paise)
}
