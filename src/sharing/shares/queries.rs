use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{jobs::JobStatus, platform::db::RunQuery};

/// A row of `share_links`, without the token's hash.
#[derive(Debug, Clone, FromRow)]
pub struct LinkRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub shows_start_code: bool,
    pub may_contact: bool,
    pub sent_at: Option<DateTime<Utc>>,
    /// Whether the holder is the person for whom an organisation ordered help: they decide about what they pay themselves, and rate.
    pub may_decide: bool,
}

pub async fn insert(tx: &mut PgConnection, new: &LinkRow, token_hash: &[u8]) -> Result<()> {
    sqlx::query(
        "insert into share_links (id, job_id, token_hash, created_at, expires_at, shows_start_code, may_contact, sent_at,
            may_decide)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(new.id)
    .bind(new.job_id)
    .bind(token_hash)
    .bind(new.created_at)
    .bind(new.expires_at)
    .bind(new.shows_start_code)
    .bind(new.may_contact)
    .bind(new.sent_at)
    .bind(new.may_decide)
    .run(tx)
    .await
}

/// Counts the links that show the job now, if it is not over.
pub async fn count_live(tx: &mut PgConnection, job_id: Uuid, now: DateTime<Utc>) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from share_links where job_id = $1 and revoked_at is null and expires_at > $2",
    )
    .bind(job_id)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// The links that were sent by SMS since some time.
#[derive(Debug, FromRow)]
pub struct SentRow {
    pub count: i64,
    pub oldest: Option<DateTime<Utc>>,
}

/// Counts the links that were sent for a job.
pub async fn sent_since(tx: &mut PgConnection, job_id: Uuid, since: DateTime<Utc>) -> Result<SentRow> {
    sqlx::query_as(
        "select count(*) as count, min(sent_at) as oldest from share_links where job_id = $1 and sent_at > $2",
    )
    .bind(job_id)
    .bind(since)
    .fetch_one(tx)
    .await
}

/// Returns a job's newest links, newest first, at most `limit`.
pub async fn newest_of_job(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> Result<Vec<LinkRow>> {
    sqlx::query_as(
        "select id, job_id, created_at, expires_at, revoked_at, shows_start_code, may_contact, sent_at, may_decide
        from share_links where job_id = $1 order by created_at desc, id desc limit $2",
    )
    .bind(job_id)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// A link, and its job's status.
#[derive(Debug, FromRow)]
pub struct OwnLinkRow {
    #[sqlx(flatten)]
    pub link: LinkRow,
    pub job_status: JobStatus,
}

/// Returns the newest links to a customer's jobs, newest first.
pub async fn newest_of_customer(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    limit: i64,
) -> Result<Vec<OwnLinkRow>> {
    sqlx::query_as(
        "select link.id, link.job_id, link.created_at, link.expires_at, link.revoked_at, link.shows_start_code,
            link.may_contact, link.sent_at, link.may_decide, job.status as job_status
        from share_links link join jobs job on job.id = link.job_id
        where job.customer_id = $1
        order by link.created_at desc, link.id desc
        limit $2",
    )
    .bind(customer_id)
    .bind(limit)
    .fetch_all(db)
    .await
}

pub async fn by_token(db: impl PgExecutor<'_>, token_hash: &[u8]) -> Result<Option<LinkRow>> {
    sqlx::query_as(
        "select id, job_id, created_at, expires_at, revoked_at, shows_start_code, may_contact, sent_at, may_decide
        from share_links where token_hash = $1",
    )
    .bind(token_hash)
    .fetch_optional(db)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<LinkRow>> {
    sqlx::query_as(
        "select id, job_id, created_at, expires_at, revoked_at, shows_start_code, may_contact, sent_at, may_decide
        from share_links where id = $1",
    )
    .bind(id)
    .fetch_optional(db)
    .await
}

/// Revokes a link, and returns whether the job has it. The time of the first revocation stays.
pub async fn revoke(db: impl PgExecutor<'_>, job_id: Uuid, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let revoked = sqlx::query(
        "update share_links set revoked_at = coalesce(revoked_at, $3) where job_id = $1 and id = $2",
    );
    Ok(revoked.bind(job_id).bind(id).bind(now).changed(db).await? > 0)
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from share_links where id in
            (select id from share_links where expires_at < $1 order by expires_at limit $2)",
    );
    swept.bind(before).bind(limit).changed(db).await
}

/// Extends the job's live links: they live as long after dispatch begins as they would have lived in all.
pub async fn prolong(tx: &mut PgConnection, job_id: Uuid, begin_at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update share_links set expires_at = greatest(expires_at, $2::timestamptz + (expires_at - created_at))
        where job_id = $1 and revoked_at is null",
    )
    .bind(job_id)
    .bind(begin_at)
    .run(tx)
    .await
}
