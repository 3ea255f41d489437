//! Locks the customer in the transaction that begins their job.

use roadcall_actors::{
    job::state::Event,
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use crate::{
    accounts::auth,
    platform::{error::Code, hooks::HookError},
};

/// Locks the customer's account against changes while their job begins, or begins again.
pub async fn lock_customer(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if !matches!(change.event, Event::Created { .. } | Event::Retried { .. }) {
        return Ok(());
    }
    auth::lock_customer(tx, change.next.spec.customer_id.0).await.map_err(|error| match error.code {
        // The vehicle is deleted with its owner's account.
        Code::Unauthorized => HookError::Refused(Guard::VehicleGone),
        Code::Forbidden | Code::AccountSuspended => HookError::Refused(Guard::NotACustomer),
        _ => HookError::Failed(error),
    })
}
