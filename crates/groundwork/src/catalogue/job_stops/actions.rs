//! Use cases of admins who stop new jobs, and allow them again.

use chrono::{DateTime, Utc};
use roadcall_platform::error::{ApiResult, commit_error};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    audited,
    context::JobStopsContext,
    queries::{self, StopRow},
};

/// Stops new jobs from now on. This replaces a stop that is already in force.
pub async fn set(
    context: &JobStopsContext,
    admin: Uuid,
    message: String,
    ends_at: Option<DateTime<Utc>>,
) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    queries::lock(&mut tx).await?;
    let before = queries::newest(&mut *tx).await?;
    let row = next(context, before.as_ref(), admin, Some(message), ends_at);
    let holding = before.filter(|before| before.holding(row.set_at).is_some());
    write(context, &mut tx, "job_stop.set", holding.as_ref(), &row).await?;
    tx.commit().await.map_err(commit_error)?;
    announce(context, row);
    Ok(())
}

/// Allows new jobs again. Changes nothing if they are allowed.
pub async fn end(context: &JobStopsContext, admin: Uuid) -> ApiResult<()> {
    let mut tx = context.db.begin().await?;
    queries::lock(&mut tx).await?;
    let before = queries::newest(&mut *tx).await?;
    let row = next(context, before.as_ref(), admin, None, None);
    let Some(holding) = before.filter(|before| before.holding(row.set_at).is_some()) else { return Ok(()) };
    write(context, &mut tx, "job_stop.end", Some(&holding), &row).await?;
    tx.commit().await.map_err(commit_error)?;
    announce(context, row);
    Ok(())
}

fn next(
    context: &JobStopsContext,
    before: Option<&StopRow>,
    set_by: Uuid,
    message: Option<String>,
    ends_at: Option<DateTime<Utc>>,
) -> StopRow {
    let version = before.map_or(0, |before| before.version) + 1;
    StopRow { version, message, ends_at, set_by, set_at: context.clock.now() }
}

async fn write(
    context: &JobStopsContext,
    tx: &mut PgConnection,
    action: &'static str,
    holding: Option<&StopRow>,
    row: &StopRow,
) -> ApiResult<()> {
    queries::insert(tx, row).await?;
    audited::record(context, tx, action, holding, row).await
}

/// Applies the version on this server at once, and wakes the others.
fn announce(context: &JobStopsContext, row: StopRow) {
    context.current.adopt(row);
    context.changed.wake();
}
