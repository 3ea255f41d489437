use std::sync::Arc;

use chrono::{DateTime, Utc};
use roadcall_actors::offer::PartnerOrder;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::{
    catalogue::vehicles::VehicleKind,
    jobs::{EtaSource, PrivateDescription, Urgency},
    offers::dto::OfferStatus,
    platform::db::{StoredRow, read},
};

/// An offer with the part of the job that its mechanic may see.
#[derive(Debug, Clone, FromRow)]
pub struct OfferRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub status: OfferStatus,
    pub round: i32,
    pub distance_m: i32,
    pub eta_s: i32,
    pub eta_source: EtaSource,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub estimated_price_paise: i64,
    pub service_category_id: Uuid,
    pub service_category_name: String,
    pub service_category_slug: String,
    pub description: Option<PrivateDescription>,
    pub vehicle_type: VehicleKind,
    pub vehicle_make: String,
    pub vehicle_model: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub urgency: Urgency,
    pub destination_lat: Option<f64>,
    pub destination_lng: Option<f64>,
    pub destination_distance_m: Option<i32>,
    pub destination_duration_s: Option<i32>,
    pub destination_workshop_name: Option<String>,
    pub photo_count: i32,
    pub partner_order: Option<Json<Arc<PartnerOrder>>>,
}

impl StoredRow for OfferRow {
    const TABLE: &'static str = "offers";
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid, mechanic_profile_id: Uuid) -> Result<Option<OfferRow>> {
    sqlx::query(
        "select o.*, j.estimated_price_paise, j.service_category_id, j.service_category_name, j.service_category_slug,
            j.description, j.vehicle_type, j.vehicle_make, j.vehicle_model, j.pickup_lat, j.pickup_lng, j.urgency,
            j.destination_lat, j.destination_lng, j.destination_distance_m, j.destination_duration_s,
            j.destination_workshop_name, cardinality(j.photo_urls) as photo_count, j.partner_order
        from offers o join job_facts j on j.id = o.job_id
        where o.id = $1 and o.mechanic_profile_id = $2",
    )
    .bind(id)
    .bind(mechanic_profile_id)
    .try_map(read::<OfferRow>).fetch_optional(db)
    .await
}

/// Returns the offers that these mechanics can still answer; the schema allows at most one each.
pub async fn pending_of(db: impl PgExecutor<'_>, mechanic_profile_ids: &[Uuid]) -> Result<Vec<OfferRow>> {
    sqlx::query(
        "select o.*, j.estimated_price_paise, j.service_category_id, j.service_category_name, j.service_category_slug,
            j.description, j.vehicle_type, j.vehicle_make, j.vehicle_model, j.pickup_lat, j.pickup_lng, j.urgency,
            j.destination_lat, j.destination_lng, j.destination_distance_m, j.destination_duration_s,
            j.destination_workshop_name, cardinality(j.photo_urls) as photo_count, j.partner_order
        from offers o join job_facts j on j.id = o.job_id
        where o.mechanic_profile_id = any((select $1)::uuid[]) and o.status = 'pending'
        order by o.created_at",
    )
    .bind(mechanic_profile_ids)
    .try_map(read::<OfferRow>).fetch_all(db)
    .await
}

/// Returns a mechanic's newest offers, newest first, however they ended.
pub async fn newest_of(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    limit: i64,
) -> Result<Vec<OfferRow>> {
    sqlx::query(
        "select o.*, j.estimated_price_paise, j.service_category_id, j.service_category_name, j.service_category_slug,
            j.description, j.vehicle_type, j.vehicle_make, j.vehicle_model, j.pickup_lat, j.pickup_lng, j.urgency,
            j.destination_lat, j.destination_lng, j.destination_distance_m, j.destination_duration_s,
            j.destination_workshop_name, cardinality(j.photo_urls) as photo_count, j.partner_order
        from offers o join job_facts j on j.id = o.job_id
        where o.mechanic_profile_id = $1
        order by o.created_at desc, o.id desc
        limit $2",
    )
    .bind(mechanic_profile_id)
    .bind(limit)
    .try_map(read::<OfferRow>).fetch_all(db)
    .await
}

