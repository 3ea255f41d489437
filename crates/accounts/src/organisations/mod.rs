//! Organisations that order help for others: insurers, clubs, carmakers, lessors, fleets, and agencies that act for them.
//!
//! | where | what |
//! | --- | --- |
//! | `caller.rs` | the extractor of partners: a program with a key, or a member who is signed in |
//! | `known.rs` | the keys and members that were looked up lately |
//! | `keys/` | keys: their text (pure), making, rotating and revoking them |
//! | `members/` | people who act for an organisation |
//! | `handlers.rs` | organisations for admins, and the organisation for which a partner acts |
//!
//! An organisation has an account, in whose name its jobs and vehicles are. Nobody signs in to it.

mod actions;
mod audited;
mod caller;
mod context;
mod dto;
mod handlers;
mod keys;
mod known;
mod members;
mod queries;
mod state;

use chrono::{DateTime, Utc};
use roadcall_http::Routes;
use roadcall_platform::error::ApiResult;
use sqlx::PgConnection;
use uuid::Uuid;

pub use crate::auth::scope;
pub use caller::Partner;
pub use context::OrganisationsContext;
pub use keys::KeyEnvironment;
pub use known::KnownPartners;
pub use queries::{OrganisationRow, find, is_account};
pub use state::{OrganisationKind, OrganisationStatus};

pub fn routes(config: &mut Routes) {
    config
        .service(handlers::list_organisations)
        .service(handlers::create_organisation)
        .service(handlers::get_organisation)
        .service(handlers::update_organisation)
        .service(handlers::get_partner);
    members::routes(config);
    keys::routes(config);
}

/// Ends the membership of a person who leaves.
pub async fn forget_person(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> ApiResult<()> {
    Ok(members::end_of(tx, user_id, now).await?)
}
