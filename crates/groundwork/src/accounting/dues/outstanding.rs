//! Checks whether closing a person's account would strand money.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::error::{ApiError, ApiResult, Code};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;

/// Refuses with 409 CONFLICT a customer who owes for a job or in fees, or is paying right now. Their account is locked,
/// and they have no open job, so nothing can become due meanwhile.
pub async fn check_settled(tx: &mut PgConnection, customer_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let open = queries::debts_of_customer(tx, customer_id, now).await?;
    let why = if open.owes_job {
        "A completed job is not paid yet. Pay for it, or dispute it."
    } else if open.owes_fee {
        "A cancellation fee is due. Pay it, or ask us to waive it."
    } else if open.is_paying {
        "A payment is under way. Try again when it has been completed or has expired."
    } else {
        return Ok(());
    };
    Err(ApiError::new(Code::Conflict, why))
}

/// Refuses with 409 CONFLICT a mechanic whose work is not paid yet and may still be disputed, or is being paid right
/// now. A mechanic whose customer never pays can leave when the time to dispute the job is over.
pub async fn check_earned(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    dispute_window: TimeDelta,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let disputable_since = now - dispute_window;
    let open = queries::claims_of_mechanic(tx, mechanic_profile_id, disputable_since, now).await?;
    let why = if open.is_owed {
        "A job that you completed is not paid yet. Confirm the cash, or wait until the job is paid or can no longer be disputed."
    } else if open.is_being_paid {
        "A customer is paying you. Try again when the payment has been completed or has expired."
    } else {
        return Ok(());
    };
    Err(ApiError::new(Code::Conflict, why))
}
