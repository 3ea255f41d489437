//! Writes the changes of several jobs at once.

pub(super) mod queries;

use std::{collections::HashMap, sync::Arc};

use sqlx::PgConnection;
use uuid::Uuid;

use self::queries::{Advance, advance_all};
use super::{prepared::PreparedChange, queries::advance as advance_one};
use crate::jobs::queries::{JobEventRow, JobRow};

/// The change was surely not written. If it is written by itself, it succeeds or is refused for the right reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotTogether;

/// Writes those of the changes, each of another job, that can be written without waiting for anybody who holds one of the rows.
/// Returns for each change whether it was written, and the log's new entry if it is public.
///
/// Expects no change that has to be written alone (see [`CommitPath`](super::CommitPath)). The caller then runs the hooks that come
/// after the rows, for the changes that were written.
pub async fn append_together(
    tx: &mut PgConnection,
    changes: &[Arc<PreparedChange>],
) -> sqlx::Result<Vec<Result<Option<JobEventRow>, NotTogether>>> {
    let mut advanced = advance(tx, changes).await?;
    let entry = |prepared: &Arc<PreparedChange>| {
        let written = advanced.remove(&prepared.change.next.id.0).ok_or(NotTogether);
        written.map(|row| prepared.entry.shown(row))
    };
    Ok(changes.iter().map(entry).collect())
}

/// Advances the rows, and returns those that advanced, by job.
async fn advance(
    tx: &mut PgConnection,
    changes: &[Arc<PreparedChange>],
) -> sqlx::Result<HashMap<Uuid, JobRow>> {
    if let [prepared] = changes
        && prepared.is_plain()
    {
        let PreparedChange { change, entry } = &**prepared;
        let version = change.expected_version();
        let row = advance_one(tx, &change.next, version, &entry.event, &entry.notes, None).await?;
        return Ok(row.map(|row| (row.id, row)).into_iter().collect());
    }
    let advances = changes.iter().map(|prepared| Advance {
        change: &prepared.change,
        event: &prepared.entry.event,
        notes: &prepared.entry.notes,
    });
    let advanced = advance_all(tx, &advances.collect::<Vec<_>>()).await?;
    Ok(advanced.into_iter().map(|row| (row.id, row)).collect())
}
