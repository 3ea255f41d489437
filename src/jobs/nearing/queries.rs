use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result};
use uuid::Uuid;

/// Locks a job that this mechanic is on the way to until the transaction ends. Returns its customer, and since when the mechanic
/// has had it.
pub async fn lock_on_the_way(
    tx: &mut PgConnection,
    job_id: Uuid,
    mechanic_id: Uuid,
) -> Result<Option<(Uuid, DateTime<Utc>)>> {
    sqlx::query_as(
        "select customer_id, coalesce(accepted_at, created_at) from job_states
        where id = $1 and mechanic_profile_id = $2 and status = 'en_route' for no key update",
    )
    .bind(job_id)
    .bind(mechanic_id)
    .fetch_optional(tx)
    .await
}
