use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use super::{dto::DestinationRule, questions::CategoryQuestion};
use crate::catalogue::{dispatch_settings::SearchOverrides, vehicles::VehicleKind};

/// A row of `service_categories`. Amounts in paise.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct CategoryRow {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
    pub description: String,
    pub icon_url: Option<String>,
    pub vehicle_types: Vec<VehicleKind>,
    pub base_price_paise: i64,
    pub per_km_price_paise: i64,
    pub free_km: i32,
    pub destination: DestinationRule,
    pub destination_per_km_price_paise: i64,
    pub destination_free_km: i32,
    pub estimated_duration_min: i32,
    #[sqlx(flatten)]
    pub overrides: SearchOverrides,
    pub is_active: bool,
    pub sort_order: i32,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for CategoryRow {
    const TABLE: &str = "service_categories";
}

/// Lists the categories in their order. `kind` keeps only those that serve it; `with_inactive` includes those that are switched
/// off.
pub async fn list(
    db: impl PgExecutor<'_>,
    kind: Option<VehicleKind>,
    with_inactive: bool,
) -> Result<Vec<CategoryRow>> {
    sqlx::query(
        "select * from service_categories
        where ($1::text is null or $1 = any(vehicle_types)) and (is_active or $2)
        order by sort_order, name, id",
    )
    .bind(kind)
    .bind(with_inactive)
    .all(db)
    .await
}

/// Returns the category, even if it is switched off.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<CategoryRow>> {
    sqlx::query("select * from service_categories where id = $1").bind(id).optional(db).await
}

/// Returns the category with this slug, even if it is switched off.
pub async fn by_slug(db: impl PgExecutor<'_>, slug: &str) -> Result<Option<CategoryRow>> {
    sqlx::query("select * from service_categories where slug = $1").bind(slug).optional(db).await
}

/// Finds a category like [`find`], but locks the row exclusively: waits for every new job and registration that refers to it
/// right now.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<CategoryRow>> {
    sqlx::query(
        "select * from service_categories where id = $1
        for update",
    )
    .bind(id)
    .optional(tx)
    .await
}

/// Returns which of `ids` a mechanic may serve: the active ones, and those in `held`, which the mechanic already serves. They
/// can't be removed until the transaction ends: a list of ids in a row has no foreign key. Locks in the order of the ids, so
/// that two callers can't deadlock.
pub async fn lock_servable(tx: &mut PgConnection, ids: &[Uuid], held: &[Uuid]) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from service_categories
        -- The subqueries hide how many there are: Postgres then makes one plan for any number, once.
        where id = any((select $1)::uuid[]) and (is_active or id = any((select $2)::uuid[]))
        order by id
        for key share",
    )
    .bind(ids)
    .bind(held)
    .fetch_all(tx)
    .await
}

/// Returns whether one of these categories is switched on and serves one of these types.
pub async fn any_serves(tx: &mut PgConnection, ids: &[Uuid], kinds: &[VehicleKind]) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from service_categories where id = any((select $1)::uuid[]) and is_active and vehicle_types && $2)",
    )
    .bind(ids)
    .bind(kinds)
    .fetch_one(tx)
    .await
}

/// Returns whether a job from pending to in_progress asks for the category.
pub async fn has_open_job(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from jobs where service_category_id = $1
            and is_open)",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

/// Returns whether any job has ever asked for the category, any mechanic serves it, or any contract covers it.
pub async fn is_referred_to(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from job_facts where service_category_id = $1)
            or exists (select 1 from mechanic_profiles where $1 = any(service_category_ids))
            or exists (select 1 from partner_terms where service_category_id = $1)",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &CategoryRow) -> Result<()> {
    sqlx::query(
        "insert into service_categories (id, name, slug, description, icon_url, vehicle_types, base_price_paise,
            per_km_price_paise, free_km, estimated_duration_min, offer_ttl_s, attempt_ttl_s, rings_km,
            round_widths, max_rounds, urgent_first_round, is_active, sort_order, created_at, updated_at, in_time_s,
            worth_s, destination, destination_per_km_price_paise, destination_free_km)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
            $23, $24, $25)",
    )
    .bind(row.id)
    .bind(&row.name)
    .bind(&row.slug)
    .bind(&row.description)
    .bind(&row.icon_url)
    .bind(&row.vehicle_types)
    .bind(row.base_price_paise)
    .bind(row.per_km_price_paise)
    .bind(row.free_km)
    .bind(row.estimated_duration_min)
    .bind(row.overrides.offer_ttl_s)
    .bind(row.overrides.attempt_ttl_s)
    .bind(&row.overrides.rings_km)
    .bind(&row.overrides.round_widths)
    .bind(row.overrides.max_rounds)
    .bind(row.overrides.urgent_first_round)
    .bind(row.is_active)
    .bind(row.sort_order)
    .bind(row.created_at)
    .bind(row.updated_at)
    .bind(row.overrides.in_time_s)
    .bind(row.overrides.worth_s)
    .bind(row.destination)
    .bind(row.destination_per_km_price_paise)
    .bind(row.destination_free_km)
    .run(tx)
    .await
}

pub async fn update(tx: &mut PgConnection, row: &CategoryRow) -> Result<()> {
    sqlx::query(
        "update service_categories set name = $2, slug = $3, description = $4, icon_url = $5, vehicle_types = $6,
            base_price_paise = $7, per_km_price_paise = $8, free_km = $9, estimated_duration_min = $10,
            offer_ttl_s = $11, attempt_ttl_s = $12, rings_km = $13, round_widths = $14, max_rounds = $15,
            urgent_first_round = $16, is_active = $17, sort_order = $18, updated_at = $19, in_time_s = $20,
            worth_s = $21, destination = $22, destination_per_km_price_paise = $23, destination_free_km = $24
        where id = $1",
    )
    .bind(row.id)
    .bind(&row.name)
    .bind(&row.slug)
    .bind(&row.description)
    .bind(&row.icon_url)
    .bind(&row.vehicle_types)
    .bind(row.base_price_paise)
    .bind(row.per_km_price_paise)
    .bind(row.free_km)
    .bind(row.estimated_duration_min)
    .bind(row.overrides.offer_ttl_s)
    .bind(row.overrides.attempt_ttl_s)
    .bind(&row.overrides.rings_km)
    .bind(&row.overrides.round_widths)
    .bind(row.overrides.max_rounds)
    .bind(row.overrides.urgent_first_round)
    .bind(row.is_active)
    .bind(row.sort_order)
    .bind(row.updated_at)
    .bind(row.overrides.in_time_s)
    .bind(row.overrides.worth_s)
    .bind(row.destination)
    .bind(row.destination_per_km_price_paise)
    .bind(row.destination_free_km)
    .run(tx)
    .await
}

/// Returns the questions of a category; none for a category that does not exist.
pub async fn questions_of(db: impl PgExecutor<'_>, id: Uuid) -> Result<Vec<CategoryQuestion>> {
    let found = sqlx::query_scalar::<_, Json<Vec<CategoryQuestion>>>(
        "select questions from service_categories where id = $1",
    );
    Ok(found.bind(id).fetch_optional(db).await?.map_or_else(Vec::new, |questions| questions.0))
}

pub async fn set_questions(
    tx: &mut PgConnection,
    id: Uuid,
    questions: &[CategoryQuestion],
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query("update service_categories set questions = $2, updated_at = $3 where id = $1")
        .bind(id)
        .bind(Json(questions))
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query("delete from service_categories where id = $1").bind(id).run(tx).await
}
