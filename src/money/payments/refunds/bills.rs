//! Refunds of payments on account: no money has to move, for the organisation owes less.

use sqlx::PgConnection;

use crate::{
    accounting::{dues, ledger::Account},
    money::payments::{queries::PaymentRow, transaction::jobs_of},
    platform::error::ApiResult,
};

/// Lowers what the organisation owes by a refund, and returns the postings. What its bill did not contain was never to be paid, so it
/// goes back to the platform, which bore it.
pub(super) async fn lower_bills(
    tx: &mut PgConnection,
    payment: &PaymentRow,
    paise: i64,
) -> ApiResult<[(Account, i64); 2]> {
    let mut lowered = 0;
    for job_id in jobs_of(tx, payment).await? {
        lowered += dues::lower_bill(tx, job_id, paise - lowered).await?;
    }
    Ok([(Account::PartnersReceivable, lowered), (Account::PlatformCommission, paise - lowered)])
}
