//! Line items in the transactions that change them.

use roadcall_actors::{
    job::state::{Event, ItemChange},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    logged::row_of,
    queries::{self, LineItemRow},
};

/// A write to the line items of a job.
#[derive(Debug)]
pub enum ItemWrite {
    Save(Box<LineItemRow>),
    /// The item of this id is withdrawn.
    Delete(Uuid),
    /// The mechanic who proposed the items of this job has left.
    DeleteOfJob(Uuid),
}

/// Returns the write to the job's line items that goes with the change.
pub fn changed_item(change: &JobChange) -> Option<ItemWrite> {
    let job_id = change.next.id.0;
    match &change.event {
        Event::Released { .. } => Some(ItemWrite::DeleteOfJob(job_id)),
        Event::ItemChanged { how: ItemChange::Withdrawn, item } => Some(ItemWrite::Delete(item.id.0)),
        Event::ItemChanged { item, .. } => Some(ItemWrite::Save(Box::new(row_of(job_id, item)))),
        _ => None,
    }
}

/// Writes the changes of line items, while the jobs' rows are locked.
pub async fn write_items(tx: &mut PgConnection, _: &Random, writes: &[ItemWrite]) -> sqlx::Result<()> {
    let (mut saved, mut deleted, mut of_jobs) = (Vec::new(), Vec::new(), Vec::new());
    for write in writes {
        match write {
            ItemWrite::Save(row) => saved.push(row.as_ref()),
            ItemWrite::Delete(id) => deleted.push(*id),
            ItemWrite::DeleteOfJob(job_id) => of_jobs.push(*job_id),
        }
    }
    if !saved.is_empty() {
        queries::save(tx, &saved).await?;
    }
    if !deleted.is_empty() || !of_jobs.is_empty() {
        queries::delete(tx, &deleted, &of_jobs).await?;
    }
    Ok(())
}
