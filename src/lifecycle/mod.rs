//! Use cases that span areas: closing and suspending accounts, verifying mechanics, managing admins, exporting a person's data,
//! coarsening old places, backups, importing lists of mechanics and vehicles, and reporting which secrets are needed.

mod actions;
pub mod admins;
pub mod backup;
mod context;
pub mod export;
mod handlers;
pub mod importing;
pub mod keys;
mod settings;

pub use actions::coarsen_places;
pub use context::LifecycleContext;
pub use settings::PrivacySettings;

use crate::http::Routes;

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::delete_me)
        .service(handlers::withdraw_my_consent)
        .service(handlers::end_admin)
        .service(handlers::suspend_user)
        .service(handlers::reinstate_user)
        .service(handlers::suspend_mechanic)
        .service(handlers::verify_mechanic)
        .configure(admins::routes)
        .configure(export::routes);
}
