//! SQL of changed numbers.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{PgConnection, PgExecutor, Result};
use uuid::Uuid;

pub async fn phone_of(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<String>> {
    let found = sqlx::query_scalar::<_, Option<String>>("select phone from users where id = $1");
    Ok(found.bind(user_id).fetch_optional(db).await?.flatten())
}

pub async fn is_taken(tx: &mut PgConnection, phone: &str) -> Result<bool> {
    sqlx::query_scalar("select exists (select from users where phone = $1)").bind(phone).fetch_one(tx).await
}

/// Returns how often the person changed their number since then, and when first.
pub async fn changes_since(
    tx: &mut PgConnection,
    user_id: Uuid,
    since: DateTime<Utc>,
) -> Result<(i64, Option<DateTime<Utc>>)> {
    sqlx::query_as("select count(*), min(at) from phone_changes where user_id = $1 and at > $2")
        .bind(user_id)
        .bind(since)
        .fetch_one(tx)
        .await
}

/// Gives the person another number and stores the old one, which has not been sent its message.
pub async fn change(
    tx: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    (old, new): (&str, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query("update users set phone = $2, phone_changed_at = $3, updated_at = $3 where id = $1")
        .bind(user_id)
        .bind(new)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    sqlx::query("insert into phone_changes (id, user_id, old_phone, at) values ($1, $2, $3, $4)")
        .bind(id)
        .bind(user_id)
        .bind(old)
        .bind(now)
        .run(tx)
        .await
}

/// Returns the old numbers that were not sent their message, the oldest first, with the ids of the changes.
pub async fn not_yet_notified(db: &Db, since: DateTime<Utc>, limit: i64) -> Result<Vec<(Uuid, String)>> {
    sqlx::query_as(
        "select id, old_phone from phone_changes where told_at is null and at > $1 order by at limit $2",
    )
    .bind(since)
    .bind(limit)
    .fetch_all(db)
    .await
}

pub async fn mark_told(db: &Db, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update phone_changes set told_at = $2 where id = $1").bind(id).bind(now).run(db).await
}

/// Deletes the former numbers of a person, in the transaction that deletes their account.
pub async fn forget(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query("delete from phone_changes where user_id = $1").bind(user_id).run(tx).await
}

pub async fn sweep(db: &Db, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let done = sqlx::query(
        "delete from phone_changes where id in (select id from phone_changes where at < $1 order by at limit $2)",
    );
    done.bind(before).bind(limit).changed(db).await
}
