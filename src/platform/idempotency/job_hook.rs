//! Completes the mark of a repeatable request in the transaction of what the request made.

use roadcall_actors::{
    job::state::{Event, ItemChange},
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use super::queries;
use crate::platform::hooks::HookError;

/// Completes the mark with the job or line item that the request made, with which its repeats are answered.
pub async fn complete_mark(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Some(mark) = change.idempotency else { return Ok(()) };
    let is_completed = match &change.event {
        Event::Created { .. } => queries::complete_mark(tx, mark, change.next.id.0).await?,
        Event::ItemChanged { how: ItemChange::Proposed, item } => {
            queries::complete_item_mark(tx, mark, item.id.0).await?
        }
        _ => true,
    };
    if is_completed { Ok(()) } else { Err(HookError::Refused(Guard::MarkUsed)) }
}
