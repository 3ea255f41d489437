use chrono::{DateTime, Utc};
use roadcall_http::PageParams;
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::NoticeLanguage;

/// A version of the notice.
#[derive(Debug, Clone, FromRow)]
pub struct NoticeRow {
    pub version: i64,
    pub text_en: String,
    pub text_hi: Option<String>,
    pub text_kn: Option<String>,
    pub ask_again: bool,
    /// The oldest version that counts as agreement while this one is in force.
    pub counts_from: i64,
    pub published_by: Uuid,
    pub published_at: DateTime<Utc>,
}

impl NoticeRow {
    /// Returns the text in a language, if there is one.
    pub fn text(&self, language: NoticeLanguage) -> Option<&str> {
        match language {
            NoticeLanguage::English => Some(&self.text_en),
            NoticeLanguage::Hindi => self.text_hi.as_deref(),
            NoticeLanguage::Kannada => self.text_kn.as_deref(),
        }
    }

    /// Returns the languages of the version, in the order of the documents.
    pub fn languages(&self) -> Vec<NoticeLanguage> {
        NoticeLanguage::ALL.iter().copied().filter(|language| self.text(*language).is_some()).collect()
    }
}

/// A version without its texts, with the name of the super-admin who published it.
#[derive(Debug, FromRow)]
pub struct ListedNoticeRow {
    pub version: i64,
    pub has_hi: bool,
    pub has_kn: bool,
    pub ask_again: bool,
    pub published_by: Uuid,
    pub published_by_name: Option<String>,
    pub published_at: DateTime<Utc>,
}

/// Returns the newest version, if it is newer than this one.
pub async fn newer_than(db: impl PgExecutor<'_>, version: i64) -> Result<Option<NoticeRow>> {
    sqlx::query_as("select * from privacy_notices where version > $1 order by version desc limit 1")
        .bind(version)
        .fetch_optional(db)
        .await
}

pub async fn find(db: &Db, version: i64) -> Result<Option<NoticeRow>> {
    sqlx::query_as("select * from privacy_notices where version = $1").bind(version).fetch_optional(db).await
}

/// Lists the versions, the newest first.
pub async fn list(db: &Db, page: PageParams) -> Result<Vec<ListedNoticeRow>> {
    sqlx::query_as(
        "select notice.version, notice.text_hi is not null as has_hi, notice.text_kn is not null as has_kn, notice.ask_again,
                notice.published_by, person.name as published_by_name, notice.published_at
        from privacy_notices notice join users person on person.id = notice.published_by
        order by notice.version desc limit $1 offset $2",
    )
    .bind(page.limit)
    .bind(page.offset())
    .fetch_all(db)
    .await
}

/// Returns the number of versions: none is left out, so it is the newest version's number.
pub async fn count(db: &Db) -> Result<i64> {
    sqlx::query_scalar("select coalesce(max(version), 0) from privacy_notices").fetch_one(db).await
}

/// Waits for a concurrent publication, and blocks others until the transaction ends.
pub async fn lock(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtext('privacy_notices'))").run(tx).await
}

pub async fn insert(tx: &mut PgConnection, row: &NoticeRow) -> Result<()> {
    sqlx::query(
        "insert into privacy_notices (version, text_en, text_hi, text_kn, ask_again, counts_from, published_by, published_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(row.version)
    .bind(&row.text_en)
    .bind(&row.text_hi)
    .bind(&row.text_kn)
    .bind(row.ask_again)
    .bind(row.counts_from)
    .bind(row.published_by)
    .bind(row.published_at)
    .run(tx)
    .await
}
