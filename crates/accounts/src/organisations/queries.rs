//! SQL of organisations.

use chrono::{DateTime, Utc};
use roadcall_http::{Between, ListWindow, SearchText, list_filter};
use roadcall_platform::db::{StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::{OrganisationKind, OrganisationStatus};

/// A row of `organisations`.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct OrganisationRow {
    pub id: Uuid,
    /// The account in whose name the organisation's jobs and vehicles are.
    pub account_id: Uuid,
    pub name: String,
    pub kind: OrganisationKind,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub status: OrganisationStatus,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for OrganisationRow {
    const TABLE: &str = "organisations";
}

list_filter! {
    /// The filter of the admins' list of organisations.
    OrganisationFilter {
        status: Option<OrganisationStatus>,
        /// All if not given.
        kind: Option<OrganisationKind> = "insurer",
        /// Words that begin words of the name.
        q: SearchText,
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`OrganisationFilter`]: $1 is the status, $2 the kind, $3 the search text, $4 and $5 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or status = $1)
            and ($2::text is null or kind = $2)
            and ($3::text is null or search_words(name, email) @@ search_query($3))
            and ($4::timestamptz is null or created_at >= $4)
            and ($5::timestamptz is null or created_at < $5)"
    };
}

/// Lists the organisations that fit the filter, the newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &OrganisationFilter,
    window: ListWindow,
) -> Result<Vec<OrganisationRow>> {
    sqlx::query(concat!(
        "select * from organisations where ",
        listed!(),
        " and ($6::timestamptz is null or (created_at, id) < ($6, $7))
        order by created_at desc, id desc
        limit $8 offset $9",
    ))
    .bind(filter.status)
    .bind(filter.kind)
    .bind(&filter.q.words)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<OrganisationRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &OrganisationFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from organisations where ", listed!()))
        .bind(filter.status)
        .bind(filter.kind)
        .bind(&filter.q.words)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Returns an organisation.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<OrganisationRow>> {
    sqlx::query("select * from organisations where id = $1")
        .bind(id)
        .try_map(read::<OrganisationRow>)
        .fetch_optional(db)
        .await
}

/// Returns whether an account belongs to an organisation.
pub async fn is_account(db: impl PgExecutor<'_>, account_id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from organisations where account_id = $1)")
        .bind(account_id)
        .fetch_one(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<OrganisationRow>> {
    sqlx::query("select * from organisations where id = $1 for no key update")
        .bind(id)
        .try_map(read::<OrganisationRow>)
        .fetch_optional(tx)
        .await
}

/// Returns how many of these organisations exist.
pub async fn count_of(tx: &mut PgConnection, ids: &[Uuid]) -> Result<i64> {
    sqlx::query_scalar("select count(*) from organisations where id = any((select $1)::uuid[])")
        .bind(ids)
        .fetch_one(tx)
        .await
}

/// Inserts an organisation, or gives it these values.
pub async fn keep(tx: &mut PgConnection, row: &OrganisationRow) -> Result<()> {
    sqlx::query(
        "insert into organisations (id, account_id, name, kind, phone, email, status, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (id) do update set name = excluded.name, kind = excluded.kind, phone = excluded.phone,
            email = excluded.email, status = excluded.status, updated_at = excluded.updated_at",
    )
    .bind(row.id)
    .bind(row.account_id)
    .bind(&row.name)
    .bind(row.kind)
    .bind(&row.phone)
    .bind(&row.email)
    .bind(row.status)
    .bind(row.created_at)
    .bind(row.updated_at)
    .execute(tx)
    .await
    .map(drop)
}
