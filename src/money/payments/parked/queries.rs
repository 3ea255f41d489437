use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, list_filter},
    money::payments::state::{ParkReason, ParkedState, ParkedStatus},
    platform::db::{StoredRow, read},
    providers::gateway::Attempt,
};

pub async fn park(
    tx: &mut PgConnection,
    attempt: &Attempt,
    payment_id: Option<Uuid>,
    reason: ParkReason,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into parked_payments (gateway_payment_id, reason, gateway_order_id, payment_id, amount_paise, currency,
            seen_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (gateway_payment_id) do nothing",
    )
    .bind(&attempt.id)
    .bind(reason)
    .bind(&attempt.order_id)
    .bind(payment_id)
    .bind(attempt.amount_paise)
    .bind(&attempt.currency)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// A row of `parked_payments`: money at the gateway that fits no payment.
#[derive(Debug, Clone, FromRow)]
pub struct ParkedRow {
    pub id: Uuid,
    pub gateway_payment_id: String,
    pub reason: ParkReason,
    pub gateway_order_id: Option<String>,
    pub payment_id: Option<Uuid>,
    pub amount_paise: i64,
    pub currency: String,
    pub seen_at: DateTime<Utc>,
    #[sqlx(flatten)]
    pub state: ParkedState,
}

impl StoredRow for ParkedRow {
    const TABLE: &'static str = "parked_payments";
    const KEY: &'static str = "gateway_payment_id";
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ParkedRow>> {
    sqlx::query("select * from parked_payments where id = $1")
        .bind(id)
        .try_map(read::<ParkedRow>)
        .fetch_optional(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<ParkedRow>> {
    sqlx::query("select * from parked_payments where id = $1 for update")
        .bind(id)
        .try_map(read::<ParkedRow>)
        .fetch_optional(tx)
        .await
}

pub async fn lock_of_attempt(tx: &mut PgConnection, gateway_payment_id: &str) -> Result<Option<ParkedRow>> {
    sqlx::query("select * from parked_payments where gateway_payment_id = $1 for update")
        .bind(gateway_payment_id)
        .try_map(read::<ParkedRow>)
        .fetch_optional(tx)
        .await
}

/// Writes everything that changes after a payment was parked.
pub async fn update(tx: &mut PgConnection, row: &ParkedRow) -> Result<()> {
    sqlx::query(
        "update parked_payments set status = $2, refund_id = $3, failure = $4, settled_at = $5 where id = $1",
    )
    .bind(row.id)
    .bind(row.state.status)
    .bind(row.state.refund_id)
    .bind(&row.state.failure)
    .bind(row.state.settled_at)
    .execute(tx)
    .await
    .map(drop)
}

list_filter! {
    /// The filter of the admins' list of parked payments.
    ParkedFilter {
        status: Option<ParkedStatus> = "open",
        /// Seen in this time.
        seen: Between,
    }
}

/// The condition of [`ParkedFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or status = $1)
            and ($2::timestamptz is null or seen_at >= $2) and ($3::timestamptz is null or seen_at < $3)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &ParkedFilter,
    window: ListWindow,
) -> Result<Vec<ParkedRow>> {
    sqlx::query(concat!(
        "select * from parked_payments where ",
        listed!(),
        " and ($4::timestamptz is null or (seen_at, id) < ($4, $5))
        order by seen_at desc, id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.seen.0)
    .bind(filter.seen.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<ParkedRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &ParkedFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from parked_payments where ", listed!()))
        .bind(filter.status)
        .bind(filter.seen.0)
        .bind(filter.seen.1)
        .persistent(false)
        .fetch_one(db)
        .await
}
