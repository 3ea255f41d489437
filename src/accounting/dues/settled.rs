//! Whether a person leaves money behind that nobody could move any more, were their account to end.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;
use crate::platform::{
    error::{ApiError, ApiResult, Code},
    settings::Settings,
};

/// 409 CONFLICT for a customer who owes for a job or in fees, or is paying right now. Their account is locked, and they have
/// no open job: nothing can become due meanwhile.
pub async fn check_settled(tx: &mut PgConnection, customer_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    let open = queries::open_of_customer(tx, customer_id, now).await?;
    let why = if open.owes_job {
        "a completed job is not paid: pay for it first, or dispute it and an admin decides"
    } else if open.owes_fee {
        "a cancellation fee is due: pay it first, or ask for it to be waived"
    } else if open.is_paying {
        "a payment is under way: try again when it is through, or has expired"
    } else {
        return Ok(());
    };
    Err(ApiError::new(Code::Conflict, why))
}

/// 409 CONFLICT for a mechanic whose work is not paid yet and may still be disputed, or is being paid right now. Whoever does
/// not want to wait for what a customer never paid may go when the time to dispute it is over.
pub async fn check_earned(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    settings: &Settings,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let disputable_since = now - TimeDelta::seconds(settings.money.dispute_window_s);
    let open = queries::open_of_mechanic(tx, mechanic_profile_id, disputable_since, now).await?;
    let why = if open.is_owed {
        "a job that you completed is not paid yet: confirm the cash, or wait until it is paid or can't be disputed any more"
    } else if open.is_being_paid {
        "a customer is paying you: try again when the payment is through, or has expired"
    } else {
        return Ok(());
    };
    Err(ApiError::new(Code::Conflict, why))
}
