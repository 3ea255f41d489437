use chrono::{DateTime, Utc};
use roadcall_platform::db::RunQuery;
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::notices::state::{ConsentKind, NoticeLanguage};

/// An agreement of a person to a version, or its withdrawal.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct ConsentRow {
    pub user_id: Uuid,
    /// The position in the person's history, from 1.
    pub number: i32,
    pub kind: ConsentKind,
    pub version: i64,
    pub language: NoticeLanguage,
    pub at: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, row: &ConsentRow) -> Result<()> {
    sqlx::query(
        "insert into consents (user_id, number, kind, version, language, at) values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(row.user_id)
    .bind(row.number)
    .bind(row.kind)
    .bind(row.version)
    .bind(row.language)
    .bind(row.at)
    .run(tx)
    .await
}

/// Returns a person's agreements and withdrawals, the newest first, `limit` at most.
pub async fn newest_of(db: impl PgExecutor<'_>, user_id: Uuid, limit: i64) -> Result<Vec<ConsentRow>> {
    sqlx::query_as("select * from consents where user_id = $1 order by number desc limit $2")
        .bind(user_id)
        .bind(limit)
        .fetch_all(db)
        .await
}

/// Returns when the person agreed since then, the earliest first, `limit` at most.
pub async fn given_since(
    tx: &mut PgConnection,
    user_id: Uuid,
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<DateTime<Utc>>> {
    sqlx::query_scalar(
        "select at from consents where user_id = $1 and kind = 'given' and at > $2 order by at limit $3",
    )
    .bind(user_id)
    .bind(since)
    .bind(limit)
    .fetch_all(tx)
    .await
}
