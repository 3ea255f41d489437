use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// A job's id, with the addresses of the pickup and the destination.
pub type Addressed = (Uuid, String, Option<String>);

/// Locks and returns a person's jobs whose places are still exact, oldest first. Skips jobs that are unfinished or disputed.
pub async fn lock_exact(tx: &mut PgConnection, customer_id: Uuid, limit: i64) -> Result<Vec<Addressed>> {
    sqlx::query_as(
        "select id, pickup_address, destination_address from jobs
        where customer_id = $1 and coarsened_at is null and not is_unfinished and status <> 'disputed'
        order by created_at, id limit $2 for no key update",
    )
    .bind(customer_id)
    .bind(limit)
    .fetch_all(tx)
    .await
}

/// Locks and returns the jobs of a case whose places are still exact, oldest first.
pub async fn lock_exact_of_case(tx: &mut PgConnection, case_id: Uuid) -> Result<Vec<Addressed>> {
    sqlx::query_as(
        "select id, pickup_address, destination_address from jobs
        where case_id = $1 and coarsened_at is null
        order by created_at, id for no key update",
    )
    .bind(case_id)
    .fetch_all(tx)
    .await
}

/// Returns whether the person has jobs left to coarsen, now or once they are over.
pub async fn has_exact(tx: &mut PgConnection, customer_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from job_facts where customer_id = $1 and coarsened_at is null)",
    )
    .bind(customer_id)
    .fetch_one(tx)
    .await
}

/// Rounds to 0.01 degrees, about a kilometre. The version stays the same, because nothing has happened to the job.
pub async fn coarsen_rows(
    tx: &mut PgConnection,
    ids: &[Uuid],
    (pickups, destinations): (&[String], &[Option<String>]),
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update job_facts job set pickup_lat = round(pickup_lat::numeric, 2), pickup_lng = round(pickup_lng::numeric, 2),
            original_pickup_lat = round(original_pickup_lat::numeric, 2),
            original_pickup_lng = round(original_pickup_lng::numeric, 2),
            destination_lat = round(destination_lat::numeric, 2), destination_lng = round(destination_lng::numeric, 2),
            destination_workshop_id = null, destination_workshop_name = null,
            pickup_address = coarse.pickup, destination_address = coarse.destination, description = null,
            partner_order = partner_order - 'notes' || '{\"place\": {}, \"vehicle\": {}}', coarsened_at = $4
        from unnest($1::uuid[], $2::text[], $3::text[]) coarse (id, pickup, destination) where job.id = coarse.id",
    )
    .bind(ids)
    .bind(pickups)
    .bind(destinations)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Coarsens the logs of these jobs, after the rows: snapshots, and the values that entries replaced. A value that is removed there is
/// shown as the present row has it.
pub async fn coarsen_logs(tx: &mut PgConnection, ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "update job_events event set snapshot = event.snapshot || jsonb_build_object(
            'pickup_lat', round((event.snapshot ->> 'pickup_lat')::numeric, 2),
            'pickup_lng', round((event.snapshot ->> 'pickup_lng')::numeric, 2),
            'original_pickup_lat', job.original_pickup_lat, 'original_pickup_lng', job.original_pickup_lng,
            'pickup_address', job.pickup_address, 'description', job.description,
            'destination_address', job.destination_address, 'destination_lat', job.destination_lat,
            'destination_lng', job.destination_lng, 'destination_workshop_id', null, 'destination_workshop_name', null),
            replaced = event.replaced
                - array['original_pickup_lat', 'original_pickup_lng', 'pickup_address', 'description', 'destination_address',
                    'destination_lat', 'destination_lng', 'destination_workshop_id', 'destination_workshop_name']
                || jsonb_strip_nulls(jsonb_build_object(
                    'pickup_lat', round((event.replaced ->> 'pickup_lat')::numeric, 2),
                    'pickup_lng', round((event.replaced ->> 'pickup_lng')::numeric, 2)))
        from job_facts job
        where job.id = any($1) and event.job_id = job.id and (event.snapshot is not null or event.replaced <> '{}')",
    )
    .bind(ids)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the ids and destinations of these jobs' line items.
pub async fn item_destinations(tx: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>> {
    sqlx::query_as(
        "select item.id, item.destination ->> 'address' from line_items item
        where item.job_id = any($1) and item.destination is not null",
    )
    .bind(ids)
    .fetch_all(tx)
    .await
}

/// Coarsens the destinations of tows that were proposed on the spot.
pub async fn coarsen_items(tx: &mut PgConnection, items: &[Uuid], addresses: &[String]) -> Result<()> {
    sqlx::query(
        "update line_items item set destination = item.destination || jsonb_build_object(
            'lat', round((item.destination ->> 'lat')::numeric, 2), 'lng', round((item.destination ->> 'lng')::numeric, 2),
            'address', coarse.address, 'workshop_id', null, 'workshop_name', null)
        from unnest($1::uuid[], $2::text[]) coarse (id, address) where item.id = coarse.id",
    )
    .bind(items)
    .bind(addresses)
    .execute(tx)
    .await
    .map(drop)
}

/// Removes from the logs of these jobs the places of tows, and why an organisation refused a promised time. Such a reason is only in
/// the log, and so is a tow that was proposed and withdrawn.
pub async fn forget_logged_details(tx: &mut PgConnection, ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "update job_events
        set data = case kind when 'released' then data - 'refusal' else data || '{\"destination\": null}' end
        where job_id = any($1) and (kind = 'released' and data ->> 'refusal' is not null
            or kind like 'line\\_item\\_%' and data ->> 'destination' is not null)",
    )
    .bind(ids)
    .execute(tx)
    .await
    .map(drop)
}
