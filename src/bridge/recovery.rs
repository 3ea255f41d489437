//! What was committed before this process started, for the engine to take up again.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{Engine, Snapshot, experience::Lessons, ids::JobId};
use sqlx::Result;
use uuid::Uuid;

use super::{load, queries};
use crate::catalogue::dispatch_settings::DispatchConfig;
use crate::jobs::{log, outlook};
use crate::platform::db::Db;

/// Rows per query, so that no statement runs into its timeout.
const PAGE: i64 = 500;

/// Calls are learned from again this far back, and at least this many times as far as they count: older ones weigh nothing.
const CALL_DAYS: TimeDelta = TimeDelta::days(21);
const WINDOWS: i32 = 5;
/// The most calls, and the most completed jobs, that are learned from: the newest.
const MAX_CALLS: i64 = 20_000;
const MAX_WORKS: i64 = 5_000;
/// Completed jobs of this long show how long work takes.
const WORK_DAYS: TimeDelta = TimeDelta::days(90);

/// Every job that can still change, and every mechanic who is available or engaged; and what there is to learn from the
/// jobs of before.
pub async fn snapshot(db: &Db, config: &DispatchConfig, now: DateTime<Utc>) -> Result<Snapshot> {
    let mut snapshot = Snapshot { past: lessons(db, config, now).await?, ..Snapshot::default() };
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

async fn lessons(db: &Db, config: &DispatchConfig, now: DateTime<Utc>) -> Result<Lessons> {
    let windows = TimeDelta::seconds(config.current().settings.price_window_s) * WINDOWS;
    let since = now - windows.max(CALL_DAYS);
    let mut lessons = Vec::new();
    let works = queries::works(db, now - WORK_DAYS, now, MAX_WORKS).await?;
    lessons.extend(works.into_iter().rev().map(|row| row.lesson()));
    let calls = queries::calls(db, since, now, MAX_CALLS).await?;
    lessons.extend(calls.into_iter().rev().map(|row| row.lesson()));
    // A service that is new has seen nothing of the time before its first job.
    let since = queries::first_call(db).await?.map(|first| first.max(since));
    let calibration = outlook::calibration(db).await?;
    Ok(Lessons { since, lessons, calibration })
}

/// Has the engine look after every open job, including one that was committed after the snapshot was read.
pub async fn look_after(db: &Db, engine: &Engine) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let page = log::open_job_ids(db, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = *last;
        engine.ensure_running(page.into_iter().map(JobId));
    }
}
