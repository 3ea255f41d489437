//! The stories of a payment, by who calls.

pub mod admin;
pub mod chargebacks;
pub mod customer;
pub mod fees;
pub mod parked;
pub mod refunds;
pub mod webhook;

use uuid::Uuid;

use super::queries::{self, PaymentRow};
use crate::accounting::dues;
use crate::{
    accounts::auth::Caller,
    money::payments::PaymentsContext,
    platform::error::{ApiError, ApiResult},
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
pub(super) async fn find_for(
    context: &PaymentsContext,
    caller: &Caller,
    id: Uuid,
) -> ApiResult<(PaymentRow, Party)> {
    let missing = || ApiError::not_found("payment");
    let row = queries::find(&context.db, id).await?.ok_or_else(missing)?;
    let party = party_of(context, caller, &row).await?.ok_or_else(missing)?;
    Ok((row, party))
}

async fn party_of(context: &PaymentsContext, caller: &Caller, row: &PaymentRow) -> ApiResult<Option<Party>> {
    if caller.is_admin() {
        return Ok(Some(Party::Admin));
    }
    if row.customer_id == caller.user_id {
        return Ok(Some(Party::Customer));
    }
    let (Some(mechanic), Some(job_id)) = (caller.mechanic, row.job_id) else { return Ok(None) };
    let due = dues::find(&context.db, job_id).await?;
    let is_theirs = due.is_some_and(|due| due.mechanic_profile_id == mechanic.profile_id);
    Ok(is_theirs.then_some(Party::Mechanic))
}
