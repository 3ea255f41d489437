//! The open jobs, read once for all who look at a map.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;

use super::queries::{self, OpenJobRow};
use crate::platform::{db::Db, error::ApiResult};

/// For how long what was read is shown to others.
const KEPT: TimeDelta = TimeDelta::seconds(1);
/// Most jobs that are read. Beyond it the oldest are missing, on the map and in its counts.
const MAX_READ: i64 = 20_000;

/// A cheap clone of the one cache.
#[derive(Debug, Clone, Default)]
pub struct FleetFeed(Arc<Mutex<LastRead>>);

#[derive(Debug, Default)]
struct LastRead {
    at: Option<DateTime<Utc>>,
    jobs: Arc<Vec<OpenJobRow>>,
    reads: u64,
}

impl FleetFeed {
    /// The open jobs as they were at most a second ago. A caller who asks during a read waits for it.
    pub(super) async fn open_jobs(&self, db: &Db, now: DateTime<Utc>) -> ApiResult<Arc<Vec<OpenJobRow>>> {
        let mut last = self.0.lock().await;
        // A caller who waited for the lock may have an older `now`.
        let is_fresh = last.at.is_some_and(|at| (now - at).abs() < KEPT);
        if !is_fresh {
            last.jobs = Arc::new(queries::open_jobs(db, now, MAX_READ).await?);
            last.at = Some(now);
            last.reads += 1;
        }
        Ok(last.jobs.clone())
    }

    /// How often jobs were read since the start.
    pub async fn reads(&self) -> u64 {
        self.0.lock().await.reads
    }
}
