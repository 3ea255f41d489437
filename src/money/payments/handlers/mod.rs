//! The routes of payments, by caller.

pub mod admin;
pub mod chargebacks;
pub mod customer;
pub mod fees;
pub mod parked;
pub mod refunds;
pub mod webhook;

use super::{bookings::queries::find_with_due, dto::Channel, queries::PaymentRow};
use crate::accounting::dues::JobDue;
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
    /// The amount due for the payment's job.
    pub due: Option<JobDue>,
    pub viewer: PaymentViewer,
}

/// Grants access to the payment's customer, the mechanic that it pays, and admins.
impl OwnedBy<Caller> for ViewedPayment {
    const NAME: &'static str = "payment";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        jobs::check_desk(by)?;
        let Some(found) = find_with_due(&core.db, path.id("id")?).await? else { return Ok(None) };
        let due = found.due();
        let viewer = viewer_of(by, &found.payment, due.as_ref());
        Ok(viewer.map(|viewer| Self { row: found.payment, due, viewer }))
    }
}

/// Grants access to the payment's two sides.
impl OwnedBy<Customer> for ViewedPayment {
    const NAME: &'static str = "payment";

    async fn find(core: &Core, by: &Customer, path: &PathIds) -> ApiResult<Option<Self>> {
        <Self as OwnedBy<Caller>>::find(core, &by.0, path).await
    }
}

fn viewer_of(caller: &Caller, row: &PaymentRow, due: Option<&JobDue>) -> Option<PaymentViewer> {
    if caller.is_admin() {
        return Some(PaymentViewer::Admin);
    }
    if row.customer_id == caller.user_id {
        return Some(PaymentViewer::Customer);
    }
    // The amount on an organisation's account may be hidden from the mechanic, who sees their share in the wallet.
    if row.channel == Channel::Account {
        return None;
    }
    let (mechanic, due) = (caller.mechanic?, due?);
    (due.mechanic_profile_id == mechanic.profile_id).then_some(PaymentViewer::Mechanic)
}
