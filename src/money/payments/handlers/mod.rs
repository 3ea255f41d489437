//! The routes of payments, by caller.

pub mod admin;
pub mod chargebacks;
pub mod customer;
pub mod fees;
pub mod parked;
pub mod refunds;
pub mod webhook;

use super::queries::{self, PaymentRow};
use crate::accounting::dues;
use crate::{
    accounts::auth::{Caller, Customer},
    http::{OwnedBy, PathIds},
    jobs,
    platform::{core::Core, error::ApiResult},
};

/// The person who looks at a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentViewer {
    Customer,
    /// The mechanic who served the job.
    Mechanic,
    Admin,
}

/// A payment, with the caller's relation to it.
#[derive(Debug)]
pub struct ViewedPayment {
    pub row: PaymentRow,
    pub viewer: PaymentViewer,
}

/// Grants access to the payment's customer, the mechanic that it pays, and admins.
impl OwnedBy<Caller> for ViewedPayment {
    const NAME: &'static str = "payment";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        jobs::check_desk(by)?;
        let Some(row) = queries::find(&core.db, path.id("id")?).await? else { return Ok(None) };
        Ok(viewer_of(core, by, &row).await?.map(|viewer| Self { row, viewer }))
    }
}

/// Grants access to the payment's two sides.
impl OwnedBy<Customer> for ViewedPayment {
    const NAME: &'static str = "payment";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        <Self as OwnedBy<Caller>>::find(core, &by.0, path).await
    }
}

async fn viewer_of(core: &Core, caller: &Caller, row: &PaymentRow) -> ApiResult<Option<PaymentViewer>> {
    if caller.is_admin() {
        return Ok(Some(PaymentViewer::Admin));
    }
    if row.customer_id == caller.user_id {
        return Ok(Some(PaymentViewer::Customer));
    }
    let (Some(mechanic), Some(job_id)) = (caller.mechanic, row.job_id) else { return Ok(None) };
    let due = dues::find(&core.db, job_id).await?;
    let is_theirs = due.is_some_and(|due| due.mechanic_profile_id == mechanic.profile_id);
    Ok(is_theirs.then_some(PaymentViewer::Mechanic))
}
