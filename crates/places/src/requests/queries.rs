//! SQL of requests for a place.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

/// A row of `place_requests`.
#[derive(derive_more::Debug, Clone, FromRow)]
// People's places must not be logged.
#[debug("PlaceRequestRow {{ id: {id:?}, .. }}")]
pub struct PlaceRequestRow {
    pub id: Uuid,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    pub accuracy_m: Option<f64>,
    pub placed_at: Option<DateTime<Utc>>,
    pub used_at: Option<DateTime<Utc>>,
}

impl StoredRow for PlaceRequestRow {
    const TABLE: &str = "place_requests";
}

/// The number of requests in a time, by this admin and of this number.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct AskedSince {
    pub by_admin: i64,
    pub of_number: i64,
}

/// Lets one transaction at a time ask this number.
pub async fn lock_number(tx: &mut PgConnection, number_key: Uuid) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(4, hashtext($1::text))").bind(number_key).run(tx).await
}

pub async fn asked_since(
    tx: &mut PgConnection,
    admin_id: Uuid,
    number_keys: &[Uuid],
    since: DateTime<Utc>,
) -> Result<AskedSince> {
    sqlx::query_as(
        "select (select count(*) from place_requests where admin_id = $1 and created_at > $3) as by_admin,
            (select count(*) from place_requests where number_key = any((select $2)::uuid[]) and created_at > $3) as of_number",
    )
    .bind(admin_id)
    .bind(number_keys)
    .bind(since)
    .fetch_one(tx)
    .await
}

/// A request to store.
#[derive(derive_more::Debug)]
// The HMAC of a code must not be logged either.
#[debug("NewRequest {{ id: {id:?}, .. }}")]
pub struct NewRequest {
    pub id: Uuid,
    pub admin_id: Uuid,
    pub code_hmac: Vec<u8>,
    pub number_key: Uuid,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewRequest) -> Result<()> {
    sqlx::query(
        "insert into place_requests (id, admin_id, code_hmac, number_key, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(new.id)
    .bind(new.admin_id)
    .bind(&new.code_hmac)
    .bind(new.number_key)
    .bind(new.created_at)
    .bind(new.expires_at)
    .run(tx)
    .await
}

pub async fn mark_sent(db: impl PgExecutor<'_>, id: Uuid, at: DateTime<Utc>) -> Result<()> {
    sqlx::query("update place_requests set sent_at = $2 where id = $1").bind(id).bind(at).run(db).await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<PlaceRequestRow>> {
    sqlx::query("select * from place_requests where id = $1").bind(id).optional(db).await
}

/// Finds the request of a code by any of its HMACs.
pub async fn of_code(db: impl PgExecutor<'_>, code_hmacs: &[Vec<u8>]) -> Result<Option<PlaceRequestRow>> {
    sqlx::query("select * from place_requests where code_hmac = any((select $1)::bytea[])")
        .bind(code_hmacs)
        .optional(db)
        .await
}

/// Stores a place, which replaces the previous one; `None` if the request has ended.
pub async fn place(
    db: impl PgExecutor<'_>,
    id: Uuid,
    (lat, lng, accuracy_m): (f64, f64, Option<f64>),
    now: DateTime<Utc>,
) -> Result<Option<PlaceRequestRow>> {
    sqlx::query(
        "update place_requests set lat = $2, lng = $3, accuracy_m = $4, placed_at = $5
        where id = $1 and used_at is null and expires_at > $5 returning *",
    )
    .bind(id)
    .bind(lat)
    .bind(lng)
    .bind(accuracy_m)
    .bind(now)
    .optional(db)
    .await
}

/// Ends a request whose place was taken; `None` if it has no place.
pub async fn mark_used(
    db: impl PgExecutor<'_>,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<PlaceRequestRow>> {
    sqlx::query(
        "update place_requests set used_at = coalesce(used_at, $2) where id = $1 and placed_at is not null returning *",
    )
    .bind(id)
    .bind(now)
    .optional(db)
    .await
}

pub async fn sweep(db: &Db, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from place_requests where id in (
            select id from place_requests where created_at < $1 order by created_at limit $2)",
    );
    swept.bind(before).bind(limit).changed(db).await
}
