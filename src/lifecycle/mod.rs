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

use crate::{accounts::uploads::UploadsContext, fleet::mechanics::MechanicsContext, jobs::JobsContext};

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
