use chrono::{DateTime, Utc};
use roadcall_actors::{
    geo::Point,
    job::state::{Destination, Receiver, Workshop},
};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, postgres::PgBindIterExt, types::Json};
use uuid::Uuid;

use crate::{
    jobs::line_items::dto::{LineItemStatus, LineItemType},
    platform::db::{StoredRow, read},
};

/// A row of `line_items`. The job's log stores items in the same shape.
#[derive(Debug, Clone, PartialEq, FromRow, Serialize, Deserialize)]
pub struct LineItemRow {
    pub id: Uuid,
    pub job_id: Uuid,
    pub kind: LineItemType,
    pub description: String,
    pub quantity: i32,
    /// Above zero, even for a discount.
    pub unit_price_paise: i64,
    pub photo_url: Option<String>,
    /// The vehicle's destination, if the item is a tow that was proposed on the spot.
    pub destination: Option<Json<KeptDestination>>,
    pub status: LineItemStatus,
    /// Whether an organisation approved the item, and so pays for it.
    #[serde(default)]
    pub is_on_account: bool,
    /// Log entries from before items had versions count as version 1.
    #[serde(default = "first_version")]
    pub version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// A destination as it is stored with its line item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptDestination {
    pub address: String,
    pub lat: f64,
    pub lng: f64,
    pub workshop_id: Option<Uuid>,
    pub workshop_name: Option<String>,
    pub distance_m: u32,
    pub duration_s: u32,
}

impl From<&Destination> for KeptDestination {
    fn from(destination: &Destination) -> Self {
        let workshop = destination.workshop.as_ref();
        Self {
            address: destination.address.clone(),
            lat: destination.place.lat,
            lng: destination.place.lng,
            workshop_id: workshop.map(|workshop| workshop.id),
            workshop_name: workshop.map(|workshop| workshop.name.clone()),
            distance_m: destination.distance_m,
            duration_s: destination.duration_s,
        }
    }
}

impl From<KeptDestination> for Destination {
    fn from(kept: KeptDestination) -> Self {
        let workshop = kept.workshop_id.zip(kept.workshop_name);
        Self {
            place: Point::new(kept.lat, kept.lng),
            address: kept.address,
            workshop: workshop.map(|(id, name)| Workshop { id, name }),
            receiver: Receiver::default(),
            distance_m: kept.distance_m,
            duration_s: kept.duration_s,
        }
    }
}

fn first_version() -> i64 {
    1
}

impl StoredRow for LineItemRow {
    const TABLE: &'static str = "line_items";
}

/// Returns the items of these jobs, job by job, in the order in which they were proposed.
pub async fn of_jobs(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<LineItemRow>> {
    sqlx::query(
        // The subquery hides how many ids there are: Postgres then makes one plan for any number, once.
        "select * from line_items where job_id = any((select $1)::uuid[])
        order by job_id, created_at, id",
    )
    .bind(job_ids)
    .try_map(read::<LineItemRow>)
    .fetch_all(db)
    .await
}

/// Returns the items of these jobs, newest first.
pub async fn newest_of_jobs(
    db: impl PgExecutor<'_>,
    job_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<LineItemRow>> {
    sqlx::query(
        "select * from line_items where job_id = any($1)
        order by created_at desc, id desc
        limit $2",
    )
    .bind(job_ids)
    .bind(limit)
    .try_map(read::<LineItemRow>)
    .fetch_all(db)
    .await
}

pub async fn find(db: impl PgExecutor<'_>, job_id: Uuid, id: Uuid) -> Result<Option<LineItemRow>> {
    sqlx::query("select * from line_items where job_id = $1 and id = $2")
        .bind(job_id)
        .bind(id)
        .try_map(read::<LineItemRow>)
        .fetch_optional(db)
        .await
}

/// Returns the item as it was proposed, from the job's log.
pub async fn first_shape(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    id: Uuid,
) -> Result<Option<Json<LineItemRow>>> {
    sqlx::query_scalar(
        "select data from job_events
        where job_id = $1 and kind = 'line_item_proposed' and data->>'id' = $2::uuid::text",
    )
    .bind(job_id)
    .bind(id)
    .fetch_optional(db)
    .await
}

/// The end of a statement that inserts items, or updates those that exist.
macro_rules! upserted {
    () => {
        "on conflict on constraint line_items_pkey do update set kind = excluded.kind,
            description = excluded.description, quantity = excluded.quantity,
            unit_price_paise = excluded.unit_price_paise, photo_url = excluded.photo_url, status = excluded.status,
            is_on_account = excluded.is_on_account, version = excluded.version, updated_at = excluded.updated_at"
    };
}

pub(in crate::jobs) use upserted;

/// Inserts or updates items.
pub async fn save(tx: &mut PgConnection, items: &[&LineItemRow]) -> Result<()> {
    sqlx::query(concat!(
        "insert into line_items (id, job_id, kind, description, quantity, unit_price_paise, photo_url, status,
            version, created_at, updated_at, destination, is_on_account)
        select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::text[]), (select $4::text[]),
            (select $5::integer[]), (select $6::bigint[]), (select $7::text[]), (select $8::text[]),
            (select $9::bigint[]), (select $10::timestamptz[]), (select $11::timestamptz[]), (select $12::jsonb[]), (select $13::boolean[]))
        ",
        upserted!(),
    ))
    .bind(items.iter().map(|item| item.id).bind_iter())
    .bind(items.iter().map(|item| item.job_id).bind_iter())
    .bind(items.iter().map(|item| item.kind).bind_iter())
    .bind(items.iter().map(|item| &item.description).bind_iter())
    .bind(items.iter().map(|item| item.quantity).bind_iter())
    .bind(items.iter().map(|item| item.unit_price_paise).bind_iter())
    .bind(items.iter().map(|item| item.photo_url.as_ref()).bind_iter())
    .bind(items.iter().map(|item| item.status).bind_iter())
    .bind(items.iter().map(|item| item.version).bind_iter())
    .bind(items.iter().map(|item| item.created_at).bind_iter())
    .bind(items.iter().map(|item| item.updated_at).bind_iter())
    .bind(items.iter().map(|item| item.destination.as_ref()).bind_iter())
    .bind(items.iter().map(|item| item.is_on_account).bind_iter())
    .execute(tx)
    .await
    .map(drop)
}

/// Deletes these items, and all items of these jobs.
pub async fn delete(tx: &mut PgConnection, ids: &[Uuid], job_ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "delete from line_items where id = any((select $1)::uuid[]) or job_id = any((select $2)::uuid[])",
    )
    .bind(ids)
    .bind(job_ids)
    .execute(tx)
    .await
    .map(drop)
}
