//! What was committed before this process started, for the engine to take up again.

use roadcall_actors::Snapshot;
use sqlx::{PgPool, Result};
use uuid::Uuid;

use super::{load, queries};
use crate::settings::DispatchSettings;

/// Rows per query, so that no statement runs into its timeout however much there is.
const PAGE: i64 = 500;

/// Every job that something may still happen to, and every mechanic that is available or engaged.
pub async fn snapshot(db: &PgPool, settings: &DispatchSettings) -> Result<Snapshot> {
    let mut snapshot = Snapshot::default();
    let mut after = Uuid::nil();
    loop {
        let page = queries::open_jobs(db, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.job.id;
        snapshot.jobs.extend(load::jobs(db, settings, page).await?);
    }
    let mut after = Uuid::nil();
    loop {
        let page = queries::engaged_mechanics(db, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        snapshot.mechanics.extend(load::mechanics(db, page).await?);
    }
    Ok(snapshot)
}
