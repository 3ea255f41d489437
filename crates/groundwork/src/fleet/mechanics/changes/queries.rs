use chrono::{DateTime, Utc};
use roadcall_http::{Between, ListWindow, list_filter};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::{dto::MechanicChange, served::Served};
use crate::catalogue::vehicles::VehicleKind;

/// A row of `mechanic_changes`.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ChangeRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
    pub requested_at: DateTime<Utc>,
}

impl ChangeRow {
    /// Returns what the mechanic asks to serve.
    pub fn wanted(&self) -> Served {
        Served {
            vehicle_types: self.vehicle_types.clone(),
            service_category_ids: self.service_category_ids.clone(),
        }
    }
}

impl StoredRow for ChangeRow {
    const TABLE: &str = "mechanic_changes";
}

pub async fn insert(tx: &mut PgConnection, row: &ChangeRow) -> Result<()> {
    sqlx::query(
        "insert into mechanic_changes (id, mechanic_profile_id, vehicle_types, service_category_ids, requested_at)
        values ($1, $2, $3, $4, $5)",
    )
    .bind(row.id)
    .bind(row.mechanic_profile_id)
    .bind(&row.vehicle_types)
    .bind(&row.service_category_ids)
    .bind(row.requested_at)
    .run(tx)
    .await
}

/// Removes a profile's pending change, if there is one.
pub async fn withdraw(tx: &mut PgConnection, profile_id: Uuid) -> Result<()> {
    sqlx::query("delete from mechanic_changes where mechanic_profile_id = $1").bind(profile_id).run(tx).await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ChangeRow>> {
    sqlx::query("select * from mechanic_changes where id = $1").bind(id).optional(db).await
}

pub async fn find_of_profile(db: impl PgExecutor<'_>, profile_id: Uuid) -> Result<Option<ChangeRow>> {
    sqlx::query("select * from mechanic_changes where mechanic_profile_id = $1")
        .bind(profile_id)
        .optional(db)
        .await
}

list_filter! {
    /// The filter of the admins' list of changes.
    MechanicChangeFilter {
        /// Asked for in this time.
        asked: Between,
    }
}

/// The condition of [`MechanicChangeFilter`]: $1 and $2 are the period.
macro_rules! listed {
    () => {
        "($1::timestamptz is null or change.requested_at >= $1)
            and ($2::timestamptz is null or change.requested_at < $2)"
    };
}

/// Lists the changes, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &MechanicChangeFilter,
    window: ListWindow,
) -> Result<Vec<MechanicChange>> {
    sqlx::query(concat!(
        "select change.*, person.name as mechanic_name, profile.vehicle_types as served_vehicle_types,
            profile.service_category_ids as served_service_category_ids
        from mechanic_changes change join mechanic_profiles profile on profile.id = change.mechanic_profile_id
            join users person on person.id = profile.user_id
        where ",
        listed!(),
        " and ($3::timestamptz is null or (change.requested_at, change.id) < ($3, $4))
        order by change.requested_at desc, change.id desc
        limit $5 offset $6",
    ))
    .bind(filter.asked.0)
    .bind(filter.asked.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &MechanicChangeFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from mechanic_changes change where ", listed!()))
        .bind(filter.asked.0)
        .bind(filter.asked.1)
        .persistent(false)
        .fetch_one(db)
        .await
}
