use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

/// The place where a mechanic waits.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ParkedAtRow {
    pub parked_lat: f64,
    pub parked_lng: f64,
    pub parked_label: Option<String>,
    pub parked_since: DateTime<Utc>,
    pub parked_until: DateTime<Utc>,
}

/// Returns where a mechanic waits; `None` if they do not wait anywhere.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid, now: DateTime<Utc>) -> Result<Option<ParkedAtRow>> {
    sqlx::query_as(
        "select parked_lat, parked_lng, parked_label, parked_since, parked_until from mechanic_profiles
        where id = $1 and is_available and parked_since >= available_since and parked_until > $2",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(db)
    .await
}

/// The offers that a mechanic let expire one after the other.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct UnansweredOffers {
    pub count: i64,
    /// When the last one expired.
    pub last: Option<DateTime<Utc>>,
}

/// Counts the offers made since then that the mechanic let expire, after the last one that they answered.
pub async fn unanswered(db: impl PgExecutor<'_>, id: Uuid, since: DateTime<Utc>) -> Result<UnansweredOffers> {
    sqlx::query_as(
        "select count(*) as count, max(settled_at) as last from offers
        where mechanic_profile_id = $1 and status = 'expired' and created_at > $2
            and created_at > coalesce((
                select max(answered.created_at) from offers answered
                where answered.mechanic_profile_id = $1 and answered.status in ('accepted', 'declined')
                    and answered.created_at > $2
            ), '-infinity')",
    )
    .bind(id)
    .bind(since)
    .fetch_one(db)
    .await
}

/// Makes a mechanic available where they wait; returns false if they are not verified.
pub async fn save(db: impl PgExecutor<'_>, id: Uuid, row: &ParkedAtRow) -> Result<bool> {
    let saved = sqlx::query(
        "update mechanic_profiles set parked_lat = $2, parked_lng = $3, parked_label = $4, parked_since = $5,
            parked_until = $6, available_since = case when is_available then coalesce(available_since, $5) else $5 end,
            is_available = true, updated_at = $5
        where id = $1 and status = 'verified'",
    )
    .bind(id)
    .bind(row.parked_lat)
    .bind(row.parked_lng)
    .bind(&row.parked_label)
    .bind(row.parked_since)
    .bind(row.parked_until)
    .execute(db)
    .await?;
    Ok(saved.rows_affected() == 1)
}

/// Ends a mechanic's waiting; returns false if they no longer wait there, or have registered again since.
pub async fn end(tx: &mut PgConnection, id: Uuid, since: DateTime<Utc>, at: DateTime<Utc>) -> Result<bool> {
    let ended = sqlx::query(
        "update mechanic_profiles set parked_lat = null, parked_lng = null, parked_label = null, parked_since = null,
            parked_until = null, updated_at = $3
        where id = $1 and parked_since = $2",
    )
    .bind(id)
    .bind(since)
    .bind(at)
    .execute(tx)
    .await?;
    Ok(ended.rows_affected() == 1)
}
