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
pub use queries::BillsAudit;
pub use settling::settle_due;

use crate::{
    http::Routes,
    platform::{
        db::{Db, allow_long_reads},
        error::ApiResult,
    },
};

pub fn routes(config: &mut Routes) {
    config.service(handlers::list_partner_bills).service(handlers::list_own_partner_bills);
}

/// Compares the bills of all organisations with the ledger, in one statement without a time limit.
pub async fn audit(db: &Db) -> ApiResult<BillsAudit> {
    let mut tx = db.begin().await?;
    allow_long_reads(&mut tx).await?;
    Ok(queries::audit(&mut tx).await?)
}

impl BillsAudit {
    pub fn is_sound(&self) -> bool {
        self.wrong_bills == 0 && self.missing_bills == 0
    }
}
