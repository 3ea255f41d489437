//! The open jobs and their details, read once for all viewers of the map.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::EngineHandle;
use tokio::sync::Mutex;

use super::{
    details::{KnownDetails, Listed},
    dto::{FleetTotals, FleetView},
    queries::{self, OpenJobRow},
    totals,
};
use crate::platform::{db::Db, error::ApiResult};

/// How long a read is shown to other viewers, too.
const KEPT: TimeDelta = TimeDelta::seconds(1);
/// The maximum number of jobs that are read. Older ones are missing on the map and in the counts of a box; the totals count all.
const MAX_READ: i64 = 20_000;

/// A cheap clone of the one cache.
#[derive(Debug, Clone, Default)]
pub struct FleetFeed {
    jobs: Arc<Mutex<LastRead>>,
    details: Arc<Mutex<KnownDetails>>,
}

#[derive(Debug, Default)]
struct LastRead {
    at: Option<DateTime<Utc>>,
    open: Open,
    reads: u64,
}

/// The open jobs and the totals, of one read. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    pub jobs: Arc<Vec<OpenJobRow>>,
    pub everywhere: FleetTotals,
}

impl FleetFeed {
    /// Returns the open jobs of at most a second ago. A caller who asks during a read waits for it. A busy engine makes a read
    /// last a second longer, and leaves its counts out of the totals.
    pub(super) async fn open(&self, db: &Db, engine: &EngineHandle, now: DateTime<Utc>) -> ApiResult<Open> {
        let mut last = self.jobs.lock().await;
        // A caller who waited for the lock may have an older `now`.
        let is_fresh = last.at.is_some_and(|at| (now - at).abs() < KEPT);
        if !is_fresh {
            let everywhere = totals::count(db, engine, now).await?;
            let jobs = Arc::new(queries::open_jobs(db, now, MAX_READ).await?);
            last.open = Open { jobs, everywhere };
            last.at = Some(now);
            last.reads += 1;
        }
        Ok(last.open.clone())
    }

    /// Returns how often jobs were read since the start.
    pub async fn reads(&self) -> u64 {
        self.jobs.lock().await.reads
    }

    /// Returns the details of a view that was made from these jobs. Reads only what nobody has looked at before.
    pub(super) async fn listed(
        &self,
        db: &Db,
        now: DateTime<Utc>,
        open: &[OpenJobRow],
        view: &FleetView,
    ) -> ApiResult<Listed> {
        self.details.lock().await.of(db, now, open, view).await
    }

    /// Returns the number of jobs and mechanics whose details were read since the start.
    pub async fn rows_of_details(&self) -> u64 {
        self.details.lock().await.rows()
    }
}
