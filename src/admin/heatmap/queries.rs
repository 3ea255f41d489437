use chrono::{DateTime, Utc};
use roadcall_actors::geo::Bounds;
use sqlx::{FromRow, Result};

use crate::platform::db::Db;

/// A job whose search began.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct DemandRow {
    pub lat: f64,
    pub lng: f64,
    /// Minutes from the beginning of the search to the arrival.
    pub minutes: Option<f64>,
    /// Whether the job ended without a mechanic.
    pub is_unserved: bool,
}

/// The filter of jobs: a box, a period, and an hour of the zone's day.
#[derive(Debug, Clone, Copy)]
pub struct DemandFilter<'a> {
    pub bounds: Bounds,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    pub hour: Option<i32>,
    pub zone: &'a str,
}

/// Returns the jobs in no particular order, at most `limit`.
pub async fn calls(db: &Db, filter: &DemandFilter<'_>, limit: i64) -> Result<Vec<DemandRow>> {
    let DemandFilter { bounds, from, to, hour, zone } = filter;
    sqlx::query_as(
        "select pickup_lat as lat, pickup_lng as lng,
            (extract(epoch from arrived_at - begin_at) / 60)::double precision as minutes,
            accepted_at is null and status in ('cancelled', 'no_mechanic_found') as is_unserved
        from jobs
        where begin_at >= $1 and begin_at < $2 and attempt > 0
            and pickup_lat between $3 and $4
            and case when $5::double precision <= $6::double precision then pickup_lng between $5 and $6
                else pickup_lng >= $5 or pickup_lng <= $6 end
            and ($7::integer is null
                or extract(hour from begin_at at time zone $8::text) = $7)
        limit $9",
    )
    .bind(from)
    .bind(to)
    .bind(bounds.south)
    .bind(bounds.north)
    .bind(bounds.west)
    .bind(bounds.east)
    .bind(hour)
    .bind(zone)
    .bind(limit)
    .persistent(false)
    .fetch_all(db)
    .await
}
