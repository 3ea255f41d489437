//! Reports of no-shows by mechanics, the statements of customers about them, and the decisions of admins.
//!
//! ```text
//!   (a position proves the arrival) ──▶ due ──contest──▶ open ──decide──▶ charged, dropped
//!   (no position proves it) ─────────────────────────────▲ ▲              │
//!                                                          └───contest────┘ (charged unheard, in time)
//! ```
//!
//! The mere claim of one side moves no money for good. Whatever proved the arrival, the customer can contest the fee
//! once, within `money.dispute_window_s`. Until an admin has decided, the fee is not due, and the mechanic's share of a
//! paid fee does not clear (`wallet.clearing_hours` is no shorter than that time). While a no-show is open because no
//! position proves the arrival, nothing is due.
//!
//! They are not disputes: a dispute is about work that was done, and its job goes on, whereas a cancelled job is over.
//! The job's log shows the decision, the fee is like that of every other cancellation (`accounting/dues`), and both are
//! written in one transaction. Lock order: the job, then the no-show, the ledger last.

mod actions;
mod admin;
mod dto;
mod handlers;
pub mod job_hook;
mod queries;

pub use dto::NoShow;

use chrono::TimeDelta;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::ledger::ShareRates,
    http::Routes,
    jobs::on_account::PricesOfJobs,
    platform::error::{ApiError, ApiResult, Code},
};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_no_show)
        .service(handlers::contest_no_show)
        .service(admin::list_no_shows)
        .service(admin::decide_no_show);
}

/// Refuses with 409 CONFLICT a customer whom an admin may still charge for a no-show. Check this before the customer's
/// debts: a decision in between turns into a fee, which that check finds.
pub async fn check_decided(tx: &mut PgConnection, customer_id: Uuid) -> ApiResult<()> {
    if !queries::has_open(tx, customer_id).await? {
        return Ok(());
    }
    let why = "A mechanic's report that nobody was at the vehicle is not decided yet. Try again when it is.";
    Err(ApiError::new(Code::Conflict, why))
}

/// Returns the newest no-shows of a person, on either side, at most `limit`.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    dispute_window: TimeDelta,
    rates: ShareRates,
) -> ApiResult<Vec<NoShow>> {
    let rows = queries::of_person(&mut *db, user_id, mechanic_profile_id, limit).await?;
    let served = rows.iter().filter(|row| row.customer_id != user_id).map(|row| row.job_id);
    let prices = PricesOfJobs::to_mechanic(db, &served.collect::<Vec<_>>(), rates).await?;
    let shown = rows.into_iter().map(|row| {
        let prices = prices.of(row.job_id);
        NoShow::of(row, dispute_window, prices)
    });
    Ok(shown.collect())
}
