use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow};
use roadcall_providers::storage::{Announced, FileKind, KeptBytes};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{UploadPurpose, UploadStatus};

/// A row of `uploads` that is not being deleted.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct UploadRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub purpose: UploadPurpose,
    pub content_type: FileKind,
    pub size_bytes: i64,
    pub sha256: Option<Vec<u8>>,
    pub quota_key: Option<Vec<u8>>,
    pub store: String,
    pub file_url: String,
    pub status: UploadStatus,
    pub attempt: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub completed_at: Option<DateTime<Utc>>,
}

impl StoredRow for UploadRow {
    const TABLE: &str = "uploads";
}

impl UploadRow {
    pub fn announced(&self) -> Announced {
        Announced {
            id: self.id,
            kind: self.content_type,
            size_bytes: self.size_bytes.unsigned_abs(),
            sha256: self.sha256.as_deref().and_then(|digest| digest.try_into().ok()),
        }
    }
}

/// Counts the uploads that may still be sent or are being completed, and the bytes that were announced since `bytes_since`: those with
/// this budget and, if `user_id` is given, those of this account. Photos and evidence of a deleted account of the same person count;
/// its other files do not, since their rows go with it. Links made before `links_since` have expired.
pub async fn announced(
    tx: &mut PgConnection,
    user_id: Option<Uuid>,
    quota_key: Option<&[u8]>,
    bytes_since: DateTime<Utc>,
    links_since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(i64, i64)> {
    sqlx::query_as(
        "select count(*) filter (where status = 'pending' and (created_at > $3 or attempt_until > $4)),
            coalesce(sum(coalesce(announced_bytes, size_bytes)) filter (where created_at > $2), 0)::bigint
        from uploads
        where (user_id = $1 or quota_key = $5) and (status = 'pending' or created_at > $2)",
    )
    .bind(user_id)
    .bind(bytes_since)
    .bind(links_since)
    .bind(now)
    .bind(quota_key)
    .fetch_one(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &UploadRow) -> Result<()> {
    sqlx::query(
        "insert into uploads (id, user_id, purpose, content_type, size_bytes, announced_bytes, sha256, store, file_url, status,
            created_at, quota_key)
        values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(row.purpose)
    .bind(row.content_type)
    .bind(row.size_bytes)
    .bind(&row.sha256)
    .bind(&row.store)
    .bind(&row.file_url)
    .bind(row.status)
    .bind(row.created_at)
    .bind(&row.quota_key)
    .run(tx)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<UploadRow>> {
    sqlx::query("select * from uploads where id = $1 and status <> 'deleting'").bind(id).optional(db).await
}

/// Returns those of these files that are complete, in no particular order.
pub async fn complete_by_urls(db: impl PgExecutor<'_>, file_urls: &[String]) -> Result<Vec<UploadRow>> {
    sqlx::query("select * from uploads where file_url = any((select $1)::text[]) and status = 'complete'")
        .bind(file_urls)
        .all(db)
        .await
}

/// Returns a person's files, the newest first.
pub async fn newest_of(db: impl PgExecutor<'_>, user_id: Uuid, limit: i64) -> Result<Vec<UploadRow>> {
    sqlx::query(
        "select * from uploads where user_id = $1 and status <> 'deleting'
        order by created_at desc, id desc
        limit $2",
    )
    .bind(user_id)
    .bind(limit)
    .all(db)
    .await
}

/// Returns the files that a store holds for complete uploads, for a backup to copy.
pub async fn kept_in(db: impl PgExecutor<'_>, store: &str) -> Result<Vec<Uuid>> {
    sqlx::query_scalar("select id from uploads where status = 'complete' and store = $1 order by id")
        .bind(store)
        .fetch_all(db)
        .await
}

/// Returns the number of complete uploads in other stores.
pub async fn count_kept_elsewhere(db: impl PgExecutor<'_>, store: &str) -> Result<i64> {
    sqlx::query_scalar("select count(*) from uploads where status = 'complete' and store <> $1")
        .bind(store)
        .fetch_one(db)
        .await
}

/// Returns those of these uploads that are complete.
pub async fn still_complete(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from uploads where status = 'complete' and id = any((select $1)::uuid[]) order by id",
    )
    .bind(ids)
    .fetch_all(db)
    .await
}

/// Begins a try to complete an upload. Returns false while another one runs, or if one has run since `before` was
/// read.
pub async fn begin_attempt(
    db: impl PgExecutor<'_>,
    id: Uuid,
    before: Option<Uuid>,
    attempt: Uuid,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<bool> {
    let done = sqlx::query(
        "update uploads set attempt = $3, attempt_until = $5
        where id = $1 and status = 'pending' and attempt is not distinct from $2
            and (attempt_until is null or attempt_until <= $4)",
    )
    .bind(id)
    .bind(before)
    .bind(attempt)
    .bind(now)
    .bind(until)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends a try that stored nothing, so that another one may begin. Returns false if the upload is gone, or another try
/// has begun.
pub async fn end_attempt(db: impl PgExecutor<'_>, id: Uuid, attempt: Uuid) -> Result<bool> {
    let done = sqlx::query(
        "update uploads set attempt_until = null where id = $1 and status = 'pending' and attempt = $2",
    );
    Ok(done.bind(id).bind(attempt).changed(db).await? > 0)
}

/// Completes an upload with the stored bytes. Returns false if the upload is gone, or another try has begun.
pub async fn complete(
    db: impl PgExecutor<'_>,
    id: Uuid,
    attempt: Uuid,
    kept: KeptBytes,
    now: DateTime<Utc>,
) -> Result<bool> {
    let done = sqlx::query(
        "update uploads
        set status = 'complete', attempt_until = null, completed_at = $3, referred_at = $3, size_bytes = $4, sha256 = $5
        where id = $1 and status = 'pending' and attempt = $2",
    )
    .bind(id)
    .bind(attempt)
    .bind(now)
    .bind(i64::try_from(kept.size_bytes).unwrap_or(i64::MAX))
    .bind(kept.sha256.map(|digest| digest.to_vec()))
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Returns whether a job of this customer, or of this mechanic, refers to the file. Only its owner's own bodies can
/// refer to it: so a job's photos are looked for among the owner's.
pub async fn is_of_a_job_of(
    db: impl PgExecutor<'_>,
    row: &UploadRow,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select from job_states j
            where (j.customer_id = $3 or j.mechanic_profile_id = (select $4::uuid)) and j.id in (
                select id from job_facts where customer_id = $2 and $1 = any (photo_urls)
                union all
                select job_id from job_photos where file_url = $1
                union all
                select job_id from line_items where photo_url = $1
                union all
                select job_id from chat_messages
                where file_url = $1 and (customer_id = $3 or mechanic_profile_id = (select $4::uuid))
                union all
                select job_id from disputes
                where (customer_id = $3 or mechanic_profile_id = (select $4::uuid)) and $1 = any (evidence_urls)
                union all
                select d.job_id from dispute_statements s join disputes d on d.id = s.dispute_id
                where s.evidence_urls @> array[$1::text] and (d.customer_id = $3 or d.mechanic_profile_id = (select $4::uuid))))",
    )
    .bind(&row.file_url)
    .bind(row.user_id)
    .bind(user_id)
    .bind(mechanic_profile_id)
    .fetch_one(db)
    .await
}

/// Returns those of these URLs that are complete uploads of that person, with their purposes. Notes in the same
/// statement that they are referred to: an upload that is swept meanwhile is not found, and one that is found is not
/// swept for a while.
pub async fn refer(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    file_urls: &[String],
    now: DateTime<Utc>,
) -> Result<Vec<(String, UploadPurpose)>> {
    sqlx::query_as(
        "update uploads set referred_at = $3
        where file_url = any((select $2)::text[]) and user_id = $1 and status = 'complete'
        returning file_url, purpose",
    )
    .bind(user_id)
    .bind(file_urls)
    .bind(now)
    .fetch_all(db)
    .await
}

/// An upload whose bytes must be deleted.
#[derive(Debug, Clone, FromRow)]
pub struct Doomed {
    pub id: Uuid,
    pub store: String,
    pub attempt: Option<Uuid>,
}

/// Dooms uploads that were announced before then and never completed.
pub async fn doom_pending(
    db: impl PgExecutor<'_>,
    before: DateTime<Utc>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<u64> {
    sqlx::query(
        "update uploads set status = 'deleting'
        where status = 'pending' and id in (
            select id from uploads
            where status = 'pending' and created_at < $1 and (attempt_until is null or attempt_until <= $2)
            order by created_at limit $3
            for update skip locked)",
    )
    .bind(before)
    .bind(now)
    .bind(limit)
    .changed(db)
    .await
}

/// Checks complete uploads that no request has referred to since then, longest ago first, at most `limit`: dooms
/// those that nothing refers to; the others count as referred to now. Returns how many it checked.
pub async fn doom_unused(
    db: impl PgExecutor<'_>,
    before: DateTime<Utc>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<u64> {
    let looked_through = sqlx::query(
        "with old as (
            select id, user_id, file_url from uploads
            where status = 'complete' and referred_at < $1
            order by referred_at limit $3
            for update skip locked),
        found as (
            select u.id,
                exists (select from users x where x.avatar_url = u.file_url and x.id = u.user_id)
                or exists (select from mechanic_documents x where x.file_url = u.file_url)
                or exists (select from job_facts x where x.customer_id = u.user_id and u.file_url = any (x.photo_urls))
                or exists (select from job_photos x where x.file_url = u.file_url)
                or exists (select from line_items x where x.photo_url = u.file_url)
                or exists (select from chat_messages x where x.file_url = u.file_url)
                or exists (select from disputes x where x.evidence_urls @> array[u.file_url])
                or exists (select from dispute_statements x where x.evidence_urls @> array[u.file_url])
                or exists (select from service_categories x where x.icon_url = u.file_url)
                or exists (select from partner_documents x where x.file_url = u.file_url) as is_used
            from old u)
        update uploads u
        set status = case when f.is_used then u.status else 'deleting' end,
            referred_at = case when f.is_used then $2 else u.referred_at end
        from found f where f.id = u.id",
    );
    looked_through.bind(before).bind(now).bind(limit).changed(db).await
}

/// Returns whether anything refers to a file of that person.
pub async fn is_used(tx: &mut PgConnection, user_id: Uuid, file_url: &str) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from users x where x.avatar_url = $2 and x.id = $1)
            or exists (select from mechanic_documents x where x.file_url = $2)
            or exists (select from job_facts x where x.customer_id = $1 and $2 = any (x.photo_urls))
            or exists (select from job_photos x where x.file_url = $2)
            or exists (select from line_items x where x.photo_url = $2)
            or exists (select from chat_messages x where x.file_url = $2)
            or exists (select from disputes x where x.evidence_urls @> array[$2])
            or exists (select from dispute_statements x where x.evidence_urls @> array[$2])
            or exists (select from service_categories x where x.icon_url = $2)
            or exists (select from partner_documents x where x.file_url = $2)",
    )
    .bind(user_id)
    .bind(file_url)
    .fetch_one(tx)
    .await
}

/// Dooms one upload. Returns false while it is being completed.
pub async fn doom(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let done = sqlx::query(
        "update uploads set status = 'deleting'
        where id = $1 and (status = 'complete' or status = 'pending' and (attempt_until is null or attempt_until <= $2))",
    );
    Ok(done.bind(id).bind(now).changed(tx).await? > 0)
}

/// Returns a person's complete upload with this URL.
pub async fn complete_of(tx: &mut PgConnection, user_id: Uuid, file_url: &str) -> Result<Option<Uuid>> {
    sqlx::query_scalar("select id from uploads where file_url = $2 and user_id = $1 and status = 'complete'")
        .bind(user_id)
        .bind(file_url)
        .fetch_optional(tx)
        .await
}

/// Marks an account's avatar, documents, chat images and incomplete uploads for deletion, in the transaction that
/// deletes the account. Photos and evidence stay with the jobs that they are about. [`erase`](super::erase) them after
/// its commit.
pub async fn doom_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query(
        "update uploads set status = 'deleting'
        where user_id = $1 and (status = 'pending' or status = 'complete' and purpose in ('avatar', 'document', 'chat'))",
    )
    .bind(user_id)
    .run(tx)
    .await
}

/// Returns doomed uploads in those stores, of one person or of all.
pub async fn doomed(
    db: impl PgExecutor<'_>,
    stores: &[&str],
    user_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Doomed>> {
    sqlx::query_as(
        "select id, store, attempt from uploads
        where status = 'deleting' and store = any ($1) and ($2::uuid is null or user_id = $2)
        order by id limit $3",
    )
    .bind(stores)
    .bind(user_id)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Deletes the row of a doomed upload. Call this after its bytes are deleted.
pub async fn delete(db: impl PgExecutor<'_>, id: Uuid) -> Result<()> {
    sqlx::query("delete from uploads where id = $1 and status = 'deleting'").bind(id).run(db).await
}
