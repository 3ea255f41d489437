use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// A person's jobs whose place is still exact, with the address, oldest first. Skips jobs that are unfinished or
/// disputed.
pub async fn lock_exact(tx: &mut PgConnection, customer_id: Uuid, limit: i64) -> Result<Vec<(Uuid, String)>> {
    sqlx::query_as(
        "select id, pickup_address from jobs
        where customer_id = $1 and coarsened_at is null and not is_unfinished and status <> 'disputed'
        order by created_at, id limit $2 for no key update",
    )
    .bind(customer_id)
    .bind(limit)
    .fetch_all(tx)
    .await
}

pub async fn has_exact(tx: &mut PgConnection, customer_id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from jobs where customer_id = $1 and coarsened_at is null)")
        .bind(customer_id)
        .fetch_one(tx)
        .await
}

/// Rounds to 0.01 degrees, about a kilometre. The version stays the same: nothing has happened to the job.
pub async fn coarsen_rows(
    tx: &mut PgConnection,
    ids: &[Uuid],
    addresses: &[String],
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update jobs job set pickup_lat = round(pickup_lat::numeric, 2), pickup_lng = round(pickup_lng::numeric, 2),
            original_pickup_lat = round(original_pickup_lat::numeric, 2),
            original_pickup_lng = round(original_pickup_lng::numeric, 2),
            pickup_address = coarse.address, description = null, coarsened_at = $3
        from unnest($1::uuid[], $2::text[]) coarse (id, address) where job.id = coarse.id",
    )
    .bind(ids)
    .bind(addresses)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Coarsens the snapshots in the logs of these jobs, after the rows.
pub async fn coarsen_snapshots(tx: &mut PgConnection, ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "update job_events event set snapshot = event.snapshot || jsonb_build_object(
            'pickup_lat', round((event.snapshot ->> 'pickup_lat')::numeric, 2),
            'pickup_lng', round((event.snapshot ->> 'pickup_lng')::numeric, 2),
            'original_pickup_lat', job.original_pickup_lat, 'original_pickup_lng', job.original_pickup_lng,
            'pickup_address', job.pickup_address, 'description', job.description)
        from jobs job where job.id = any($1) and event.job_id = job.id and event.snapshot is not null",
    )
    .bind(ids)
    .execute(tx)
    .await
    .map(drop)
}
