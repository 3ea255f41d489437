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

pub use actions::{MAX_PER_USER, add_if_new, of_organisation};
pub use dto::{FuelType, NewVehicle, RegistrationNumber, Vehicle};
pub use kind::VehicleKind;
pub use queries::{VehicleRow, anonymise, anonymise_some, by_registration, find as find_own};

use roadcall_http::Routes;
use roadcall_platform::error::ApiResult;
use sqlx::PgConnection;
use uuid::Uuid;

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
