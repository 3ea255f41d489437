//! The stories of a payment, by who calls.

pub mod admin;
pub mod customer;
pub mod fees;
pub mod refunds;
pub mod webhook;

use uuid::Uuid;

use super::{dues, queries, queries::PaymentRow};
use crate::{
    accounts::auth::Caller,
    platform::error::{ApiError, ApiResult},
    state::AppState,
};

/// As whom a payment is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Party {
    Customer,
    /// The one that served the job.
    Mechanic,
    Admin,
}

/// The payment, for a caller that has to do with it.
pub(super) async fn find_for(state: &AppState, caller: &Caller, id: Uuid) -> ApiResult<(PaymentRow, Party)> {
    let missing = || ApiError::not_found("payment");
    let row = queries::find(&state.db, id).await?.ok_or_else(missing)?;
    let party = party_of(state, caller, &row).await?.ok_or_else(missing)?;
    Ok((row, party))
}

async fn party_of(state: &AppState, caller: &Caller, row: &PaymentRow) -> ApiResult<Option<Party>> {
    if caller.is_admin() {
        return Ok(Some(Party::Admin));
    }
    if row.customer_id == caller.user_id {
        return Ok(Some(Party::Customer));
    }
    let (Some(mechanic), Some(job_id)) = (caller.mechanic, row.job_id) else { return Ok(None) };
    let due = dues::queries::find(&state.db, job_id).await?;
    let is_theirs = due.is_some_and(|due| due.mechanic_profile_id == mechanic.profile_id);
    Ok(is_theirs.then_some(Party::Mechanic))
}
