use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, Result};
use uuid::Uuid;

use crate::{
    http::text_enum,
    money::payments::dto::Channel,
    platform::db::{StoredRow, read},
};

text_enum! {
    /// The source of an earning: a completed job, or the fee for a cancelled one.
    EarningKind { Job = "job", Fee = "fee", }
}

/// A mechanic's earning from one payment.
#[derive(Debug, Clone, FromRow)]
pub struct EarningRow {
    pub id: Uuid,
    pub payment_id: Uuid,
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub kind: EarningKind,
    pub channel: Channel,
    pub gross_paise: i64,
    pub commission_paise: i64,
    pub tax_paise: i64,
    pub share_paise: i64,
    pub returned_paise: i64,
    pub held_paise: i64,
    pub clears_at: Option<DateTime<Utc>>,
    pub cleared_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for EarningRow {
    const TABLE: &'static str = "earnings";
}

pub async fn insert(tx: &mut PgConnection, new: &EarningRow) -> Result<()> {
    sqlx::query(
        "insert into earnings (id, payment_id, job_id, mechanic_profile_id, kind, channel, gross_paise,
            commission_paise, tax_paise, share_paise, held_paise, clears_at, cleared_at, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(new.id)
    .bind(new.payment_id)
    .bind(new.job_id)
    .bind(new.mechanic_profile_id)
    .bind(new.kind)
    .bind(new.channel)
    .bind(new.gross_paise)
    .bind(new.commission_paise)
    .bind(new.tax_paise)
    .bind(new.share_paise)
    .bind(new.held_paise)
    .bind(new.clears_at)
    .bind(new.cleared_at)
    .bind(new.created_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the earnings from a payment, locked.
pub async fn lock_of_payment(tx: &mut PgConnection, payment_id: Uuid) -> Result<Vec<EarningRow>> {
    sqlx::query("select * from earnings where payment_id = $1 order by id for update")
        .bind(payment_id)
        .try_map(read::<EarningRow>)
        .fetch_all(tx)
        .await
}

/// Returns the earnings from a job, locked.
pub async fn lock_of_job(tx: &mut PgConnection, job_id: Uuid) -> Result<Vec<EarningRow>> {
    sqlx::query("select * from earnings where job_id = $1 order by id for update")
        .bind(job_id)
        .try_map(read::<EarningRow>)
        .fetch_all(tx)
        .await
}

/// Adds to the returned amount of an earning, and lowers its held amount.
pub async fn take(tx: &mut PgConnection, id: Uuid, gross_paise: i64, held_paise: i64) -> Result<()> {
    sqlx::query(
        "update earnings set returned_paise = returned_paise + $2, held_paise = held_paise - $3 where id = $1",
    )
    .bind(id)
    .bind(gross_paise)
    .bind(held_paise)
    .execute(tx)
    .await
    .map(drop)
}

/// Holds again the amount that is still there: a dispute came after the earning had cleared.
pub async fn hold_again(tx: &mut PgConnection, id: Uuid, held_paise: i64) -> Result<()> {
    sqlx::query("update earnings set held_paise = held_paise + $2, cleared_at = null, holds = holds + 1 where id = $1")
        .bind(id)
        .bind(held_paise)
        .execute(tx)
        .await
        .map(drop)
}

/// The part that a refund took from one earning.
#[derive(Debug, Clone, FromRow)]
pub struct PartRow {
    pub refund_id: Uuid,
    pub earning_id: Uuid,
    pub gross_paise: i64,
    pub commission_paise: i64,
    pub tax_paise: i64,
    pub held_paise: i64,
    pub available_paise: i64,
    pub owed_paise: i64,
}

pub async fn insert_part(tx: &mut PgConnection, part: &PartRow) -> Result<()> {
    sqlx::query(
        "insert into refund_parts (refund_id, earning_id, gross_paise, commission_paise, tax_paise, held_paise,
            available_paise, owed_paise)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(part.refund_id)
    .bind(part.earning_id)
    .bind(part.gross_paise)
    .bind(part.commission_paise)
    .bind(part.tax_paise)
    .bind(part.held_paise)
    .bind(part.available_paise)
    .bind(part.owed_paise)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn parts(tx: &mut PgConnection, refund_id: Uuid) -> Result<Vec<PartRow>> {
    sqlx::query_as("select * from refund_parts where refund_id = $1 order by earning_id")
        .bind(refund_id)
        .fetch_all(tx)
        .await
}

/// The part that a refund of a payment took from one earning, and the times when that refund was made and failed.
#[derive(Debug, Clone, FromRow)]
pub struct PastPartRow {
    pub earning_id: Uuid,
    pub gross_paise: i64,
    pub created_at: DateTime<Utc>,
    /// `None` if the refund has not failed.
    pub failed_at: Option<DateTime<Utc>>,
}

/// Returns the parts of all refunds of a payment, without chargebacks that gave way to a refund: those are taken again
/// separately.
pub async fn past_parts(tx: &mut PgConnection, payment_id: Uuid) -> Result<Vec<PastPartRow>> {
    sqlx::query_as(
        "select p.earning_id, p.gross_paise, r.created_at,
            case when r.status = 'failed' then r.settled_at end as failed_at
        from refunds r join refund_parts p on p.refund_id = r.id
        where r.payment_id = $1 and not (r.source = 'chargeback' and r.status = 'failed')",
    )
    .bind(payment_id)
    .fetch_all(tx)
    .await
}

pub async fn forget_parts(tx: &mut PgConnection, refund_id: Uuid) -> Result<()> {
    sqlx::query("delete from refund_parts where refund_id = $1").bind(refund_id).execute(tx).await.map(drop)
}
