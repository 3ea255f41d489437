//! Reviews of tows that no position shows at their destination, until an admin has decided whether the tow is paid.
//!
//! ```text
//!   (handed over with a reason) ──▶ open ──release──▶ released
//!                                       └──reduce───▶ reduced
//! ```
//!
//! While a review is open, the mechanic's share of the job does not clear (`job_dues.held_until`), for two weeks at
//! most (`HOLD`): nobody loses money if admins do not act. The job goes on like any other; if it is disputed, the
//! dispute decides, and its resolution ends the review and the hold. Lock order: the job, then the review, the ledger
//! last.

mod actions;
mod admin;
mod dto;
pub mod job_hook;
mod queries;

pub use dto::ReviewedTow;

use chrono::TimeDelta;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::ledger::ShareRates, http::Routes, jobs::on_account::PricesOfJobs, platform::error::ApiResult,
};

/// The time that an admin has to decide.
const HOLD: TimeDelta = TimeDelta::days(14);

pub fn routes(config: &mut Routes) {
    config.service(admin::list_tow_reviews).service(admin::decide_tow);
}

/// Returns the newest reviews of tows with this person on either side, at most `limit`.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    rates: ShareRates,
) -> ApiResult<Vec<ReviewedTow>> {
    let rows = queries::of_person(&mut *db, user_id, mechanic_profile_id, limit).await?;
    let served = rows.iter().filter(|row| row.customer_id != user_id).map(|row| row.job_id);
    let prices = PricesOfJobs::to_mechanic(db, &served.collect::<Vec<_>>(), rates).await?;
    let shown = rows.into_iter().map(|row| {
        let prices = prices.of(row.job_id);
        ReviewedTow::of(row, prices)
    });
    Ok(shown.collect())
}
