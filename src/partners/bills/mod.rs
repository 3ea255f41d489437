//! Bills of partners: one for each job that has ended, by the terms of its contract.
//!
//! The mechanic is paid for the job itself (`money/payments/on_account.rs`), whatever the partner owes for it.

mod dto;
mod handlers;
mod outcome;
mod queries;
mod settling;

pub use dto::{PartnerBill, PartnerBillForAdmin};
pub use outcome::OutcomeKind;
pub use settling::settle_due;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config.service(handlers::list_partner_bills).service(handlers::list_own_partner_bills);
}
