//! Adds a message to the job's log, in the transaction of its event.

use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;

use crate::jobs::log::HookError;

/// Gives the message the event's number, and notifies the other side.
pub async fn place_message(
    tx: &mut PgConnection,
    random: &Random,
    change: &JobChange,
) -> Result<(), HookError> {
    let Event::MessageSent { message_id } = change.event else { return Ok(()) };
    match super::place(tx, random, message_id, change.next.seq, change.at).await? {
        true => Ok(()),
        false => Err(HookError::AlreadyCommitted),
    }
}
