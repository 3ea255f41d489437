//! The vehicles that people ask for help with.
//!
//! A person's vehicles change under a lock on the person's row, so the limit, the single default and its replacement
//! need only plain sequences of statements. The partial unique indexes are the second guard.

mod actions;
mod audited;
mod dto;
mod handlers;
mod kind;
mod queries;

pub use actions::{MAX_PER_USER, add_if_new};
pub use dto::{NewVehicle, Vehicle};
pub use kind::VehicleKind;
pub use queries::VehicleRow;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{http::Routes, platform::error::ApiResult};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_vehicles)
        .service(handlers::create_vehicle)
        .service(handlers::get_vehicle)
        .service(handlers::update_vehicle)
        .service(handlers::delete_vehicle)
        .service(handlers::list_vehicles_of_user)
        .service(handlers::create_vehicle_of_user);
}

/// Returns the person's vehicles: the default first, then the newest; at most [`MAX_PER_USER`].
pub async fn of_person(db: &mut PgConnection, user_id: Uuid) -> ApiResult<Vec<Vehicle>> {
    Ok(queries::list(db, user_id).await?.into_iter().map(Vehicle::from).collect())
}

/// Returns the person's vehicle, unless it was deleted or belongs to somebody else.
pub async fn find_own(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> ApiResult<Option<VehicleRow>> {
    Ok(queries::find(db, user_id, id).await?)
}

/// Finds a vehicle like [`find_own`], but keeps it from being deleted until the transaction ends. Call this before you refer to a
/// vehicle in a new row: the foreign key alone would accept one that was (softly) deleted a moment ago.
pub async fn lock_own(tx: &mut PgConnection, user_id: Uuid, id: Uuid) -> ApiResult<Option<VehicleRow>> {
    Ok(queries::lock_shared(tx, user_id, id).await?)
}

/// Deletes a person's vehicles when their account is anonymised, and clears everything that identifies the owner. Jobs still
/// refer to the rows.
pub async fn anonymise(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    queries::anonymise(tx, user_id, now).await
}
