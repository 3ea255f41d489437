//! Disputes: the customer or the mechanic contests the work or its price, and an admin decides.
//!
//! A job has one dispute at most, which its customer or its mechanic opens within a limited time after the work. The
//! job's state machine decides its effect on the job, and payments decide its effect on the money; both, the dispute's
//! row and the audit entry are written in one transaction. Lock order: the job, then payments and the locks after them,
//! then the dispute. Before the decision both sides can state their case (`statements.rs`), and a customer who is said
//! not to have paid can still pay.

pub mod actions;
mod admin;
mod dto;
mod handlers;
mod queries;
mod statements;
mod wallet;

pub use dto::{Dispute, DisputeOutcome, DisputeStatement, Resolve};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounting::ledger::ShareRates, http::Routes, jobs::on_account::PricesOfJobs, platform::error::ApiResult,
};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::dispute_job)
        .service(handlers::get_job_dispute)
        .service(statements::add_dispute_statement)
        .service(statements::list_dispute_statements)
        .service(wallet::list_my_disputes)
        .service(wallet::dispute_my_job)
        .service(wallet::get_my_dispute)
        .service(admin::list_disputes)
        .service(admin::resolve_dispute);
}

/// Returns the statements of both sides in these disputes, the oldest first, at most `limit`.
pub async fn statements_of(
    db: &mut PgConnection,
    dispute_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<DisputeStatement>> {
    let rows = queries::statements_of(db, dispute_ids, limit).await?;
    Ok(rows.into_iter().map(DisputeStatement::from).collect())
}

/// Returns the newest disputes about jobs that a person made or served, regardless of who opened them, at most `limit`.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
    rates: ShareRates,
) -> ApiResult<Vec<Dispute>> {
    let rows = queries::newest_of_person(&mut *db, user_id, mechanic_profile_id, limit).await?;
    let served = rows.iter().filter(|row| row.customer_id != user_id).map(|row| row.job_id);
    let prices = PricesOfJobs::to_mechanic(db, &served.collect::<Vec<_>>(), rates).await?;
    let shown = rows.into_iter().map(|row| {
        let prices = prices.of(row.job_id);
        Dispute::of(row, prices)
    });
    Ok(shown.collect())
}
