//! Jobs as the server that leads remembers them: their rows, and further data that readers ask for.

use std::{ops::Deref, sync::Arc};

use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    jobs::{
        callbacks::CallbackRow,
        events,
        queries::{self, JobRow, TimelineRow},
        viewer::Viewer,
    },
    platform::{core::Core, db::Db, error::ApiResult},
};

/// The maximum number of entries that a timeline shows; a job has far fewer.
const MAX_TIMELINE: i64 = 500;

/// A job's row, with further data that was read for it. All of it is forgotten once anything of it changes.
#[derive(Debug)]
pub struct RememberedJob {
    row: JobRow,
    /// The customer's request to be called.
    pub(super) callback: OnceCell<Option<CallbackRow>>,
    timeline: OnceCell<Vec<TimelineRow>>,
    /// The first event that the present mechanic sees.
    assigned_at_seq: OnceCell<i64>,
}

impl From<JobRow> for RememberedJob {
    fn from(row: JobRow) -> Self {
        let (callback, timeline, assigned_at_seq) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { row, callback, timeline, assigned_at_seq }
    }
}

impl Deref for RememberedJob {
    type Target = JobRow;

    fn deref(&self) -> &JobRow {
        &self.row
    }
}

impl RememberedJob {
    /// Returns the events of the job itself, in order.
    pub(super) async fn timeline(&self, db: &Db) -> sqlx::Result<&[TimelineRow]> {
        let read = || queries::timeline(db, self.row.id, MAX_TIMELINE);
        self.timeline.get_or_try_init(read).await.map(Vec::as_slice)
    }

    /// Returns the first event that the viewer may see: see [`events::first_visible_seq`].
    pub async fn first_visible_seq(&self, db: &Db, viewer: Viewer) -> ApiResult<i64> {
        let read = || events::first_visible_seq(db, &self.row, viewer);
        match viewer {
            Viewer::Mechanic => self.assigned_at_seq.get_or_try_init(read).await.copied(),
            Viewer::Customer | Viewer::Admin => read().await,
        }
    }
}

/// Returns the job, from memory if this server leads and nothing has changed it for a while.
pub async fn find_remembered(core: &Core, id: Uuid) -> sqlx::Result<Option<Arc<RememberedJob>>> {
    let read = async { Ok::<_, sqlx::Error>(queries::find(&core.db, id).await?.map(RememberedJob::from)) };
    core.remembered.get_or_read(id, read).await
}

/// Returns the job as [`find_remembered`] does, though never as it was before this event of its log, which the reader has seen.
pub async fn find_seen(core: &Core, id: Uuid, seq: i64) -> sqlx::Result<Option<Arc<RememberedJob>>> {
    has_event(core, id, seq);
    find_remembered(core, id).await
}

/// Returns the row alone, as [`find_remembered`] finds it.
pub async fn find_row(core: &Core, id: Uuid) -> sqlx::Result<Option<JobRow>> {
    let found = find_remembered(core, id).await?;
    Ok(found.map(|job| Arc::try_unwrap(job).map_or_else(|shared| shared.row.clone(), |own| own.row)))
}

/// Forgets the job if it is remembered as it was before this event of its log, which somebody has read.
pub fn has_event(core: &Core, id: Uuid, seq: i64) {
    core.remembered.forget_if(id, |job: &RememberedJob| job.row.seq < seq);
}
