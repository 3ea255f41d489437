//! Pauses payouts after a restore: withdrawals that were requested after the backup are unknown here, so their money
//! still seems to be there, and could be withdrawn and paid again.

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;
use crate::platform::audit::{self, NewAuditEntry};

/// Pauses payouts. Mechanics can still request withdrawals.
pub async fn pause_payouts(tx: &mut PgConnection, random: &Random, now: DateTime<Utc>) -> sqlx::Result<()> {
    let id = random.id(now);
    queries::begin_pause(&mut *tx, id, now).await?;
    record(tx, random, ("payouts.pause", id), now).await
}

/// Ends the pause of payouts. Returns false if they were not paused. Servers notice it within seconds.
pub async fn release_payouts(
    tx: &mut PgConnection,
    random: &Random,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let ended = queries::end_pauses(&mut *tx, now).await?;
    for id in &ended {
        record(tx, random, ("payouts.release", *id), now).await?;
    }
    Ok(!ended.is_empty())
}

async fn record(
    tx: &mut PgConnection,
    random: &Random,
    (action, subject_id): (&str, Uuid),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let (before, after) = (Value::Null, Value::Null);
    let entry =
        NewAuditEntry { actor_id: None, action, subject_kind: "payout_pause", subject_id, before, after };
    audit::record(tx, random, now, entry).await
}
