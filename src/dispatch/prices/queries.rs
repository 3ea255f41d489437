use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

use super::switchback::HourCalls;
use crate::{
    catalogue::vehicles::VehicleKind,
    platform::db::{StoredRow, read},
};

/// A look at the prices, column by column. Sets are joined with commas: an array of arrays would have to be rectangular.
#[derive(Debug, Default)]
pub struct SampleColumns {
    pub near_lats: Vec<f64>,
    pub near_lngs: Vec<f64>,
    pub categories: Vec<String>,
    pub vehicle_types: Vec<String>,
    pub mechanics: Vec<i32>,
    pub free: Vec<i32>,
    pub calls_per_hour: Vec<f64>,
    pub loads: Vec<f64>,
    pub prices: Vec<f64>,
    pub one_mores: Vec<f64>,
}

/// Adds a look. A second look at the same instant is left out.
pub async fn keep(db: impl PgExecutor<'_>, at: DateTime<Utc>, look: &SampleColumns) -> Result<u64> {
    let kept = sqlx::query(
        "insert into price_samples (at, number, near_lat, near_lng, categories, vehicle_types, mechanics, free,
            calls_per_hour, load, price, one_more)
        select $1, class.position - 1, class.near_lat, class.near_lng,
            string_to_array(class.categories, ',')::uuid[], string_to_array(class.vehicle_types, ','),
            class.mechanics, class.free, class.calls_per_hour, class.load, class.price, class.one_more
        from unnest($2::double precision[], $3::double precision[], $4::text[], $5::text[], $6::integer[],
                $7::integer[], $8::double precision[], $9::double precision[], $10::double precision[],
                $11::double precision[])
            with ordinality as class (near_lat, near_lng, categories, vehicle_types, mechanics, free,
                calls_per_hour, load, price, one_more, position)
        on conflict (at, number) do nothing",
    )
    .bind(at)
    .bind(&look.near_lats)
    .bind(&look.near_lngs)
    .bind(&look.categories)
    .bind(&look.vehicle_types)
    .bind(&look.mechanics)
    .bind(&look.free)
    .bind(&look.calls_per_hour)
    .bind(&look.loads)
    .bind(&look.prices)
    .bind(&look.one_mores)
    .execute(db)
    .await?;
    Ok(kept.rows_affected())
}

/// Deletes samples from before this time.
pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from price_samples where (at, number) in (
            select at, number from price_samples where at < $1
            order by at
            limit $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(db)
    .await?;
    Ok(swept.rows_affected())
}

/// The sums over the samples of a class near a place at one hour of the local day.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct HourRow {
    pub near_lat: f64,
    pub near_lng: f64,
    pub categories: Vec<Uuid>,
    pub vehicle_types: Vec<VehicleKind>,
    /// 0 to 23.
    pub hour: i32,
    pub samples: i64,
    pub mechanics: i64,
    pub calls_per_hour: f64,
    pub load: f64,
    pub price: f64,
    pub one_more: f64,
}

impl StoredRow for HourRow {
    const TABLE: &'static str = "price_samples";
    const KEY: &'static str = "categories";
}

/// Returns the sums since this time, beginning with those in which one more mechanic would have saved most, at most `limit`.
pub async fn hours(
    db: impl PgExecutor<'_>,
    since: DateTime<Utc>,
    zone: &str,
    limit: i64,
) -> Result<Vec<HourRow>> {
    sqlx::query(
        "select near_lat, near_lng, categories, vehicle_types,
            extract(hour from at at time zone $2::text)::integer as hour,
            count(*) as samples, sum(mechanics)::bigint as mechanics, sum(calls_per_hour) as calls_per_hour,
            sum(load) as load, sum(price) as price, sum(one_more) as one_more
        from price_samples where at >= $1
        group by near_lat, near_lng, categories, vehicle_types, hour
        order by one_more desc, near_lat, near_lng, categories, vehicle_types, hour
        limit $3",
    )
    .bind(since)
    .bind(zone)
    .bind(limit)
    .try_map(read::<HourRow>)
    .fetch_all(db)
    .await
}

/// Counts the looks since this time, by hour of the local day.
pub async fn looks(db: impl PgExecutor<'_>, since: DateTime<Utc>, zone: &str) -> Result<Vec<(i32, i64)>> {
    sqlx::query_as(
        "select extract(hour from at at time zone $2::text)::integer as hour, count(*)
        from price_samples where at >= $1 and number = 0
        group by hour",
    )
    .bind(since)
    .bind(zone)
    .fetch_all(db)
    .await
}

/// Counts the outcomes of the calls of a time, by hours since 1970, without the first `settling_s` of each hour. The category
/// says how soon is in time, or else `in_time_s`.
pub async fn calls_by_hour(
    db: impl PgExecutor<'_>,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    settling_s: i64,
    in_time_s: i64,
) -> Result<Vec<HourCalls>> {
    sqlx::query_as(
        "select floor(extract(epoch from job.begin_at) / 3600)::bigint as hour, count(*) as calls,
            count(job.arrived_at) as served,
            count(*) filter (
                where job.arrived_at <= job.begin_at + make_interval(secs => coalesce(category.in_time_s, $4))) as in_time,
            count(*) filter (where exists (
                select from job_events event where event.job_id = job.id and event.kind = 'no_mechanic_found')) as unserved
        from jobs job join service_categories category on category.id = job.service_category_id
        where job.begin_at >= $1 and job.begin_at < $2 and mod(floor(extract(epoch from job.begin_at))::bigint, 3600) >= $3
        group by 1",
    )
    .bind(since)
    .bind(until)
    .bind(settling_s)
    .bind(in_time_s)
    .fetch_all(db)
    .await
}
