//! Being called back: a customer whose search takes long asks for a call, an admin calls.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs` | when a customer may ask, and what admins read about the wait (pure) |
//! | `handlers.rs` | the customer asks, or withdraws |
//! | `admin.rs` | the queue of open requests, and how one is closed |
//! | `measuring.rs` | how many are open, for `/metrics` |
//!
//! A request is open until an admin has closed it or a mechanic has accepted the job. The second follows from the job's row, so that
//! no transition writes anything here; a mechanic who gives the job back opens the request again.

mod admin;
mod dto;
mod handlers;
mod measuring;
mod queries;
mod state;

use std::collections::HashMap;

use chrono::TimeDelta;
use sqlx::{PgConnection, PgExecutor};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use dto::{CallbackStatus, JobCallback};
pub use measuring::{OpenCallbacks, count_open};

use super::{JobRow, JobsContext, Viewer};
use crate::platform::error::ApiResult;
use queries::CallbackRow;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::request_callback)
        .service(handlers::withdraw_callback)
        .service(admin::list_callbacks)
        .service(admin::close_callback);
}

/// The requests about some jobs.
#[derive(Debug, Default)]
pub(super) struct Callbacks(HashMap<Uuid, CallbackRow>);

impl Callbacks {
    /// Reads all of them at once.
    pub async fn of(db: impl PgExecutor<'_>, jobs: &[JobRow]) -> sqlx::Result<Self> {
        if jobs.is_empty() {
            return Ok(Self::default());
        }
        let ids: Vec<Uuid> = jobs.iter().map(|job| job.id).collect();
        let rows = queries::of_jobs(db, &ids).await?;
        Ok(Self(rows.into_iter().map(|row| (row.job_id, row)).collect()))
    }

    /// The request about the job as `viewer` may see it: for mechanics there is none.
    pub fn of_job(&self, job: &JobRow, viewer: Viewer) -> Option<JobCallback> {
        if viewer == Viewer::Mechanic {
            return None;
        }
        let row = self.0.get(&job.id)?;
        Some(row.clone().settled(job.accepted_at).into())
    }
}

/// The same for one job.
pub(super) async fn of_job(
    db: impl PgExecutor<'_>,
    job: &JobRow,
    viewer: Viewer,
) -> sqlx::Result<Option<JobCallback>> {
    if viewer == Viewer::Mechanic {
        return Ok(None);
    }
    Ok(Callbacks::of(db, std::slice::from_ref(job)).await?.of_job(job, viewer))
}

/// Deletes the open requests of a customer who leaves, whom nobody can call any more, and the notes of all others.
pub(super) async fn forget_customer(tx: &mut PgConnection, customer_id: Uuid) -> sqlx::Result<()> {
    queries::forget_open(tx, customer_id).await?;
    queries::forget_notes(tx, customer_id).await
}

/// Writes down which requests a mechanic's acceptance has closed, once the job is over, and deletes those older than
/// `calls.retention_days`, at most `limit` of each at once; returns how many of the more frequent kind.
pub async fn sweep(context: &JobsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.calls.retention_days);
    let settled = queries::settle(&context.db, limit).await?;
    let deleted = queries::sweep(&context.db, context.clock.now() - kept, limit).await?;
    Ok(settled.max(deleted))
}
