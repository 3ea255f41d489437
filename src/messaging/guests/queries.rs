use chrono::{DateTime, Utc};
use sqlx::{PgExecutor, Result};
use uuid::Uuid;

/// Links of a job that let their holders talk and that are live now.
pub async fn links_of(db: impl PgExecutor<'_>, job_id: Uuid, now: DateTime<Utc>) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from share_links
        where job_id = $1 and may_contact and revoked_at is null and expires_at > $2
        order by created_at, id",
    )
    .bind(job_id)
    .bind(now)
    .fetch_all(db)
    .await
}
