//! Adds a message to the job's log, in the transaction of its event.

use chrono::{DateTime, Utc};
use roadcall_actors::{job::state::Event, ports::JobChange, random::Random};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::jobs::log::HookError;

/// A message that gets the number of its event.
#[derive(Debug)]
pub struct NumberedMessage {
    id: Uuid,
    seq: i64,
    at: DateTime<Utc>,
}

/// Returns the message that the change adds.
pub fn message(change: &JobChange) -> Option<NumberedMessage> {
    let Event::MessageSent { message_id: id } = change.event else { return None };
    Some(NumberedMessage { id, seq: change.next.seq, at: change.at })
}

/// Gives messages their numbers, and notifies the other side.
pub async fn place_messages(
    tx: &mut PgConnection,
    random: &Random,
    messages: &[NumberedMessage],
) -> Result<(), HookError> {
    for NumberedMessage { id, seq, at } in messages {
        if !super::place(tx, random, *id, *seq, *at).await? {
            return Err(HookError::AlreadyCommitted);
        }
    }
    Ok(())
}
