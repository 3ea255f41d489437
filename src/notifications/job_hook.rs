//! Whom a job's change notifies, in its transaction.

use roadcall_actors::{ports::Change, random::Random};
use sqlx::PgConnection;

use super::{Happening, note};
use crate::platform::hooks::HookError;

/// Writes a notification for each person whom the rules of `kinds.rs` name.
pub async fn notify(tx: &mut PgConnection, random: &Random, change: &Change) -> Result<(), HookError> {
    let happening = Happening::Job { job: &change.next, event: &change.event, by: change.by };
    Ok(note(tx, random, happening, change.at).await?)
}
