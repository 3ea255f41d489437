//! No-shows: what the mechanic reports, what the customer says to it, and what an admin decides.
//!
//! ```text
//!   (a position proves the arrival) ──▶ due ──contest──▶ open ──decide──▶ charged, dropped
//!   (no position proves it) ─────────────────────────────▲ ▲              │
//!                                                          └───contest────┘ (charged unheard, in time)
//! ```
//!
//! What one side merely says moves no money for good. Whatever proved the arrival, the customer can contest the fee for
//! `money.dispute_window_s`, once; until an admin has decided it is not to be paid, and the mechanic's share of a paid one does not
//! clear (`wallet.clearing_hours` is no shorter than that time). While a no-show is open for want of a position, nothing is due.
//!
//! They are no disputes: those are about work that was done, by a job that goes on from there, and a cancelled job is over. The
//! job's log shows the decision, the fee is one like every other cancellation's (`accounting/dues`), and both are one transaction.
//! Lock order: the job, then the no-show, the ledger last.

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
    http::Routes,
    platform::error::{ApiError, ApiResult, Code},
};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::get_no_show)
        .service(handlers::contest_no_show)
        .service(admin::list_no_shows)
        .service(admin::decide_no_show);
}

/// 409 CONFLICT for a customer whom an admin may still charge for a no-show. To be checked before what they owe: a decision that is
/// made in between is then a fee.
pub async fn check_decided(tx: &mut PgConnection, customer_id: Uuid) -> ApiResult<()> {
    if !queries::has_open(tx, customer_id).await? {
        return Ok(());
    }
    let why = "A mechanic's report that nobody was at the vehicle is not decided yet. Try again when it is.";
    Err(ApiError::new(Code::Conflict, why))
}

/// The newest of a person's, on either side, at most `limit`.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    dispute_window: TimeDelta,
) -> ApiResult<Vec<NoShow>> {
    let rows = queries::of_person(db, user_id, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(|row| NoShow::of(row, dispute_window)).collect())
}
