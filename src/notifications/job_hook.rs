//! Whom a job's change notifies, in its transaction.

use roadcall_actors::{ports::Change, random::Random};
use sqlx::PgConnection;

use super::{DomainEvent, record};
use crate::platform::hooks::HookError;

/// Writes a notification for each person whom the rules of `rules.rs` name.
pub async fn notify(tx: &mut PgConnection, random: &Random, change: &Change) -> Result<(), HookError> {
    let event = DomainEvent::Job { job: &change.next, event: &change.event, by: change.by };
    Ok(record(tx, random, event, change.at).await?)
}
