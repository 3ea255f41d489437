//! The wallet's queries about earnings, payments and refunds.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{PaymentRefundStatus, RefundSource};
use crate::platform::db::{StoredRow, read};

/// Returns a mechanic's shares less their refunded parts, in paise.
pub async fn earned(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select coalesce(sum(share_paise - (returned_paise
            - round(commission_paise * returned_paise::numeric / greatest(gross_paise, 1))::bigint
            - round(tax_paise * returned_paise::numeric / greatest(gross_paise, 1))::bigint)), 0)::bigint
        from earnings where mechanic_profile_id = $1",
    )
    .bind(mechanic_profile_id)
    .fetch_one(db)
    .await
}

/// Returns whether the person is the payment's customer, or earned by it and an organisation does not pay it on account.
pub async fn takes_part_in_payment(db: impl PgExecutor<'_>, payment_id: Uuid, user_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from payments where id = $1 and customer_id = $2)
            or exists (select 1 from earnings e join mechanic_profiles p on p.id = e.mechanic_profile_id
                join payments paid on paid.id = e.payment_id
                where e.payment_id = $1 and p.user_id = $2 and paid.channel <> 'account')",
    )
    .bind(payment_id)
    .bind(user_id)
    .fetch_one(db)
    .await
}

pub async fn payment_exists(db: impl PgExecutor<'_>, payment_id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select 1 from payments where id = $1)")
        .bind(payment_id)
        .fetch_one(db)
        .await
}

#[derive(Debug, FromRow)]
pub struct PaymentRefundRow {
    pub id: Uuid,
    pub payment_id: Uuid,
    pub amount_paise: i64,
    /// The status, without telling whether the gateway has the refund already.
    #[sqlx(rename = "shown_status")]
    pub status: PaymentRefundStatus,
    pub source: RefundSource,
    pub reason: Option<String>,
    pub created_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for PaymentRefundRow {
    const TABLE: &'static str = "refunds";
}

/// Returns the refunds of these payments, the newest first.
pub async fn newest_refunds(
    db: impl PgExecutor<'_>,
    payment_ids: &[Uuid],
    limit: i64,
) -> Result<Vec<PaymentRefundRow>> {
    sqlx::query(
        "select *, case status when 'requested' then 'pending' else status end as shown_status
        from refunds where payment_id = any($1) order by created_at desc, id desc limit $2",
    )
    .bind(payment_ids)
    .bind(limit)
    .try_map(read::<PaymentRefundRow>)
    .fetch_all(db)
    .await
}

/// An earning whose clearing time is over.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct DueEarning {
    pub id: Uuid,
    pub job_id: Uuid,
    pub payment_id: Uuid,
    pub clears_at: DateTime<Utc>,
}

/// Returns the earnings that may be cleared, in order, starting after the earning `after`.
pub async fn due_to_clear(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    after: Option<&DueEarning>,
    limit: i64,
) -> Result<Vec<DueEarning>> {
    sqlx::query_as(
        "select e.id, e.job_id, e.payment_id, e.clears_at from earnings e join job_states j on j.id = e.job_id
        where e.channel = 'online' and e.cleared_at is null and e.clears_at <= $1 and j.status <> 'disputed'
            and not exists (select 1 from chargebacks c where c.payment_id = e.payment_id and c.status = 'open')
            and not exists (select 1 from cancellation_fees f where f.job_id = e.job_id and f.is_contested)
            and not exists (select 1 from job_dues d where d.job_id = e.job_id and d.held_until > $1)
            and ($2::timestamptz is null or (e.clears_at, e.id) > ($2, $3))
        order by e.clears_at, e.id limit $4",
    )
    .bind(now)
    .bind(after.map(|last| last.clears_at))
    .bind(after.map(|last| last.id))
    .bind(limit)
    .fetch_all(db)
    .await
}

/// An earning that becomes available when its clearing time is over.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct ReleaseRow {
    pub held_paise: i64,
    pub clears_at: DateTime<Utc>,
}

/// Returns the first of a mechanic's earnings that only waits for its clearing time.
pub async fn next_release(db: impl PgExecutor<'_>, mechanic_profile_id: Uuid) -> Result<Option<ReleaseRow>> {
    sqlx::query_as(
        "select e.held_paise, e.clears_at from earnings e join job_states j on j.id = e.job_id
        where e.mechanic_profile_id = $1 and e.channel = 'online' and e.cleared_at is null and e.held_paise > 0
            and e.clears_at is not null and j.status <> 'disputed'
            and not exists (select 1 from chargebacks c where c.payment_id = e.payment_id and c.status = 'open')
            and not exists (select 1 from cancellation_fees f where f.job_id = e.job_id and f.is_contested)
            and not exists (select 1 from job_dues d where d.job_id = e.job_id and d.held_until > e.clears_at)
        order by e.clears_at, e.id limit 1",
    )
    .bind(mechanic_profile_id)
    .fetch_optional(db)
    .await
}

/// Keeps a dispute, a chargeback or the contest of a fee from beginning until the transaction ends. Returns false if
/// one has begun, or if an admin has yet to look at a tow.
pub async fn lock_undisputed(
    tx: &mut PgConnection,
    (job_id, payment_id): (Uuid, Uuid),
    now: DateTime<Utc>,
) -> Result<bool> {
    let status: String = sqlx::query_scalar("select status from job_states where id = $1 for share")
        .bind(job_id)
        .fetch_one(&mut *tx)
        .await?;
    sqlx::query("select id from payments where id = $1 for share").bind(payment_id).execute(&mut *tx).await?;
    let is_contested: bool = sqlx::query_scalar(
        "select exists (select 1 from chargebacks where payment_id = $1 and status = 'open')
            or exists (select 1 from cancellation_fees where job_id = $2 and is_contested)
            or exists (select 1 from job_dues where job_id = $2 and held_until > $3)",
    )
    .bind(payment_id)
    .bind(job_id)
    .bind(now)
    .fetch_one(tx)
    .await?;
    Ok(status != "disputed" && !is_contested)
}

/// An earning that is about to be cleared.
#[derive(Debug, FromRow)]
pub struct ClearingRow {
    pub id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub job_id: Uuid,
    pub held_paise: i64,
    /// The number of times that a dispute held it after it had cleared.
    pub holds: i32,
}

/// Locks an earning that is to be cleared, after waiting for others that clear it; `None` if it was cleared meanwhile.
pub async fn lock_earning(tx: &mut PgConnection, id: Uuid) -> Result<Option<ClearingRow>> {
    sqlx::query_as(
        "select id, mechanic_profile_id, job_id, held_paise, holds from earnings
        where id = $1 and cleared_at is null for update",
    )
    .bind(id)
    .fetch_optional(tx)
    .await
}

pub async fn mark_cleared(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update earnings set held_paise = 0, cleared_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}
