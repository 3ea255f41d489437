//! Mechanics: their profiles, what they serve, and whether they may.
//!
//! A profile changes under a lock on its row. After every commit, [`changed`] notifies everything that remembers the profile.
//! Admins' actions on a profile are here too: the path says who may call, the folder says whose rows change.

mod actions;
mod admin;
mod advice;
mod changes;
mod context;
mod documents;
mod dto;
mod handlers;
pub mod job_hook;
mod lookup;
mod names;
mod parked;
mod presence;
mod queries;
mod refusals;
mod seeker;
mod settings;
mod state;
mod stats;

use roadcall_http::Routes;

pub use actions::{add, move_profile, verify};
pub use advice::WaitingAdvice;
pub use context::{MechanicsContext, changed};
pub use documents::MAX_DOCUMENTS;
pub use dto::{
    MechanicDocument, MechanicProfile, MechanicVerification, OwnMechanicProfile, RadiusKm, Registration,
    ServedTypes, WithReason,
};
pub use lookup::{
    account_of, categories_of, find, first_names, has_card, is_within_reach, profile, suspension_reason,
    who_may_serve,
};
pub use names::first_name;
pub use parked::{ParkedAt, end_parking, parked, save_parking};
pub use presence::set_availability;
pub use queries::{
    ProfileRow, count_rating, lock_of, lock_person, lock_verified, retire, take_off_the_road, verified_name,
};
pub use seeker::JobSeeker;
pub use settings::PresenceSettings;
pub use state::{ProfileCommand, ProfileEvent, ProfileStatus, ProfileTransitionError};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::register_mechanic)
        .service(handlers::get_my_mechanic_profile)
        .service(changes::handlers::update_my_mechanic_profile)
        .service(handlers::add_my_mechanic_document)
        .service(handlers::list_my_mechanic_documents)
        .service(handlers::delete_my_mechanic_document)
        .service(stats::handlers::get_my_mechanic_stats)
        .service(presence::handlers::set_my_availability)
        .service(presence::handlers::find_nearby_mechanics)
        .service(parked::handlers::park_me)
        .service(parked::handlers::get_my_parking)
        .service(parked::handlers::end_my_parking)
        .service(advice::handlers::get_my_waiting_advice)
        .service(changes::admin::list_mechanic_changes)
        .service(changes::admin::approve_mechanic_change)
        .service(changes::admin::reject_mechanic_change)
        .service(admin::list_mechanics)
        .service(admin::get_mechanic_for_admin)
        .service(admin::reject_mechanic)
        .service(admin::reinstate_mechanic)
        // This comes last: `{id}` would match the words above.
        .service(handlers::get_mechanic_card);
}
