//! Disputes: the customer or the mechanic contests the work or its price, and an admin decides.
//!
//! One per job, by its customer or its mechanic, within a while after the work. What it does to the job is decided by
//! the job's state machine, what it does to the money by payments; both, the dispute's row and the audit are one
//! transaction. Lock order: the job, then payments and what follows them, then the dispute. Until then both sides state
//! their case (`statements.rs`), and a customer disputed as not having paid can pay.

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

use crate::{http::Routes, platform::error::ApiResult};

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

/// What both sides said in these disputes, the oldest first, at most `limit`.
pub async fn statements_of(
    db: &mut PgConnection,
    dispute_ids: &[Uuid],
    limit: i64,
) -> ApiResult<Vec<DisputeStatement>> {
    let rows = queries::statements_of(db, dispute_ids, limit).await?;
    Ok(rows.into_iter().map(DisputeStatement::from).collect())
}

/// The newest disputes about jobs that a person made or served, whoever opened them, at most `limit`.
pub async fn of_person(
    db: &mut PgConnection,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> ApiResult<Vec<Dispute>> {
    let rows = queries::newest_of_person(db, user_id, mechanic_profile_id, limit).await?;
    Ok(rows.into_iter().map(Dispute::from).collect())
}
