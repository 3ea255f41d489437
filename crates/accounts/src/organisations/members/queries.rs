//! SQL of members.

use chrono::{DateTime, Utc};
use roadcall_http::PageParams;
use roadcall_platform::db::{Db, StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{auth::MemberRole, organisations::state::OrganisationStatus};

/// A membership that has not ended, with the person.
#[derive(Debug, Clone, FromRow)]
pub struct MemberRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub user_id: Uuid,
    pub role: MemberRole,
    pub created_at: DateTime<Utc>,
    pub name: Option<String>,
    pub phone: Option<String>,
}

impl StoredRow for MemberRow {
    const TABLE: &str = "organisation_members";
}

/// The organisation for which a person acts.
#[derive(Debug, Clone, FromRow)]
pub struct MembershipRow {
    pub organisation_id: Uuid,
    pub role: MemberRole,
    pub account_id: Uuid,
    pub status: OrganisationStatus,
}

impl StoredRow for MembershipRow {
    const TABLE: &str = "organisation_members";
}

/// Returns the membership of a person.
pub async fn membership(db: &Db, user_id: Uuid) -> Result<Option<MembershipRow>> {
    sqlx::query(
        "select m.id, m.organisation_id, m.role, o.account_id, o.status
        from organisation_members m join organisations o on o.id = m.organisation_id
        where m.user_id = $1 and m.removed_at is null",
    )
    .bind(user_id)
    .try_map(read::<MembershipRow>)
    .fetch_optional(db)
    .await
}

/// The beginning of a statement that selects [`MemberRow`]s.
macro_rules! current {
    () => {
        "select m.id, m.organisation_id, m.user_id, m.role, m.created_at, u.name, u.phone
        from organisation_members m join users u on u.id = m.user_id
        where m.removed_at is null and "
    };
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<MemberRow>> {
    sqlx::query(concat!(current!(), "m.id = $1")).bind(id).try_map(read::<MemberRow>).fetch_optional(db).await
}

/// Lists an organisation's members, in the order in which they joined.
pub async fn list(db: &Db, organisation_id: Uuid, page: PageParams) -> Result<Vec<MemberRow>> {
    sqlx::query(concat!(current!(), "m.organisation_id = $1 order by m.created_at, m.id limit $2 offset $3"))
        .bind(organisation_id)
        .bind(page.limit)
        .bind(page.offset())
        .try_map(read::<MemberRow>)
        .fetch_all(db)
        .await
}

pub async fn count(db: &Db, organisation_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from organisation_members where organisation_id = $1 and removed_at is null",
    )
    .bind(organisation_id)
    .fetch_one(db)
    .await
}

pub async fn insert(tx: &mut PgConnection, row: &MemberRow) -> Result<()> {
    sqlx::query(
        "insert into organisation_members (id, organisation_id, user_id, role, created_at) values ($1, $2, $3, $4, $5)",
    )
    .bind(row.id)
    .bind(row.organisation_id)
    .bind(row.user_id)
    .bind(row.role)
    .bind(row.created_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Ends a membership; returns false if it had ended before.
pub async fn end(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let ended =
        sqlx::query("update organisation_members set removed_at = $2 where id = $1 and removed_at is null")
            .bind(id)
            .bind(now)
            .execute(tx)
            .await?;
    Ok(ended.rows_affected() == 1)
}

/// Ends the membership of a person, if they have one.
pub async fn end_of(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update organisation_members set removed_at = $2 where user_id = $1 and removed_at is null")
        .bind(user_id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}
