//! Apps that send a mechanic's positions while the screen is off, when browsers stop those of a page: OwnTracks and Traccar
//! Client.
//!
//! Each app has a token of its own, which can do nothing else. Its positions are handled like those of the mechanic's own app.

mod actions;
mod admission;
mod context;
mod dto;
pub(super) mod handlers;
pub(crate) mod protocols;
mod queries;

use sqlx::PgConnection;
use uuid::Uuid;

pub use context::TrackersContext;
pub use dto::Tracker;
pub use queries::delete_of_person as forget_person;

use crate::platform::error::ApiResult;

/// Returns the trackers of a mechanic, who never has many.
pub async fn of_mechanic(db: &mut PgConnection, mechanic_profile_id: Uuid) -> ApiResult<Vec<Tracker>> {
    let rows = queries::of_mechanic(db, mechanic_profile_id).await?;
    Ok(rows.into_iter().map(Tracker::from).collect())
}
