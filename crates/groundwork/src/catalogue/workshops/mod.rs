//! The workshops that vehicles are towed to: the operator's list, from which customers choose.

mod actions;
mod audited;
mod dto;
mod handlers;
mod queries;

pub use dto::Workshop;

use roadcall_http::Routes;
use roadcall_platform::error::ApiResult;
use sqlx::PgExecutor;
use uuid::Uuid;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_workshops)
        .service(handlers::list_all_workshops)
        .service(handlers::create_workshop)
        .service(handlers::update_workshop)
        .service(handlers::delete_workshop);
}

/// Returns the workshop, unless it is unknown or switched off.
pub async fn find_active(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<Workshop>> {
    Ok(queries::find(db, id).await?.filter(|row| row.is_active))
}