/// An offer of a job, in its present state.
#[derive(Debug, Clone, FromRow)]
pub struct JobOfferRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub attempt: i32,
    pub round: i32,
    pub status: OfferStatus,
    pub distance_m: i32,
    pub eta_s: i32,
    pub cost_s: i64,
    pub decline_reason: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for JobOfferRow {
    const TABLE: &'static str = "offers";
}

/// Returns a job's newest offers, newest first, at most `limit`.
pub async fn newest_of_job(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> Result<Vec<JobOfferRow>> {
    sqlx::query(
        "select * from offers where job_id = $1
        order by created_at desc, id desc
        limit $2",
    )
    .bind(job_id)
    .bind(limit)
    .try_map(read::<JobOfferRow>)
    .fetch_all(db)
    .await
}

/// New offers, column by column.
#[derive(Debug, Clone, Default)]
pub struct NewOffers {
    pub ids: Vec<Uuid>,
    pub mechanic_profile_ids: Vec<Uuid>,
    pub distances_m: Vec<i32>,
    pub etas_s: Vec<i32>,
    pub eta_bases_s: Vec<i32>,
    pub eta_sources: Vec<&'static str>,
    pub costs_s: Vec<i64>,
    pub expire_at: Vec<DateTime<Utc>>,
}

pub async fn insert(
    tx: &mut PgConnection,
    job_id: Uuid,
    attempt: i32,
    round: i32,
    offers: &NewOffers,
    created_at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into offers (id, job_id, mechanic_profile_id, attempt, round, status, distance_m, eta_s, eta_base_s,
            eta_source, cost_s, created_at, expires_at)
        select id, $1, mechanic_profile_id, $2, $3, 'pending', distance_m, eta_s, eta_base_s, eta_source, cost_s, $4, expires_at
        from unnest($5::uuid[], $6::uuid[], $7::integer[], $8::integer[], $9::integer[], $10::text[], $11::bigint[],
            $12::timestamptz[])
            as offer (id, mechanic_profile_id, distance_m, eta_s, eta_base_s, eta_source, cost_s, expires_at)",
    )
    .bind(job_id)
    .bind(attempt)
    .bind(round)
    .bind(created_at)
    .bind(&offers.ids)
    .bind(&offers.mechanic_profile_ids)
    .bind(&offers.distances_m)
    .bind(&offers.etas_s)
    .bind(&offers.eta_bases_s)
    .bind(&offers.eta_sources)
    .bind(&offers.costs_s)
    .bind(&offers.expire_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Records when a pending offer was first shown to its mechanic. Returns the seconds since it was made, or `None` if it had been
/// shown before or is over.
pub async fn show(db: impl PgExecutor<'_>, id: Uuid, at: DateTime<Utc>) -> Result<Option<f64>> {
    sqlx::query_scalar(
        "update offers set shown_at = $2
        where id = $1 and status = 'pending' and shown_at is null
        returning extract(epoch from shown_at - created_at)::double precision",
    )
    .bind(id)
    .bind(at)
    .fetch_optional(db)
    .await
}

/// Ends pending offers; returns how many it ended. The subquery around the status lets Postgres find them by their ids alone.
pub async fn settle(
    tx: &mut PgConnection,
    ids: &[Uuid],
    status: &str,
    decline_reason: Option<&str>,
    at: DateTime<Utc>,
) -> Result<u64> {
    let settled = sqlx::query(
        "update offers set status = $2, decline_reason = $3, settled_at = $4
        where id = any((select $1)::uuid[]) and status = (select 'pending')",
    )
    .bind(ids)
    .bind(status)
    .bind(decline_reason)
    .bind(at)
    .execute(tx)
    .await?;
    Ok(settled.rows_affected())
}

/// Accepts the offer, as the second guard: it must be pending, and the answer stamped before the offer ended.
pub async fn accept(
    tx: &mut PgConnection,
    id: Uuid,
    answered_by: DateTime<Utc>,
    at: DateTime<Utc>,
) -> Result<bool> {
    let accepted = sqlx::query(
        "update offers set status = 'accepted', settled_at = $3
        where id = $1 and status = 'pending' and expires_at >= $2",
    )
    .bind(id)
    .bind(answered_by)
    .bind(at)
    .execute(tx)
    .await?;
    Ok(accepted.rows_affected() == 1)
}
