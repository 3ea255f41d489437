use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

use crate::providers::gateway::Attempt;

/// Inserts a captured payment under `id` for the subject of `payment_id`; no part of it is applied.
pub async fn insert(
    tx: &mut PgConnection,
    payment_id: Uuid,
    id: Uuid,
    attempt: &Attempt,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, gateway,
            gateway_payment_id, method, is_open, captured_at, created_at, updated_at, duplicate_of)
        select $2, customer_id, purpose, job_id, channel, 'captured', $3, currency, gateway, $4, $5, false, $6, $6, $6, id
        from payments where id = $1",
    )
    .bind(payment_id)
    .bind(id)
    .bind(attempt.amount_paise)
    .bind(&attempt.id)
    .bind(&attempt.method)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Copies the fees of a payment to its duplicate.
pub async fn copy_fees(tx: &mut PgConnection, payment_id: Uuid, duplicate_id: Uuid) -> Result<()> {
    sqlx::query(
        "insert into payment_fees (payment_id, job_id, amount_paise)
        select $2, job_id, amount_paise from payment_fees where payment_id = $1",
    )
    .bind(payment_id)
    .bind(duplicate_id)
    .execute(tx)
    .await
    .map(drop)
}
