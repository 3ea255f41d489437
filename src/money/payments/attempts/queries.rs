use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, Result};
use uuid::Uuid;

use crate::{
    platform::db::{StoredRow, read},
    providers::gateway::{Attempt, AttemptStatus},
};

/// A known attempt of a payment.
#[derive(Debug, Clone, FromRow)]
pub struct AttemptRow {
    pub gateway_payment_id: String,
    pub status: AttemptStatus,
}

impl StoredRow for AttemptRow {
    const TABLE: &'static str = "payment_attempts";
    const KEY: &'static str = "gateway_payment_id";
}

pub async fn of_payment(tx: &mut PgConnection, payment_id: Uuid) -> Result<Vec<AttemptRow>> {
    sqlx::query("select gateway_payment_id, status from payment_attempts where payment_id = $1")
        .bind(payment_id)
        .try_map(read::<AttemptRow>)
        .fetch_all(tx)
        .await
}

/// The head of a statement that saves attempts, whose rows follow.
macro_rules! insert_attempt {
    () => {
        "insert into payment_attempts (gateway_payment_id, payment_id, status, method, error, first_seen_at, updated_at)"
    };
}

/// The end of a statement that saves attempts: a report about a known attempt replaces the former one. The caller has compared their
/// statuses, under the lock of the payment or with its `updated_at`.
macro_rules! or_replace {
    () => {
        "on conflict (gateway_payment_id) do update set status = excluded.status, updated_at = excluded.updated_at,
            method = coalesce(excluded.method, payment_attempts.method),
            error = coalesce(excluded.error, payment_attempts.error)"
    };
}

pub(in crate::money::payments) use {insert_attempt, or_replace};

pub async fn save(
    tx: &mut PgConnection,
    payment_id: Uuid,
    attempt: &Attempt,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(concat!(insert_attempt!(), " values ($1, $2, $3, $4, $5, $6, $6) ", or_replace!()))
        .bind(&attempt.id)
        .bind(payment_id)
        .bind(attempt.status)
        .bind(&attempt.method)
        .bind(&attempt.error)
        .bind(at)
        .execute(tx)
        .await
        .map(drop)
}
