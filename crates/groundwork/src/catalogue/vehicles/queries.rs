use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::VehicleKind;

/// A row of `vehicles`, as it is shown and written.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct VehicleRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub vehicle_type: VehicleKind,
    pub make: String,
    pub model: String,
    pub registration_number: String,
    pub year: Option<i32>,
    pub fuel_type: Option<String>,
    pub color: Option<String>,
    pub is_default: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for VehicleRow {
    const TABLE: &str = "vehicles";
}

pub async fn count(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from vehicles where user_id = $1 and deleted_at is null")
        .bind(user_id)
        .fetch_one(db)
        .await
}

/// Lists a person's vehicles: the default first, then the newest.
pub async fn list(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Vec<VehicleRow>> {
    sqlx::query(
        "select * from vehicles where user_id = $1 and deleted_at is null
        order by is_default desc, created_at desc, id desc",
    )
    .bind(user_id)
    .all(db)
    .await
}

/// Returns the person's vehicle, unless it was deleted or belongs to somebody else.
pub async fn find(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<Option<VehicleRow>> {
    sqlx::query("select * from vehicles where id = $1 and user_id = $2 and deleted_at is null")
        .bind(id)
        .bind(user_id)
        .optional(db)
        .await
}

/// Returns the person's vehicle with this registration number.
pub async fn by_registration(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    registration_number: &str,
) -> Result<Option<VehicleRow>> {
    sqlx::query(
        "select * from vehicles where user_id = $1 and registration_number = $2 and deleted_at is null",
    )
    .bind(user_id)
    .bind(registration_number)
    .try_map(read::<VehicleRow>)
    .fetch_optional(db)
    .await
}

/// Finds a vehicle like [`find`], but waits for every job that is being created for it right now: a new job's foreign key holds
/// the row `for key share`, which conflicts with this lock.
pub async fn lock(tx: &mut PgConnection, user_id: Uuid, id: Uuid) -> Result<Option<VehicleRow>> {
    sqlx::query(
        "select * from vehicles where id = $1 and user_id = $2 and deleted_at is null
        for update",
    )
    .bind(id)
    .bind(user_id)
    .optional(tx)
    .await
}

/// Returns whether a job from pending to in_progress is for the vehicle.
pub async fn has_open_job(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from job_states where vehicle_id = $1
            and is_open)",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

/// Clears the present default.
pub async fn clear_default(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update vehicles set is_default = false, updated_at = $2
        where user_id = $1 and is_default and deleted_at is null",
    )
    .bind(user_id)
    .bind(now)
    .run(tx)
    .await
}

/// Makes the newest vehicle the default, if there is one.
pub async fn promote_newest(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update vehicles set is_default = true, updated_at = $2
        where id = (select id from vehicles where user_id = $1 and deleted_at is null
            order by created_at desc, id desc limit 1)",
    )
    .bind(user_id)
    .bind(now)
    .run(tx)
    .await
}

/// Inserts a vehicle; returns false if its owner has another one with the registration number.
pub async fn insert_if_new(tx: &mut PgConnection, row: &VehicleRow) -> Result<bool> {
    let inserted = sqlx::query(
        "insert into vehicles (id, user_id, vehicle_type, make, model, registration_number, year, fuel_type,
            color, is_default, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        on conflict (user_id, registration_number) where deleted_at is null do nothing",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(row.vehicle_type)
    .bind(&row.make)
    .bind(&row.model)
    .bind(&row.registration_number)
    .bind(row.year)
    .bind(&row.fuel_type)
    .bind(&row.color)
    .bind(row.is_default)
    .bind(row.created_at)
    .bind(row.updated_at)
    .changed(tx)
    .await?;
    Ok(inserted > 0)
}

pub async fn update(tx: &mut PgConnection, row: &VehicleRow) -> Result<()> {
    sqlx::query(
        "update vehicles set vehicle_type = $2, make = $3, model = $4, registration_number = $5, year = $6,
            fuel_type = $7, color = $8, is_default = $9, updated_at = $10
        where id = $1",
    )
    .bind(row.id)
    .bind(row.vehicle_type)
    .bind(&row.make)
    .bind(&row.model)
    .bind(&row.registration_number)
    .bind(row.year)
    .bind(&row.fuel_type)
    .bind(&row.color)
    .bind(row.is_default)
    .bind(row.updated_at)
    .run(tx)
    .await
}

pub async fn mark_deleted(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update vehicles set deleted_at = $2, updated_at = $2, is_default = false where id = $1")
        .bind(id)
        .bind(now)
        .run(tx)
        .await
}

/// The beginning of a statement that deletes vehicles at the time $2, and clears everything that identifies their owners.
macro_rules! anonymised {
    () => {
        "update vehicles
        set deleted_at = coalesce(deleted_at, $2), registration_number = '', color = null, is_default = false,
            updated_at = $2
        where "
    };
}

/// Deletes these vehicles, and clears everything that identifies their owners. Jobs still refer to the rows.
pub async fn anonymise_some(tx: &mut PgConnection, ids: &[Uuid], now: DateTime<Utc>) -> Result<()> {
    sqlx::query(concat!(anonymised!(), "id = any((select $1)::uuid[])")).bind(ids).bind(now).run(tx).await
}

/// Deletes a person's vehicles when their account is anonymised, and clears everything that identifies the owner. Jobs still
/// refer to the rows.
pub async fn anonymise(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(concat!(anonymised!(), "user_id = $1")).bind(user_id).bind(now).run(tx).await
}
