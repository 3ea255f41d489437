use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, Result};
use uuid::Uuid;

// `share_links` belongs to `sharing/shares`, which is above this area and creates, revokes and deletes its rows. Here they are
// only read. `admission::is_live` there defines which links are live, except for the job's status, which the callers check
// themselves.

/// Lists the live links through which guests may talk about a job that is under way; at most `shares.max_live`.
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

/// Returns when a live link ends. Locks its row, so that the link can't be revoked before the transaction ends.
pub async fn hold(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar(
        "select expires_at from share_links
        where id = $1 and may_contact and revoked_at is null and expires_at > $2
        for share",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(tx)
    .await
}
