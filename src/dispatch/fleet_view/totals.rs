//! Counts open jobs and mechanics everywhere, for the map and for the figures.

use std::time::Duration;

use chrono::{DateTime, Utc};
use roadcall_actors::{EngineHandle, observe::EngineCounts, protocol::CountQuery};
use tokio::time::timeout;

use super::{dto::FleetTotals, queries};
use crate::platform::{db::Db, error::ApiResult};

/// How long a page waits for the engine's counts.
const ENGINE_LIMIT: Duration = Duration::from_secs(1);

/// Counts open jobs and mechanics, now.
pub(super) async fn count(db: &Db, engine: &EngineHandle, now: DateTime<Utc>) -> ApiResult<FleetTotals> {
    let counts = engine_counts(engine).await;
    totals(db, counts.as_ref(), now).await
}

/// Returns the engine's counts; `None` if it is too busy to answer in time.
pub async fn engine_counts(engine: &EngineHandle) -> Option<EngineCounts> {
    // The query's own limit counts only once the mailbox has taken it, and a full mailbox does not take it.
    timeout(ENGINE_LIMIT, engine.ask(CountQuery { within: ENGINE_LIMIT })).await.ok()?.ok()
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

#[cfg(test)]
mod tests {
    use std::{future::pending, sync::Arc};

    use futures_util::{FutureExt, future::BoxFuture};
    use roadcall_actors::{
        Transport,
        job::state::Refusal,
        protocol::{Answer, Notice, Request},
        settings::Tuning,
    };

    use super::*;

    /// An engine that never answers.
    #[derive(Debug)]
    struct Busy;

    impl Transport for Busy {
        fn ask(&self, _: Request) -> BoxFuture<'_, Result<Answer, Refusal>> {
            pending().boxed()
        }

        fn tell(&self, _: Notice) {}

        fn tune(&self, _: Tuning) {}
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_engine_is_left_out() {
        assert_eq!(engine_counts(&EngineHandle::elsewhere(Arc::new(Busy))).await, None);
    }
}
