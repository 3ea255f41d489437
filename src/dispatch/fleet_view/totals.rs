//! Counts open jobs and mechanics everywhere, for the map and for the figures.

use std::time::Duration;

use chrono::{DateTime, Utc};
use roadcall_actors::{EngineHandle, observe::EngineCounts, protocol::CountQuery};

use super::{dto::FleetTotals, queries};
use crate::platform::{db::Db, error::ApiResult};

/// An engine that does not count itself within this leaves the mechanics out.
const ENGINE_LIMIT: Duration = Duration::from_secs(1);

/// Counts open jobs and mechanics, now.
pub(super) async fn count(db: &Db, engine: &EngineHandle, now: DateTime<Utc>) -> ApiResult<FleetTotals> {
    let counts = engine.ask(CountQuery { within: ENGINE_LIMIT }).await.ok();
    totals(db, counts.as_ref(), now).await
}

/// Counts the open jobs, now; the mechanics are as the engine has counted them.
pub async fn totals(db: &Db, counts: Option<&EngineCounts>, now: DateTime<Utc>) -> ApiResult<FleetTotals> {
    let open = queries::count_open(db, now).await?;
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    Ok(FleetTotals {
        waiting_jobs: open.waiting,
        active_jobs: open.active,
        concerns: open.concerns,
        online: counts.map(|counts| whole(counts.dispatcher.online_mechanics)),
        free: counts.map(|counts| whole(counts.dispatcher.free_mechanics)),
    })
}
