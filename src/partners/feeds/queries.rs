//! SQL that subscriptions and deliveries share.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// Gives up everything that waits for a subscription.
pub async fn give_up(
    tx: &mut PgConnection,
    subscription_id: Uuid,
    why: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update partner_deliveries set status = 'dead', next_try_at = null, failure = $2, settled_at = $3
        where subscription_id = $1 and status = 'pending'",
    )
    .bind(subscription_id)
    .bind(why)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}
