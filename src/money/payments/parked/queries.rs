use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    money::payments::state::ParkReason,
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

/// Money at the gateway that fits nothing of ours.
#[derive(Debug, Clone, FromRow)]
pub struct ParkedRow {
    pub gateway_payment_id: String,
    pub reason: ParkReason,
    pub gateway_order_id: Option<String>,
    pub payment_id: Option<Uuid>,
    pub amount_paise: i64,
    pub currency: String,
    pub seen_at: DateTime<Utc>,
}

impl StoredRow for ParkedRow {
    const TABLE: &'static str = "parked_payments";
    const KEY: &'static str = "gateway_payment_id";
}

pub async fn list(db: impl PgExecutor<'_>, limit: i64, offset: i64) -> Result<Vec<ParkedRow>> {
    sqlx::query("select * from parked_payments order by seen_at desc, gateway_payment_id limit $1 offset $2")
        .bind(limit)
        .bind(offset)
        .try_map(read::<ParkedRow>)
        .fetch_all(db)
        .await
}

pub async fn count(db: impl PgExecutor<'_>) -> Result<i64> {
    sqlx::query_scalar("select count(*) from parked_payments").fetch_one(db).await
}
