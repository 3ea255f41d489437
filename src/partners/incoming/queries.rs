//! SQL of clubs' offers. Cases are inserted in `partners/cases`.

use std::fmt;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use super::state::{ClubCommand, ClubOffer, ClubStage};
use crate::{
    partners::feeds::CaseStatus,
    platform::db::{StoredRow, read},
};

/// A case that a club offers or offered, with its first job.
#[derive(Clone, FromRow)]
pub struct ClubOfferRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub made_by: Uuid,
    pub partner_reference: String,
    pub status: CaseStatus,
    pub offer: Json<ClubOffer>,
    pub offered_until: DateTime<Utc>,
    pub job_id: Option<Uuid>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for ClubOfferRow {
    const TABLE: &'static str = "partner_cases";
}

/// Written by hand: addresses must not be logged.
impl fmt::Debug for ClubOfferRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClubOfferRow").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}

impl ClubOfferRow {
    /// Returns the row after a command that led to this stage.
    pub fn after(self, command: ClubCommand, stage: ClubStage, now: DateTime<Utc>) -> Self {
        let (offer, offered_until) = self.offer.0.apply(command, stage, self.offered_until, now);
        Self { status: status_at(stage), offer: Json(offer), offered_until, ..self }
    }
}

fn status_at(stage: ClubStage) -> CaseStatus {
    match stage {
        ClubStage::Waiting | ClubStage::CallAsked | ClubStage::Accepted => CaseStatus::Offered,
        ClubStage::Confirmed => CaseStatus::Open,
        ClubStage::Refused => CaseStatus::Refused,
        ClubStage::Expired => CaseStatus::Expired,
        ClubStage::Withdrawn => CaseStatus::Withdrawn,
    }
}

/// The columns of [`ClubOfferRow`] of the case `c`.
macro_rules! offer_columns {
    () => {
        "c.id, c.organisation_id, c.made_by, c.partner_reference, c.status, c.offer, c.offered_until,
            (select job.id from job_facts job where job.case_id = c.id order by job.created_at limit 1) as job_id, c.created_at"
    };
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ClubOfferRow>> {
    sqlx::query(concat!(
        "select ",
        offer_columns!(),
        " from partner_cases c where c.id = $1 and c.offer is not null"
    ))
    .bind(id)
    .try_map(read::<ClubOfferRow>)
    .fetch_optional(db)
    .await
}

/// Returns an offer, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<ClubOfferRow>> {
    sqlx::query(concat!(
        "select ",
        offer_columns!(),
        " from partner_cases c where c.id = $1 and c.offer is not null for no key update of c"
    ))
    .bind(id)
    .try_map(read::<ClubOfferRow>)
    .fetch_optional(tx)
    .await
}

/// Makes an offer of a case, or writes how far it is.
pub async fn update(
    tx: &mut PgConnection,
    (id, status): (Uuid, CaseStatus),
    (offer, until): (&Json<ClubOffer>, DateTime<Utc>),
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update partner_cases set status = $2, offer = $3, offered_until = $4, updated_at = $5 where id = $1",
    )
    .bind(id)
    .bind(status)
    .bind(offer)
    .bind(until)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
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
#[derive(Debug, Clone, FromRow)]
pub struct WaitingOfferRow {
    #[sqlx(flatten)]
    pub offer: ClubOfferRow,
    pub organisation_id: Uuid,
    pub organisation_name: String,
    pub organisation_phone: Option<String>,
    pub contract_reference: String,
}

impl StoredRow for WaitingOfferRow {
    const TABLE: &'static str = "partner_cases";
}

/// Returns offers that can still be answered or confirmed, in the order in which they expire, at most `limit`.
pub async fn waiting(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<WaitingOfferRow>> {
    sqlx::query(concat!(
        "select ",
        offer_columns!(),
        ", o.name as organisation_name, o.phone as organisation_phone, k.reference as contract_reference
        from partner_cases c join organisations o on o.id = c.organisation_id
            join partner_contracts k on k.id = c.contract_id
        where c.status = 'offered' and c.offered_until > $1
        order by c.offered_until limit $2"
    ))
    .bind(now)
    .bind(limit)
    .try_map(read::<WaitingOfferRow>)
    .fetch_all(db)
    .await
}
