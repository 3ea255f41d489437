//! SQL of the documents of cases.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::CaseDocumentKind;
use crate::platform::db::{StoredRow, read};

/// A row of `partner_documents`.
#[derive(Clone, FromRow, derive_more::Debug)]
// The name may be a person's.
#[debug("CaseDocumentRow({id})")]
pub struct CaseDocumentRow {
    pub id: Uuid,
    pub case_id: Uuid,
    pub kind: CaseDocumentKind,
    pub name: String,
    pub file_url: String,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for CaseDocumentRow {
    const TABLE: &'static str = "partner_documents";
}

/// Notes that a case is being changed, and keeps others from changing it meanwhile. Returns false if it has forgotten whom it was about.
pub async fn touch_case(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<bool> {
    let done = sqlx::query("update partner_cases set updated_at = $2 where id = $1 and forgotten_at is null");
    Ok(done.bind(id).bind(now).execute(tx).await?.rows_affected() > 0)
}

/// Inserts a document; returns false if its file is one already.
pub async fn insert_if_new(tx: &mut PgConnection, row: &CaseDocumentRow) -> Result<bool> {
    let inserted = sqlx::query(
        "insert into partner_documents (id, case_id, kind, name, file_url, created_at) values ($1, $2, $3, $4, $5, $6)
        on conflict (file_url) do nothing",
    )
    .bind(row.id)
    .bind(row.case_id)
    .bind(row.kind)
    .bind(&row.name)
    .bind(&row.file_url)
    .bind(row.created_at)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// Returns the document of a case whose file this is.
pub async fn by_file(
    tx: &mut PgConnection,
    case_id: Uuid,
    file_url: &str,
) -> Result<Option<CaseDocumentRow>> {
    sqlx::query("select * from partner_documents where file_url = $2 and case_id = $1")
        .bind(case_id)
        .bind(file_url)
        .try_map(read::<CaseDocumentRow>)
        .fetch_optional(tx)
        .await
}

pub async fn find(db: impl PgExecutor<'_>, case_id: Uuid, id: Uuid) -> Result<Option<CaseDocumentRow>> {
    sqlx::query("select * from partner_documents where id = $2 and case_id = $1")
        .bind(case_id)
        .bind(id)
        .try_map(read::<CaseDocumentRow>)
        .fetch_optional(db)
        .await
}

/// Returns the documents of a case, the oldest first.
pub async fn of_case(db: impl PgExecutor<'_>, case_id: Uuid) -> Result<Vec<CaseDocumentRow>> {
    sqlx::query("select * from partner_documents where case_id = $1 order by created_at, id")
        .bind(case_id)
        .try_map(read::<CaseDocumentRow>)
        .fetch_all(db)
        .await
}

pub async fn count(tx: &mut PgConnection, case_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from partner_documents where case_id = $1")
        .bind(case_id)
        .fetch_one(tx)
        .await
}

/// Deletes a document. Returns false if it is gone.
pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    let deleted = sqlx::query("delete from partner_documents where id = $1").bind(id).execute(tx).await?;
    Ok(deleted.rows_affected() > 0)
}

/// Deletes the documents of a case. Returns their files, each with the account that owns it.
pub async fn delete_all(tx: &mut PgConnection, case_id: Uuid) -> Result<Vec<(Uuid, String)>> {
    sqlx::query_as(
        "delete from partner_documents d using partner_cases c join organisations o on o.id = c.organisation_id
        where d.case_id = $1 and c.id = d.case_id
        returning o.account_id, d.file_url",
    )
    .bind(case_id)
    .fetch_all(tx)
    .await
}
