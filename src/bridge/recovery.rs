//! Loads what was committed before this process started, for the engine to take up again.

use std::{pin::pin, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt, TryStreamExt, future::try_join3, stream};
use roadcall_actors::{
    Engine, Snapshot,
    experience::Lessons,
    ids::{JobId, MechanicId},
    job::state::Job,
    mechanic::state::Mechanic,
};
use sqlx::Result;
use uuid::Uuid;

use super::{load, queries};
use crate::catalogue::dispatch_settings::DispatchConfig;
use crate::jobs::{log, outlook};
use crate::platform::db::Db;

/// Rows per query, so that no statement runs into its timeout.
const PAGE: usize = 500;
/// Ids per query.
const IDS: i64 = 10_000;
/// How many pages of jobs, and of mechanics, are loaded at once before anybody is served, and after that.
const PAGES_AT_ONCE: usize = 4;
const PAGES_BEHIND: usize = 2;
/// How long jobs wait for mechanics who are still to be loaded. After that they are matched with those who are loaded.
const MATCHING_WAITS: Duration = Duration::from_secs(10);
/// The pause between two tries.
const AGAIN_AFTER: Duration = Duration::from_millis(250);

/// How far back calls are learned from: this long, and at least this many price windows, since older ones have no weight.
const CALL_DAYS: TimeDelta = TimeDelta::days(21);
const WINDOWS: i32 = 5;
/// The maximum number of calls, and of completed jobs, that are learned from: the newest.
const MAX_CALLS: i64 = 20_000;
const MAX_WORKS: i64 = 5_000;
/// How far back completed jobs show how long work takes.
const WORK_DAYS: TimeDelta = TimeDelta::days(90);

/// Loads what must exist before anybody is served: every job that can still change, every engaged mechanic, and the lessons of
/// earlier jobs. Mechanics who are only available follow ([`take_up_rest`]).
pub async fn snapshot(db: &Db, config: &DispatchConfig, now: DateTime<Utc>) -> Result<Snapshot> {
    let loading = try_join3(lessons(db, config, now), open_jobs(db, config), engaged_mechanics(db));
    let (past, jobs, mechanics) = loading.await?;
    Ok(Snapshot { jobs, mechanics, more_follow: true, past })
}

async fn open_jobs(db: &Db, config: &DispatchConfig) -> Result<Vec<Job>> {
    let (mut ids, mut after) = (Vec::new(), Uuid::nil());
    loop {
        let page = log::open_job_ids(db, after, IDS).await?;
        let Some(last) = page.last() else { break };
        after = *last;
        ids.extend(page);
    }
    let loads = pages(&ids).map(|page| async move { log::load_jobs(db, config, &page).await });
    let mut jobs: Vec<Job> = stream::iter(loads).buffer_unordered(PAGES_AT_ONCE).try_concat().await?;
    // Some jobs have ended in the meantime.
    jobs.retain(|job| !job.is_settled());
    Ok(jobs)
}

async fn engaged_mechanics(db: &Db) -> Result<Vec<Mechanic>> {
    let (mut ids, mut after) = (Vec::new(), Uuid::nil());
    loop {
        let page = queries::engaged_mechanic_ids(db, after, IDS).await?;
        let Some(last) = page.last() else { break };
        after = *last;
        ids.extend(page);
    }
    let loads = pages(&ids).map(|page| async move { load::mechanics(db, &page).await });
    stream::iter(loads).buffer_unordered(PAGES_AT_ONCE).try_concat().await
}

fn pages(ids: &[Uuid]) -> impl Iterator<Item = Vec<Uuid>> {
    ids.chunks(PAGE).map(<[Uuid]>::to_vec)
}

/// Makes the engine take up mechanics who are available and not engaged, while it already serves, and then match jobs:
/// earlier, a job might go to somebody who is farther away.
pub async fn take_up_rest(db: Db, engine: Engine) {
    let taking_up = async {
        while !engine.has_stopped() {
            match take_up_available(&db, &engine).await {
                Ok(mechanics) => {
                    tracing::info!(mechanics, "the engine loaded the available mechanics");
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "the available mechanics could not be loaded; will retry");
                    tokio::time::sleep(AGAIN_AFTER).await;
                }
            }
        }
    };
    let mut taking_up = pin!(taking_up);
    if tokio::time::timeout(MATCHING_WAITS, &mut taking_up).await.is_err() {
        engine.begin_matching();
        taking_up.await;
    }
    engine.begin_matching();
}

/// Loads available mechanics, and returns how many. Those who sent a position since the start already have their actor.
async fn take_up_available(db: &Db, engine: &Engine) -> Result<usize> {
    let (mut loaded, mut after) = (0, Uuid::nil());
    loop {
        let page = queries::available_mechanic_ids(db, after, IDS).await?;
        let Some(last) = page.last() else { return Ok(loaded) };
        after = *last;
        let missing = engine.without_actor(page.into_iter().map(MechanicId).collect());
        let missing: Vec<Uuid> = missing.into_iter().map(|id| id.0).collect();
        let loads = pages(&missing).map(|page| async move { load::mechanics(db, &page).await });
        let mut loads = stream::iter(loads).buffer_unordered(PAGES_BEHIND);
        while let Some(mechanics) = loads.try_next().await? {
            loaded += mechanics.len();
            engine.take_up(mechanics);
        }
        if engine.has_stopped() {
            return Ok(loaded);
        }
    }
}

async fn lessons(db: &Db, config: &DispatchConfig, now: DateTime<Utc>) -> Result<Lessons> {
    let windows = TimeDelta::seconds(config.current().settings.price_window_s) * WINDOWS;
    let since = now - windows.max(CALL_DAYS);
    let mut lessons = Vec::new();
    let works = queries::works(db, now - WORK_DAYS, now, MAX_WORKS).await?;
    lessons.extend(works.into_iter().rev().map(|row| row.lesson()));
    let calls = queries::calls(db, since, now, MAX_CALLS).await?;
    lessons.extend(calls.into_iter().rev().map(|row| row.lesson()));
    // A new service has seen nothing before its first job.
    let since = queries::first_call(db).await?.map(|first| first.max(since));
    let calibration = outlook::calibration(db).await?;
    Ok(Lessons { since, lessons, calibration })
}

/// Makes the engine look after every open job, including jobs that were committed after the snapshot was read.
pub async fn look_after(db: &Db, engine: &Engine) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let page = log::open_job_ids(db, after, IDS).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = *last;
        engine.ensure_running(page.into_iter().map(JobId));
    }
}
