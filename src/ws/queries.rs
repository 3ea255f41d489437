use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// The owner of a ticket.
#[derive(Debug, FromRow)]
pub struct TicketHolder {
    pub user_id: Uuid,
    pub session_id: Uuid,
}

pub async fn insert_ticket(
    db: impl PgExecutor<'_>,
    ticket_hash: &[u8],
    user_id: Uuid,
    session_id: Uuid,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into ws_tickets (ticket_hash, user_id, session_id, expires_at) values ($1, $2, $3, $4)",
    )
    .bind(ticket_hash)
    .bind(user_id)
    .bind(session_id)
    .bind(expires_at)
    .execute(db)
    .await
    .map(drop)
}

/// Uses a ticket up; if two requests try at once, only one succeeds.
pub async fn use_ticket(
    db: impl PgExecutor<'_>,
    ticket_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<TicketHolder>> {
    sqlx::query_as(
        "update ws_tickets set used_at = $2
        where ticket_hash = $1 and used_at is null and expires_at > $2
        returning user_id, session_id",
    )
    .bind(ticket_hash)
    .bind(now)
    .fetch_optional(db)
    .await
}

pub async fn sweep(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from ws_tickets where ticket_hash in (
            select ticket_hash from ws_tickets where expires_at < $1 limit $2)",
    );
    Ok(swept.bind(now).bind(limit).execute(db).await?.rows_affected())
}
