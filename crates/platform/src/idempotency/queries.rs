use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::db::RunQuery;

/// A mark to claim.
#[derive(Debug)]
pub struct NewMark<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub method: &'static str,
    pub route: &'static str,
    pub key: &'a str,
    pub body_sha256: &'a [u8],
    pub leased_until: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    /// The server that works under the mark.
    pub server: Uuid,
}

/// The mark of a key.
#[derive(Debug, FromRow)]
pub struct Mark {
    pub body_sha256: Vec<u8>,
    /// The id of the job, or of whatever else was made.
    pub made_id: Option<Uuid>,
    pub status: Option<i32>,
    pub body: Option<serde_json::Value>,
    pub created_at: DateTime<Utc>,
    pub leased_until: DateTime<Utc>,
}

/// Returns the mark's id if the caller now owns it: the mark is new, is older than keys are kept, or was left
/// behind, with its lease over, by a server that is gone or does not know how its work ended. A person who has
/// `most` keys gets no new mark.
pub async fn claim(
    db: impl PgExecutor<'_>,
    new: &NewMark<'_>,
    forgotten_before: DateTime<Utc>,
    most: i64,
) -> Result<Option<Uuid>> {
    sqlx::query_scalar(
        "insert into idempotency_keys as mark (id, user_id, method, route, key, body_sha256, leased_until, created_at, server)
        select $1, $2, $3, $4, $5, $6, $7, $8, $10
        where (select count(*) from idempotency_keys where user_id = $2 and created_at >= $9) < $11
            or exists (select from idempotency_keys where user_id = $2 and method = $3 and route = $4 and key = $5)
        on conflict on constraint idempotency_keys_scope do update set
            id = excluded.id, body_sha256 = excluded.body_sha256, leased_until = excluded.leased_until,
            created_at = excluded.created_at, server = excluded.server, job_id = null, effect_id = null, status = null, body = null
        where case
            when mark.created_at < $9 then true
            when mark.job_id is not null or mark.effect_id is not null or mark.status is not null
                or mark.body_sha256 <> excluded.body_sha256 then false
            -- The same work again: its first try never reported how it ended.
            when mark.leased_until < $8 or mark.server is null then true
            when mark.server = excluded.server then false
            -- Whether another server lives (`db::queries::show_life`). Last, because it reads all locks of the cluster.
            else not exists (
                select from pg_catalog.pg_locks
                where locktype = 'advisory' and classid = 1818850917
                    and objid = hashtext(mark.server::text)::oid and objsubid = 2
                    and database = (select oid from pg_catalog.pg_database where datname = current_database())
                    and granted)
        end
        returning id",
    )
    .bind(new.id)
    .bind(new.user_id)
    .bind(new.method)
    .bind(new.route)
    .bind(new.key)
    .bind(new.body_sha256)
    .bind(new.leased_until)
    .bind(new.created_at)
    .bind(forgotten_before)
    .bind(new.server)
    .bind(most)
    .fetch_optional(db)
    .await
}

/// The number of keys of a person, and the time of the oldest one.
#[derive(Debug, FromRow)]
pub struct Held {
    pub count: i64,
    pub oldest_at: Option<DateTime<Utc>>,
}

pub async fn held(db: impl PgExecutor<'_>, user_id: Uuid, since: DateTime<Utc>) -> Result<Held> {
    sqlx::query_as(
        "select count(*) as count, min(created_at) as oldest_at from idempotency_keys
        where user_id = $1 and created_at >= $2",
    )
    .bind(user_id)
    .bind(since)
    .fetch_one(db)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, scope: &NewMark<'_>) -> Result<Option<Mark>> {
    sqlx::query_as(
        "select body_sha256, coalesce(job_id, effect_id) as made_id, status, body, created_at, leased_until
        from idempotency_keys
        where user_id = $1 and method = $2 and route = $3 and key = $4",
    )
    .bind(scope.user_id)
    .bind(scope.method)
    .bind(scope.route)
    .bind(scope.key)
    .fetch_optional(db)
    .await
}

pub async fn let_go(db: impl PgExecutor<'_>, id: Uuid) -> Result<()> {
    sqlx::query("delete from idempotency_keys where id = $1 and job_id is null and effect_id is null")
        .bind(id)
        .run(db)
        .await
}

/// Lets a repeat take the mark over, since nobody works under it now. Returns `false`, without waiting, if a transaction that may
/// complete the mark still holds it. A mark that is completed or gone is not handed over.
pub async fn hand_over(db: impl PgExecutor<'_>, id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "with handed as (
            update idempotency_keys set server = null where id = (
                select id from idempotency_keys
                where id = $1 and job_id is null and effect_id is null and status is null
                for update skip locked)
            returning id)
        select exists (select from handed) or not exists (
            select from idempotency_keys
            where id = $1 and job_id is null and effect_id is null and status is null)",
    )
    .bind(id)
    .fetch_one(db)
    .await
}

pub async fn refuse(db: impl PgExecutor<'_>, id: Uuid, status: i32, body: &serde_json::Value) -> Result<()> {
    sqlx::query("update idempotency_keys set status = $2, body = $3 where id = $1 and job_id is null and effect_id is null")
        .bind(id)
        .bind(status)
        .bind(body)
        .run(db)
        .await
}

/// Completes a mark. Returns `false` if the mark is gone or already complete.
pub async fn complete(tx: &mut PgConnection, id: Uuid, effect_id: Uuid, status: Option<i32>) -> Result<bool> {
    let completed = sqlx::query(
        "update idempotency_keys set effect_id = $2, status = $3
        where id = $1 and job_id is null and effect_id is null and status is null",
    )
    .bind(id)
    .bind(effect_id)
    .bind(status)
    .execute(tx)
    .await?;
    Ok(completed.rows_affected() == 1)
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    sqlx::query(
        "delete from idempotency_keys where id in
            (select id from idempotency_keys where created_at < $1 order by created_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .changed(db)
    .await
}

/// Completes an idempotency key's mark with the job that was made under it; returns `false` if the mark already has a job.
pub async fn complete_mark(tx: &mut PgConnection, mark: Uuid, job_id: Uuid) -> Result<bool> {
    let marked = sqlx::query("update idempotency_keys set job_id = $2 where id = $1 and job_id is null")
        .bind(mark)
        .bind(job_id)
        .execute(tx)
        .await?;
    Ok(marked.rows_affected() == 1)
}

/// Completes a mark with a line item.
pub async fn complete_item_mark(tx: &mut PgConnection, mark: Uuid, item_id: Uuid) -> Result<bool> {
    let marked = sqlx::query(
        "update idempotency_keys set effect_id = $2
        where id = $1 and job_id is null and effect_id is null and status is null",
    )
    .bind(mark)
    .bind(item_id)
    .execute(tx)
    .await?;
    Ok(marked.rows_affected() == 1)
}
