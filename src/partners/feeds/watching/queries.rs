//! SQL of the watch on mechanics for partners.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

/// A subscription, and a job whose mechanic it follows.
pub type PositionFeed = (Uuid, Uuid);

/// A job that a mechanic has, and a subscription that wants to know where they are.
#[derive(Debug, Clone, FromRow)]
pub struct WatchedRow {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub subscription_id: Uuid,
    pub organisation_id: Uuid,
    pub eta_below_min: Option<i32>,
    pub within_m: Option<i32>,
    pub positions_every_s: Option<i32>,
    pub is_en_route: bool,
    pub accepted_at: DateTime<Utc>,
}

impl WatchedRow {
    pub fn feed(&self) -> PositionFeed {
        (self.subscription_id, self.job_id)
    }
}

/// Returns the jobs that mechanics have, each with every subscription that may hear where they are and wants to.
pub async fn watched(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<Vec<WatchedRow>> {
    sqlx::query_as(
        "select p.job_id, p.case_id, s.id as subscription_id, s.organisation_id, s.eta_below_min, s.within_m, s.positions_every_s,
            job.status = 'en_route' as is_en_route, coalesce(job.accepted_at, job.created_at) as accepted_at
        from partner_jobs p
            join job_states job on job.id = p.job_id and job.is_active
            join partner_cases c on c.id = p.case_id
            join partner_subscriptions s on s.organisation_id = c.organisation_id and s.status = 'active'
                and (s.made_by = c.organisation_id or s.made_by = c.made_by)
                and (s.eta_below_min is not null or s.within_m is not null or s.positions_every_s is not null)
        where not p.is_fed and partner_may_hear(s.organisation_id, s.made_by, $2)
        order by p.created_at, p.job_id, s.id limit $1",
    )
    .bind(limit)
    .bind(now)
    .fetch_all(db)
    .await
}

/// Locks a case, and returns whether this subscription has been told that the job's present mechanic is near.
pub async fn was_told(tx: &mut PgConnection, watched: &WatchedRow) -> Result<bool> {
    sqlx::query("select from partner_cases where id = $1 for no key update")
        .bind(watched.case_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query_scalar(
        "select exists (
            select from partner_events e join partner_deliveries d on d.event_id = e.id
            where e.case_id = $1 and e.job_id = $2 and e.kind = 'job.near' and e.created_at >= $4
                and d.subscription_id = $3)",
    )
    .bind(watched.case_id)
    .bind(watched.job_id)
    .bind(watched.subscription_id)
    .bind(watched.accepted_at)
    .fetch_one(tx)
    .await
}
