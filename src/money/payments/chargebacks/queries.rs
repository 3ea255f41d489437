use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, list_filter},
    platform::db::{StoredRow, read},
    providers::gateway::ChargebackStatus,
};

/// A chargeback with the data of its payment that admins see.
#[derive(Debug, Clone, FromRow)]
pub struct ChargebackRow {
    pub id: Uuid,
    pub gateway_dispute_id: String,
    pub payment_id: Uuid,
    pub job_id: Option<Uuid>,
    pub customer_id: Uuid,
    pub amount_paise: i64,
    pub status: ChargebackStatus,
    pub reason: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for ChargebackRow {
    const TABLE: &'static str = "chargebacks";
}

list_filter! {
    /// The filter of the admins' list of chargebacks.
    ChargebackFilter {
        status: Option<ChargebackStatus> = "open",
        /// Opened in this time.
        made: Between,
    }
}

/// The condition of [`ChargebackFilter`]: $1 is the status, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or c.status = $1)
            and ($2::timestamptz is null or c.created_at >= $2) and ($3::timestamptz is null or c.created_at < $3)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &ChargebackFilter,
    window: ListWindow,
) -> Result<Vec<ChargebackRow>> {
    sqlx::query(concat!(
        "select c.id, c.gateway_dispute_id, c.payment_id, p.job_id, p.customer_id, c.amount_paise, c.status, c.reason,
            c.created_at, c.updated_at
        from chargebacks c join payments p on p.id = c.payment_id
        where ",
        listed!(),
        " and ($4::timestamptz is null or (c.created_at, c.id) < ($4, $5))
        order by c.created_at desc, c.id desc
        limit $6 offset $7",
    ))
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<ChargebackRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &ChargebackFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from chargebacks c where ", listed!()))
        .bind(filter.status)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

pub async fn is_known(tx: &mut PgConnection, id: &str) -> Result<bool> {
    sqlx::query_scalar("select exists (select 1 from chargebacks where gateway_dispute_id = $1)")
        .bind(id)
        .fetch_one(tx)
        .await
}

/// Saves a chargeback's progress: a lost chargeback stays lost, and one that is over does not open again.
pub async fn save(
    tx: &mut PgConnection,
    id: &str,
    payment_id: Uuid,
    amount_paise: i64,
    status: ChargebackStatus,
    reason: Option<&str>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into chargebacks (gateway_dispute_id, payment_id, amount_paise, status, reason, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
        on conflict (gateway_dispute_id) do update set status = excluded.status, updated_at = excluded.updated_at
        where chargebacks.status = 'open' or (chargebacks.status <> 'lost' and excluded.status = 'lost')",
    )
    .bind(id)
    .bind(payment_id)
    .bind(amount_paise)
    .bind(status)
    .bind(reason)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// A lost chargeback, and the amount of it that was taken from those who shared the payment.
#[derive(Debug, Clone, FromRow)]
pub struct LostRow {
    pub gateway_dispute_id: String,
    pub amount_paise: i64,
    pub taken_paise: i64,
    /// The number of rows of `refunds` for it.
    pub times: i64,
}

/// Returns the lost chargebacks of a payment, the oldest first.
pub async fn lost(tx: &mut PgConnection, payment_id: Uuid) -> Result<Vec<LostRow>> {
    sqlx::query_as(
        "select c.gateway_dispute_id, c.amount_paise,
            coalesce(sum(r.amount_paise) filter (where r.status = 'processed'), 0)::bigint as taken_paise,
            count(r.id) as times
        from chargebacks c left join refunds r on r.payment_id = c.payment_id and r.source = 'chargeback'
            and (r.gateway_refund_id = c.gateway_dispute_id
                or starts_with(r.gateway_refund_id, c.gateway_dispute_id || ':'))
        where c.payment_id = $1 and c.status = 'lost'
        group by c.gateway_dispute_id
        order by c.created_at, c.gateway_dispute_id",
    )
    .bind(payment_id)
    .fetch_all(tx)
    .await
}
