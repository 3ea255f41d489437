use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

/// Stores how long the trip of an accepted offer took, unless the clock was set back meanwhile.
pub(super) async fn record(
    tx: &mut PgConnection,
    offer_id: Uuid,
    set_out_at: DateTime<Utc>,
    arrived_at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into trips (offer_id, job_id, eta_source, eta_s, eta_base_s, distance_m, set_out_at, arrived_at)
        select id, job_id, eta_source, eta_s, eta_base_s, distance_m, $2, $3
        from offers where id = $1 and $3::timestamptz > $2::timestamptz
        on conflict (offer_id) do nothing",
    )
    .bind(offer_id)
    .bind(set_out_at)
    .bind(arrived_at)
    .execute(tx)
    .await
    .map(drop)
}

/// A trip with its estimate and its real duration.
#[derive(Debug, Clone, FromRow)]
pub(super) struct TripRow {
    pub eta_base_s: i32,
    pub distance_m: i32,
    pub set_out_at: DateTime<Utc>,
    pub arrived_at: DateTime<Utc>,
}

/// Returns the newest trips whose ETA came from one of `sources`.
pub(super) async fn recent(
    db: impl PgExecutor<'_>,
    sources: &[&str],
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<TripRow>> {
    sqlx::query_as(
        "select eta_base_s, distance_m, set_out_at, arrived_at
        from trips where eta_source = any($1) and arrived_at >= $2
        order by arrived_at desc, offer_id
        limit $3",
    )
    .bind(sources)
    .bind(since)
    .bind(limit)
    .fetch_all(db)
    .await
}
