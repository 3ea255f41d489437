//! Writes the changes of several jobs at once.

mod further;
pub(super) mod queries;

use std::{collections::HashMap, sync::Arc};

use roadcall_actors::random::Random;
use sqlx::PgConnection;
use uuid::Uuid;

pub use self::further::FurtherSql;
use self::{
    further::FurtherRows,
    queries::{Advance, Advances, advance_all, advance_all_with_rows},
};
use super::{
    creating::{Creation, compatible, insert_all},
    prepared::PreparedChange,
    queries::advance as advance_one,
};
use crate::jobs::queries::{JobEventRow, JobRow};

/// The change was surely not written. If it is written by itself, it succeeds or is refused for the right reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotTogether;

/// The outcome of each change: the log's new entry, if it is public, or that it was not written.
type Written = Vec<Result<Option<JobEventRow>, NotTogether>>;

/// Writes those of the changes, each of another job, that can be written without waiting for anybody who holds one of the rows, in
/// one statement.
///
/// Expects only changes that may be written together (see [`CommitPath`](super::CommitPath)).
pub async fn append_together(
    tx: &mut PgConnection,
    random: &Random,
    changes: &[Arc<PreparedChange>],
) -> sqlx::Result<Written> {
    Ok(written(changes, advance(tx, random, changes).await?))
}

/// Creates those of the jobs for which the same holds, but waits for the accounts of organisations. Of several jobs of one person,
/// the first is created.
pub async fn create_together(
    tx: &mut PgConnection,
    changes: &[Arc<PreparedChange>],
) -> sqlx::Result<Written> {
    let creations = compatible(changes.iter().filter_map(|prepared| Creation::of(prepared)));
    Ok(written(changes, insert_all(tx, &creations).await?))
}

fn written(changes: &[Arc<PreparedChange>], rows: Vec<JobRow>) -> Written {
    let mut rows: HashMap<Uuid, JobRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let entry = |prepared: &Arc<PreparedChange>| {
        let row = rows.remove(&prepared.change.next.id.0).ok_or(NotTogether);
        row.map(|row| prepared.entry.shown(row))
    };
    changes.iter().map(entry).collect()
}

/// Advances the rows, and returns those that advanced.
async fn advance(
    tx: &mut PgConnection,
    random: &Random,
    changes: &[Arc<PreparedChange>],
) -> sqlx::Result<Vec<JobRow>> {
    let further = FurtherRows::of(random, changes.iter().map(|prepared| &prepared.change));
    if let ([prepared], None) = (changes, &further)
        && prepared.is_plain()
    {
        let PreparedChange { change, entry } = &**prepared;
        let version = change.expected_version();
        let row = advance_one(tx, &change.next, version, &entry.event, &entry.notes, None).await?;
        return Ok(row.into_iter().collect());
    }
    let advances = changes.iter().map(|prepared| Advance {
        change: &prepared.change,
        version: prepared.change.expected_version(),
        event: &prepared.entry.event,
        notes: vec![&prepared.entry.notes],
    });
    let advances = Advances::new(advances.collect());
    match &further {
        Some(further) => advance_all_with_rows(tx, &advances, further).await,
        None => advance_all(tx, &advances).await,
    }
}
