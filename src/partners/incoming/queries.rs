//! SQL of clubs' offers. Cases are inserted in `partners/cases`.

use std::fmt;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::{
    partners::{club_offer::ClubOffer, feeds::CaseStatus},
    platform::db::{StoredRow, read},
};

/// The offer of a case.
#[derive(Debug, Clone, FromRow)]
pub struct ClubOfferRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub made_by: Uuid,
    pub status: CaseStatus,
    pub offer: Json<ClubOffer>,
    pub offered_until: DateTime<Utc>,
}

impl StoredRow for ClubOfferRow {
    const TABLE: &'static str = "partner_cases";
}

/// The columns of [`ClubOfferRow`].
macro_rules! columns {
    () => {
        "id, organisation_id, made_by, status, offer, offered_until"
    };
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ClubOfferRow>> {
    sqlx::query(concat!("select ", columns!(), " from partner_cases where id = $1 and offer is not null"))
        .bind(id)
        .try_map(read::<ClubOfferRow>)
        .fetch_optional(db)
        .await
}

/// Returns an offer, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<ClubOfferRow>> {
    sqlx::query(concat!(
        "select ",
        columns!(),
        " from partner_cases where id = $1 and offer is not null for no key update",
    ))
    .bind(id)
    .try_map(read::<ClubOfferRow>)
    .fetch_optional(tx)
    .await
}

/// Writes how far an offer is. `job_due_at` is when its job is made if nobody has made it by then.
pub async fn update(
    tx: &mut PgConnection,
    row: &ClubOfferRow,
    job_due_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update partner_cases set status = $2, offer = $3, offered_until = $4, updated_at = $5, job_due_at = $6 where id = $1",
    )
    .bind(row.id)
    .bind(row.status)
    .bind(&row.offer)
    .bind(row.offered_until)
    .bind(now)
    .bind(job_due_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Notes that nobody has to make the job of a confirmed offer any more.
pub async fn close_order(db: impl PgExecutor<'_>, id: Uuid) -> Result<()> {
    sqlx::query("update partner_cases set job_due_at = null where id = $1 and job_due_at is not null")
        .bind(id)
        .execute(db)
        .await
        .map(drop)
}

/// A confirmed offer whose job is missing.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct DueOrder {
    /// The id of its case.
    pub id: Uuid,
    /// The account of its club.
    pub account_id: Uuid,
}

/// Returns the confirmed offers whose jobs are due, at most `limit`. They are due again at `again_at`.
pub async fn take_due_orders(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<DueOrder>> {
    sqlx::query_as(
        "with due as (
            select id from partner_cases
            where status = 'open' and job_due_at <= $1
            order by job_due_at limit $3
            for no key update skip locked)
        update partner_cases c set job_due_at = $2
        from due, organisations o
        where c.id = due.id and o.id = c.organisation_id
        returning c.id, o.account_id",
    )
    .bind(now)
    .bind(again_at)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Returns the offers whose time is over, in order, at most `limit`.
pub async fn due(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from partner_cases where status = 'offered' and offered_until <= $1 order by offered_until limit $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// An offer that waits, with its club.
#[derive(Clone, FromRow)]
pub struct WaitingOfferRow {
    pub id: Uuid,
    pub partner_reference: String,
    pub organisation_id: Uuid,
    pub organisation_name: String,
    pub organisation_phone: Option<String>,
    pub offer: Json<ClubOffer>,
    pub offered_until: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for WaitingOfferRow {
    const TABLE: &'static str = "partner_cases";
}

/// Written by hand: numbers must not be logged.
impl fmt::Debug for WaitingOfferRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitingOfferRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns offers whose time is not over, in the order in which they expire, at most `limit`.
pub async fn waiting(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<WaitingOfferRow>> {
    sqlx::query(
        "select c.id, c.partner_reference, c.organisation_id, o.name as organisation_name, o.phone as organisation_phone,
            c.offer, c.offered_until, c.created_at
        from partner_cases c join organisations o on o.id = c.organisation_id
        where c.status = 'offered' and c.offered_until > $1
        order by c.offered_until limit $2",
    )
    .bind(now)
    .bind(limit)
    .try_map(read::<WaitingOfferRow>)
    .fetch_all(db)
    .await
}
