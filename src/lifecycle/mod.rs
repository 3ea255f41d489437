//! What spans areas: closing and suspending accounts, verifying mechanics, making admins, exporting a person's data, forgetting
//! where people were.

pub mod admins;
mod closing;
mod coarsening;
pub mod export;
mod suspended_mechanic;
mod suspension;
mod verification;

pub use coarsening::coarsen_places;

use std::ops::Deref;

use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::{
    accounts::{
        auth::Caller,
        uploads::UploadsContext,
        users::{self, UserRow, not_own},
    },
    fleet::mechanics::MechanicsContext,
    jobs::JobsContext,
    platform::{core::Core, db::Transaction, error::ApiResult},
};

#[derive(Debug, Clone)]
pub struct LifecycleContext {
    pub mechanics: MechanicsContext,
    pub jobs: JobsContext,
    pub uploads: UploadsContext,
}

impl Deref for LifecycleContext {
    type Target = MechanicsContext;

    fn deref(&self) -> &MechanicsContext {
        &self.mechanics
    }
}

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(closing::delete_me)
        .service(closing::end_admin)
        .service(suspension::suspend_user)
        .service(suspension::reinstate_user)
        .service(suspension::suspend_mechanic)
        .service(verification::verify_mechanic)
        .configure(admins::routes)
        .configure(export::routes);
}

/// Another person's account, which a super-admin is about to change: locked, in a transaction in which the caller is still one.
async fn lock_for_super_admin(core: &Core, caller: &Caller, id: Uuid) -> ApiResult<(Transaction, UserRow)> {
    not_own(caller, id)?;
    let mut tx = core.db.begin().await?;
    users::lock_super_admins(&mut tx, caller).await?;
    let row = users::lock(&mut tx, id).await?.ok_or_else(users::no_user)?;
    Ok((tx, row))
}
