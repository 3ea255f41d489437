//! What was committed before this process started, for the engine to take up again.

use roadcall_actors::{EngineHandle, Snapshot, ids::JobId};
use sqlx::Result;
use uuid::Uuid;

use super::{load, queries};
use crate::catalogue::dispatch_settings::DispatchConfig;
use crate::jobs::log;
use crate::platform::db::Db;

/// Rows per query, so that no statement runs into its timeout.
const PAGE: i64 = 500;

/// Every job that can still change, and every mechanic who is available or engaged.
pub async fn snapshot(db: &Db, config: &DispatchConfig) -> Result<Snapshot> {
    let mut snapshot = Snapshot::default();
    let mut after = Uuid::nil();
    loop {
        let page = log::load_open_jobs(db, config, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        snapshot.jobs.extend(page);
    }
    let mut after = Uuid::nil();
    loop {
        let page = queries::engaged_mechanic_ids(db, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = *last;
        snapshot.mechanics.extend(load::mechanics(db, &page).await?);
    }
    Ok(snapshot)
}

/// Has the engine look after every open job, including one that was committed after the snapshot was read.
pub async fn look_after(db: &Db, engine: &EngineHandle) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let page = log::open_job_ids(db, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = *last;
        engine.ensure_running(page.into_iter().map(JobId));
    }
}
