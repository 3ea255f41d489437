//! Books the dues that the end of a job creates, in the transaction that ends it.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use roadcall_platform::error::ApiResult;
use sqlx::PgConnection;

use super::{
    FeeRow, FeeStatus, charge,
    queries::{self, NewDue},
};

/// Returns the price of a completed job.
pub fn due(change: &JobChange) -> Option<NewDue> {
    let Event::Completed { final_price_paise, .. } = &change.event else { return None };
    let (job, assignment) = (&change.next, change.next.assignment()?);
    Some(NewDue {
        job_id: job.id.0,
        customer_id: job.spec.customer_id.0,
        mechanic_profile_id: assignment.mechanic_id.0,
        due_paise: *final_price_paise,
        account_paise: job.account_paise(),
        created_at: change.at,
    })
}

/// Stores the prices of completed jobs as due.
pub async fn write_dues(tx: &mut PgConnection, _: &Random, dues: &[NewDue]) -> sqlx::Result<()> {
    queries::insert(tx, dues).await
}

/// Returns the fee of a cancelled job.
pub fn fee(change: &JobChange) -> Option<FeeRow> {
    let Event::Cancelled { fee_paise: amount_paise @ 1.., .. } = change.event else { return None };
    let job = &change.next;
    Some(FeeRow {
        job_id: job.id.0,
        customer_id: job.spec.customer_id.0,
        mechanic_profile_id: job.assignment().map(|assignment| assignment.mechanic_id.0),
        amount_paise,
        status: FeeStatus::Due,
        is_contested: false,
        cancelled_at: change.at,
    })
}

/// Charges the fees of cancelled jobs.
pub async fn charge_fees(tx: &mut PgConnection, random: &Random, fees: &[FeeRow]) -> ApiResult<()> {
    for fee in fees {
        charge(tx, random, fee, fee.cancelled_at).await?;
    }
    Ok(())
}
