//! SQL of the known uses of the service's secrets.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, Result};

/// The times when servers started with a secret as the one in use.
#[derive(Debug, Clone, FromRow)]
pub struct KeyRow {
    pub id: Vec<u8>,
    pub first_started_at: DateTime<Utc>,
    pub last_started_at: DateTime<Utc>,
}

/// A second factor as it is stored.
#[derive(derive_more::Debug, Clone, FromRow)]
// Nothing of a second factor is logged.
#[debug("SealedFactor {{ uid: {uid:?}, .. }}")]
pub struct SealedFactor {
    pub uid: String,
    pub totp_secret: Vec<u8>,
}

pub async fn note_start(db: &Db, id: &[u8], now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into token_keys as known (id, first_started_at, last_started_at) values ($1, $2, $2)
         on conflict (id) do update
         set last_started_at = greatest(known.last_started_at, excluded.last_started_at)",
    )
    .bind(id)
    .bind(now)
    .run(db)
    .await
}

/// Deletes all but the `most` secrets that servers started with last.
pub async fn trim(db: &Db, most: i64) -> Result<()> {
    sqlx::query(
        "delete from token_keys where id in (select id from token_keys order by last_started_at desc, id offset $1)",
    )
    .bind(most)
    .run(db)
    .await
}

/// Returns at most `limit` secrets; the last that servers started with comes first.
pub async fn newest(db: &Db, limit: i64) -> Result<Vec<KeyRow>> {
    sqlx::query_as(
        "select id, first_started_at, last_started_at from token_keys order by last_started_at desc, id limit $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Returns the second factors of accounts after `after`, in order, at most `limit`.
pub async fn sealed_factors(db: &Db, after: &str, limit: i64) -> Result<Vec<SealedFactor>> {
    sqlx::query_as(
        "select uid, totp_secret from idp_accounts where totp_secret is not null and uid > $1
         order by uid limit $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Stores a second factor that was sealed anew; returns false if it was changed meanwhile.
pub async fn keep_sealed(db: &Db, factor: &SealedFactor, sealed: &[u8]) -> Result<bool> {
    let done = sqlx::query("update idp_accounts set totp_secret = $3 where uid = $1 and totp_secret = $2");
    let done = done.bind(&factor.uid).bind(&factor.totp_secret).bind(sealed).execute(db).await?;
    Ok(done.rows_affected() > 0)
}
