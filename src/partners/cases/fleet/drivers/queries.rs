//! SQL of an organisation's drivers.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    accounts::auth::PartnerCaller,
    http::PageParams,
    platform::db::{StoredRow, read},
};

/// A row of `partner_drivers`.
#[derive(Clone, FromRow, derive_more::Debug)]
// Names and numbers of people must not be logged.
#[debug("DriverRow({id})")]
pub struct DriverRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub made_by: Uuid,
    pub reference: String,
    pub name: String,
    pub phone: String,
    pub language: String,
    pub registration_number: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for DriverRow {
    const TABLE: &'static str = "partner_drivers";
}

impl DriverRow {
    /// Returns whether a partner may name the driver: an agency names those whom it added.
    pub fn is_visible(&self, caller: &PartnerCaller) -> bool {
        self.organisation_id == caller.organisation_id && caller.may_see(self.made_by)
    }
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<DriverRow>> {
    sqlx::query("select * from partner_drivers where id = $1")
        .bind(id)
        .try_map(read::<DriverRow>)
        .fetch_optional(db)
        .await
}

/// Returns the driver whom an organisation added to a fleet under this reference.
pub async fn by_reference(tx: &mut PgConnection, row: &DriverRow) -> Result<Option<DriverRow>> {
    sqlx::query(
        "select * from partner_drivers where organisation_id = $1 and reference = $2 and made_by = $3",
    )
    .bind(row.organisation_id)
    .bind(&row.reference)
    .bind(row.made_by)
    .try_map(read::<DriverRow>)
    .fetch_optional(tx)
    .await
}

/// Inserts a driver; returns false if there is one with this reference.
pub async fn insert_if_new(tx: &mut PgConnection, row: &DriverRow) -> Result<bool> {
    let inserted = sqlx::query(
        "insert into partner_drivers (id, organisation_id, made_by, reference, name, phone, language, registration_number,
            created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (organisation_id, reference, made_by) do nothing",
    )
    .bind(row.id)
    .bind(row.organisation_id)
    .bind(row.made_by)
    .bind(&row.reference)
    .bind(&row.name)
    .bind(&row.phone)
    .bind(&row.language)
    .bind(&row.registration_number)
    .bind(row.created_at)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// Deletes a driver. Returns false if they are gone.
pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    let deleted = sqlx::query("delete from partner_drivers where id = $1").bind(id).execute(tx).await?;
    Ok(deleted.rows_affected() > 0)
}

/// The condition of the list and its count: $1 is the organisation, $2 the agency that added the drivers, if only those are shown.
macro_rules! listed {
    () => {
        "organisation_id = $1 and ($2::uuid is null or made_by = $2)"
    };
}

/// Lists a part of an organisation's drivers, in the order of their references. `made_by` limits them to those whom one agency added.
pub async fn list(
    db: impl PgExecutor<'_>,
    (organisation_id, made_by): (Uuid, Option<Uuid>),
    page: PageParams,
) -> Result<Vec<DriverRow>> {
    sqlx::query(concat!(
        "select * from partner_drivers where ",
        listed!(),
        " order by reference, made_by limit $3 offset $4",
    ))
    .bind(organisation_id)
    .bind(made_by)
    .bind(page.limit)
    .bind(page.offset())
    .persistent(false)
    .try_map(read::<DriverRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, (organisation_id, made_by): (Uuid, Option<Uuid>)) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from partner_drivers where ", listed!()))
        .bind(organisation_id)
        .bind(made_by)
        .persistent(false)
        .fetch_one(db)
        .await
}
