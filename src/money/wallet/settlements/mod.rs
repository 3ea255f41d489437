//! Settlements: a mechanic's earnings in a period, added up once. An earning belongs to the period in which it was
//! made, and names the settlement that counted it, so that none is counted twice. Refunds until then are taken off;
//! later refunds appear in the ledger only.

mod actions;
mod dto;
mod handlers;
mod queries;

pub use dto::Settlement;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    http::{PageParams, Routes},
    platform::error::ApiResult,
};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_my_settlements)
        .service(handlers::get_settlement)
        .service(handlers::list_settlements)
        .service(handlers::run_settlements)
        .service(handlers::mark_settlement_paid);
}

/// Returns the newest settlements of a mechanic, as they see them, at most `limit`.
pub async fn newest_settlements(
    db: &mut PgConnection,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> ApiResult<Vec<Settlement>> {
    let page = PageParams { page: 1, limit };
    let all = queries::OwnSettlementFilter::default();
    let rows = queries::list_of_mechanic(db, mechanic_profile_id, &all, page).await?;
    Ok(rows.into_iter().map(|row| row.for_mechanic().into()).collect())
}
