use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, list_filter},
    money::payments::{
        dto::{Channel, RefundSource, ShownRefundStatus},
        state::{PaymentStatus, RefundStatus},
    },
    platform::db::{StoredRow, read},
};

/// A row of `refunds`.
#[derive(Debug, Clone, FromRow)]
pub struct RefundRow {
    pub id: Uuid,
    pub payment_id: Uuid,
    pub amount_paise: i64,
    pub status: RefundStatus,
    pub source: RefundSource,
    pub surplus_paise: i64,
    pub reason: Option<String>,
    pub requested_by: Option<Uuid>,
    pub gateway_refund_id: Option<String>,
    pub failure: Option<String>,
    pub attempts: i32,
    pub next_try_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for RefundRow {
    const TABLE: &'static str = "refunds";
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<RefundRow>> {
    sqlx::query("select * from refunds where id = $1")
        .bind(id)
        .try_map(read::<RefundRow>)
        .fetch_optional(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<RefundRow>> {
    sqlx::query("select * from refunds where id = $1 for update")
        .bind(id)
        .try_map(read::<RefundRow>)
        .fetch_optional(tx)
        .await
}

pub async fn by_gateway_id(db: impl PgExecutor<'_>, gateway_refund_id: &str) -> Result<Option<RefundRow>> {
    sqlx::query("select * from refunds where gateway_refund_id = $1")
        .bind(gateway_refund_id)
        .try_map(read::<RefundRow>)
        .fetch_optional(db)
        .await
}

/// Returns a refund of a whole payment that the gateway has not confirmed yet, locked.
pub async fn promised_whole(tx: &mut PgConnection, payment_id: Uuid) -> Result<Option<RefundRow>> {
    sqlx::query(
        "select r.* from refunds r join payments p on p.id = r.payment_id
        where r.payment_id = $1 and r.status = 'requested' and r.gateway_refund_id is null
            and r.amount_paise = p.amount_paise
        for update of r",
    )
    .bind(payment_id)
    .try_map(read::<RefundRow>)
    .fetch_optional(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, new: &RefundRow) -> Result<()> {
    sqlx::query(
        "insert into refunds (id, payment_id, amount_paise, status, source, surplus_paise, reason, requested_by,
            gateway_refund_id, next_try_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
    )
    .bind(new.id)
    .bind(new.payment_id)
    .bind(new.amount_paise)
    .bind(new.status)
    .bind(new.source)
    .bind(new.surplus_paise)
    .bind(&new.reason)
    .bind(new.requested_by)
    .bind(&new.gateway_refund_id)
    .bind(new.next_try_at)
    .bind(new.created_at)
    .execute(tx)
    .await
    .map(drop)
}

list_filter! {
    /// The filter of the admins' list of refunds.
    RefundFilter {
        status: Option<ShownRefundStatus> = "failed",
        /// How the payment was made.
        channel: Option<Channel> = "cash",
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`RefundFilter`]: $1 are the statuses of rows, $2 is the channel, $3 and $4 are the period.
macro_rules! listed {
    () => {
        "(cardinality($1::text[]) = 0 or r.status = any($1)) and ($2::text is null or p.channel = $2)
            and ($3::timestamptz is null or r.created_at >= $3) and ($4::timestamptz is null or r.created_at < $4)"
    };
}

/// Returns the statuses of rows that are shown as this status; none for every status.
fn statuses(shown: Option<ShownRefundStatus>) -> &'static [RefundStatus] {
    match shown {
        None => &[],
        Some(ShownRefundStatus::Pending) => &[RefundStatus::Requested, RefundStatus::Pending],
        Some(ShownRefundStatus::Processed) => &[RefundStatus::Processed],
        Some(ShownRefundStatus::Failed) => &[RefundStatus::Failed],
    }
}

/// A refund with the data of its payment that admins see.
#[derive(Debug, Clone, FromRow)]
pub struct AdminRefundRow {
    #[sqlx(flatten)]
    pub refund: RefundRow,
    pub channel: Channel,
    pub job_id: Option<Uuid>,
    pub customer_id: Uuid,
}

impl StoredRow for AdminRefundRow {
    const TABLE: &'static str = "refunds";
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &RefundFilter,
    slice: ListWindow,
) -> Result<Vec<AdminRefundRow>> {
    sqlx::query(concat!(
        "select r.*, p.channel, p.job_id, p.customer_id from refunds r join payments p on p.id = r.payment_id where ",
        listed!(),
        " and ($5::timestamptz is null or (r.created_at, r.id) < ($5, $6))
        order by r.created_at desc, r.id desc
        limit $7 offset $8",
    ))
    .bind(statuses(filter.status))
    .bind(filter.channel)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(slice.after_at())
    .bind(slice.after_id())
    .bind(slice.limit)
    .bind(slice.offset)
    .persistent(false)
    .try_map(read::<AdminRefundRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &RefundFilter) -> Result<i64> {
    sqlx::query_scalar(concat!(
        "select count(*) from refunds r join payments p on p.id = r.payment_id where ",
        listed!()
    ))
    .bind(statuses(filter.status))
    .bind(filter.channel)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .persistent(false)
    .fetch_one(db)
    .await
}

pub async fn set_status(
    tx: &mut PgConnection,
    id: Uuid,
    status: RefundStatus,
    gateway_refund_id: Option<&str>,
    failure: Option<&str>,
    next_try_at: Option<DateTime<Utc>>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update refunds set status = $2::text, gateway_refund_id = coalesce(gateway_refund_id, $3), failure = $4,
            next_try_at = $5, updated_at = $6::timestamptz,
            settled_at = case when $2::text in ('processed', 'failed') then $6::timestamptz end
        where id = $1",
    )
    .bind(id)
    .bind(status)
    .bind(gateway_refund_id)
    .bind(failure)
    .bind(next_try_at)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Adds to the amount of a payment that is promised back; a negative amount lowers it. The schema refuses more than was
/// captured.
pub async fn add_to_payment(
    tx: &mut PgConnection,
    payment_id: Uuid,
    more_paise: i64,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query("update payments set refunded_paise = refunded_paise + $2, updated_at = greatest(updated_at, $3) where id = $1")
        .bind(payment_id)
        .bind(more_paise)
        .bind(at)
        .execute(tx)
        .await
        .map(drop)
}

/// Returns the amount of a payment that is back with the customer.
pub async fn processed_sum(tx: &mut PgConnection, payment_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select coalesce(sum(amount_paise), 0)::bigint from refunds where payment_id = $1 and status = 'processed'",
    )
    .bind(payment_id)
    .fetch_one(tx)
    .await
}

pub async fn set_payment_status(
    tx: &mut PgConnection,
    payment_id: Uuid,
    status: PaymentStatus,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query("update payments set status = $2, updated_at = greatest(updated_at, $3) where id = $1")
        .bind(payment_id)
        .bind(status)
        .bind(at)
        .execute(tx)
        .await
        .map(drop)
}

/// Returns the refunds of a payment that may still fail, in the order in which they were made, locked.
pub async fn under_way(tx: &mut PgConnection, payment_id: Uuid) -> Result<Vec<RefundRow>> {
    sqlx::query(
        "select * from refunds where payment_id = $1 and status in ('requested', 'pending')
        order by created_at, id for update",
    )
    .bind(payment_id)
    .try_map(read::<RefundRow>)
    .fetch_all(tx)
    .await
}

/// Sets the part of a refund that is surplus.
pub async fn set_surplus(tx: &mut PgConnection, id: Uuid, surplus_paise: i64) -> Result<()> {
    sqlx::query("update refunds set surplus_paise = $2 where id = $1")
        .bind(id)
        .bind(surplus_paise)
        .execute(tx)
        .await
        .map(drop)
}

/// Returns the refunds by which lost chargebacks took from a payment, the newest first.
pub async fn taken_by_chargebacks(tx: &mut PgConnection, payment_id: Uuid) -> Result<Vec<RefundRow>> {
    sqlx::query(
        "select * from refunds where payment_id = $1 and source = 'chargeback' and status = 'processed'
        order by created_at desc, id desc",
    )
    .bind(payment_id)
    .try_map(read::<RefundRow>)
    .fetch_all(tx)
    .await
}

/// A refund that is to be made, or asked after.
#[derive(Debug, Clone, FromRow)]
pub struct Task {
    pub id: Uuid,
    pub amount_paise: i64,
    pub status: RefundStatus,
    /// The refund's id at the gateway, known once the gateway has it.
    pub gateway_refund_id: Option<String>,
    pub gateway_payment_id: String,
    pub attempts: i32,
}

impl StoredRow for Task {
    const TABLE: &'static str = "refunds";
}

/// Takes the refunds that are due, the longest waiting first; no other server takes them before `again_at`.
pub async fn claim_due(
    db: impl PgExecutor<'_>,
    at: DateTime<Utc>,
    again_at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<Task>> {
    sqlx::query(
        "with due as (
            select r.id, p.gateway_payment_id from refunds r join payments p on p.id = r.payment_id
            where r.status in ('requested', 'pending') and r.next_try_at <= $1 and p.gateway_payment_id is not null
            order by r.next_try_at
            limit $3
            for update of r skip locked)
        update refunds r set next_try_at = $2, attempts = attempts + 1 from due where r.id = due.id
        returning r.id, r.amount_paise, r.status, r.gateway_refund_id, due.gateway_payment_id, r.attempts",
    )
    .bind(at)
    .bind(again_at)
    .bind(limit)
    .try_map(read::<Task>).fetch_all(db)
    .await
}

pub async fn postpone(
    db: impl PgExecutor<'_>,
    id: Uuid,
    next_try_at: DateTime<Utc>,
    failure: Option<&str>,
) -> Result<()> {
    sqlx::query("update refunds set next_try_at = $2, failure = coalesce($3, failure) where id = $1 and status in ('requested', 'pending')")
        .bind(id)
        .bind(next_try_at)
        .bind(failure)
        .execute(db)
        .await
        .map(drop)
}

/// Returns the part of the surplus that no refund returns yet.
pub async fn surplus_left(tx: &mut PgConnection, payment_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select case when p.captured_at is null or p.channel = 'cash' then 0 else p.amount_paise - p.applied_paise - (
            select coalesce(sum(surplus_paise), 0)::bigint from refunds
            where payment_id = p.id and status <> 'failed') end
        from payments p where p.id = $1",
    )
    .bind(payment_id)
    .fetch_one(tx)
    .await
}
