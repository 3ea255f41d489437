//! The vehicle in the transaction that begins a job.

use roadcall_actors::{
    job::state::Event,
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Ensures that nobody deletes the vehicle while a job for it begins, or begins again.
pub async fn lock_vehicle(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if !matches!(change.event, Event::Created { .. } | Event::Retried { .. }) {
        return Ok(());
    }
    let spec = &change.next.spec;
    match queries::lock_shared(tx, spec.customer_id.0, spec.vehicle_id.0).await? {
        Some(_) => Ok(()),
        None => Err(HookError::Refused(Guard::VehicleGone)),
    }
}
