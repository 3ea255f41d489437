//! The vehicles that people ask help for.
//!
//! A person's vehicles change under a lock on the person's row: the limit, the one default and its promotion are
//! then plain sequences of statements. The partial unique indexes are the second guard.

mod dto;
mod handlers;
pub mod job_hook;
mod kind;
mod queries;

pub use dto::Vehicle;
pub use kind::VehicleKind;
pub use queries::VehicleRow;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::platform::error::ApiResult;

/// How many vehicles one person may keep; one more is refused with 409.
pub const MAX_PER_USER: i64 = 50;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::list_vehicles)
        .service(handlers::create_vehicle)
        .service(handlers::get_vehicle)
        .service(handlers::update_vehicle)
        .service(handlers::delete_vehicle);
}

/// The person's vehicles: the default first, then the newest; [`MAX_PER_USER`] at most.
pub async fn of_person(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Vec<Vehicle>> {
    Ok(queries::list(db, user_id).await?.into_iter().map(Vehicle::from).collect())
}

/// The person's vehicle, unless it was deleted or is another's.
pub async fn find_own(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> ApiResult<Option<VehicleRow>> {
    Ok(queries::find(db, user_id, id).await?)
}

/// As [`find_own`], and keeps it from being deleted until the transaction ends. Whoever refers to a vehicle in a
/// new row asks here first: the foreign key alone would accept one that was (softly) deleted a moment ago.
pub async fn lock_own(tx: &mut PgConnection, user_id: Uuid, id: Uuid) -> ApiResult<Option<VehicleRow>> {
    Ok(queries::lock_shared(tx, user_id, id).await?)
}

/// Takes off what tells whose vehicles they were, when their owner's account is anonymised. Jobs go on referring to
/// the rows.
pub async fn anonymise(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    queries::anonymise(tx, user_id, now).await
}
