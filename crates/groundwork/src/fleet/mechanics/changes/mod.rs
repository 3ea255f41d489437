//! Changes to what mechanics serve. Before a profile is verified, every change takes effect at once. Afterwards, serving less
//! takes effect at once, and serving more waits for an admin, while the mechanic serves the same as before. A profile has at most
//! one such change; a new one replaces it.

mod actions;
pub(super) mod admin;
mod dto;
pub(super) mod handlers;
mod queries;
mod served;

pub use dto::PendingChange;
pub(super) use served::{Served, check_match};

use roadcall_platform::error::ApiResult;
use sqlx::PgConnection;
use uuid::Uuid;

/// Returns the profile's pending change.
pub async fn pending(db: &mut PgConnection, profile_id: Uuid) -> ApiResult<Option<PendingChange>> {
    Ok(queries::find_of_profile(db, profile_id).await?.map(PendingChange::from))
}
