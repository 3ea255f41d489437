//! The kinds of help that are offered, with their prices and how they are dispatched.

mod dto;
mod handlers;
mod queries;

pub use queries::{CategoryRow, SearchOverrides};

use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::error::ApiResult;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::list_service_categories)
        .service(handlers::create_service_category)
        .service(handlers::get_service_category)
        .service(handlers::update_service_category)
        .service(handlers::delete_service_category);
}

/// The category, switched off or not.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<CategoryRow>> {
    Ok(queries::find(db, id).await?)
}

/// The category, unless it is unknown or switched off.
pub async fn find_active(db: impl PgExecutor<'_>, id: Uuid) -> ApiResult<Option<CategoryRow>> {
    Ok(queries::find(db, id).await?.filter(|row| row.is_active))
}

/// Which of `ids` a mechanic may serve: the active ones and those among `held`, which the mechanic serves
/// already. They can't be removed until the transaction ends: a list of ids in a row has no foreign key.
pub async fn hold_servable(tx: &mut PgConnection, ids: &[Uuid], held: &[Uuid]) -> ApiResult<Vec<Uuid>> {
    Ok(queries::hold_servable(tx, ids, held).await?)
}
