//! No-shows after an arrival that no position proves. What only the mechanic says moves no money: the customer can say what
//! happened, and an admin decides whether the call-out is due.
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
) -> ApiResult<Vec<NoShow>> {
    let rows = queries::of_person(db, user_id, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(NoShow::from).collect())
}
