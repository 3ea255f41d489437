//! SQL of codes that confirm addresses.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

/// A code that was sent.
#[derive(derive_more::Debug, Clone, FromRow)]
// Neither address nor nonce may be logged.
#[debug("EmailCodeRow {{ sent_at: {sent_at:?}, .. }}")]
pub struct EmailCodeRow {
    pub email: String,
    /// The value from which the code is derived with the service's key.
    pub nonce: Vec<u8>,
    pub wrong_tries: i32,
    pub sent_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Replaces the person's code.
pub async fn store_code(tx: &mut PgConnection, user_id: Uuid, code: &EmailCodeRow) -> Result<()> {
    sqlx::query(
        "insert into email_codes (user_id, email, nonce, wrong_tries, sent_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (user_id) do update set email = $2, nonce = $3, wrong_tries = $4, sent_at = $5, expires_at = $6",
    )
    .bind(user_id)
    .bind(&code.email)
    .bind(&code.nonce)
    .bind(code.wrong_tries)
    .bind(code.sent_at)
    .bind(code.expires_at)
    .run(tx)
    .await
}

pub async fn code_of(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<EmailCodeRow>> {
    sqlx::query_as(
        "select email, nonce, wrong_tries, sent_at, expires_at from email_codes where user_id = $1",
    )
    .bind(user_id)
    .fetch_optional(db)
    .await
}

pub async fn count_wrong_try(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query("update email_codes set wrong_tries = wrong_tries + 1 where user_id = $1")
        .bind(user_id)
        .run(tx)
        .await
}

pub async fn delete_code(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query("delete from email_codes where user_id = $1").bind(user_id).run(tx).await
}

pub async fn sweep(db: &Db, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from email_codes where user_id in (select user_id from email_codes where expires_at < $1 limit $2)",
    );
    swept.bind(before).bind(limit).changed(db).await
}
