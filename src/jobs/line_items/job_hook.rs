//! Line items in the transactions that change them.

use roadcall_actors::{
    job::state::{Event, ItemChange},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;

use super::{logged::row_of, queries};
use crate::jobs::log::HookError;

/// Writes the change of a line item, while the job's row is locked.
pub async fn write_line_item(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let job_id = change.next.id.0;
    match &change.event {
        Event::Released { .. } => queries::delete_of_job(tx, job_id).await?,
        Event::ItemChanged { how: ItemChange::Withdrawn, item } => {
            queries::delete(tx, job_id, item.id.0).await?;
        }
        Event::ItemChanged { item, .. } => queries::save(tx, &row_of(job_id, item)).await?,
        _ => {}
    }
    Ok(())
}
