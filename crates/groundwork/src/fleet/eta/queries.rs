use chrono::{DateTime, Utc};
use roadcall_platform::db::RunQuery;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, postgres::PgBindIterExt};
use uuid::Uuid;

/// The trip of a mechanic whose offer was accepted.
#[derive(Debug, Clone, Copy)]
pub struct NewTrip {
    pub offer_id: Uuid,
    pub set_out_at: DateTime<Utc>,
    pub arrived_at: DateTime<Utc>,
}

/// Stores how long the trips took, except those during which the clock was set back.
pub(super) async fn record(tx: &mut PgConnection, trips: &[NewTrip]) -> Result<()> {
    sqlx::query(
        "insert into trips (offer_id, job_id, eta_source, eta_s, eta_base_s, distance_m, set_out_at, arrived_at)
        select o.id, o.job_id, o.eta_source, o.eta_s, o.eta_base_s, o.distance_m, trip.set_out_at, trip.arrived_at
        from unnest((select $1::uuid[]), (select $2::timestamptz[]), (select $3::timestamptz[]))
            as trip (offer_id, set_out_at, arrived_at)
            join offers o on o.id = trip.offer_id
        where trip.arrived_at > trip.set_out_at
        on conflict (offer_id) do nothing",
    )
    .bind(trips.iter().map(|trip| trip.offer_id).bind_iter())
    .bind(trips.iter().map(|trip| trip.set_out_at).bind_iter())
    .bind(trips.iter().map(|trip| trip.arrived_at).bind_iter())
    .run(tx)
    .await
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
