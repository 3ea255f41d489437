//! SQL of the end of cases.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{partners::cases::queries::CaseRow, platform::db::read};

/// Returns the jobs of a case whose logs its events do not include to their end yet.
pub async fn unfed_jobs(db: impl PgExecutor<'_>, id: Uuid) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select job_id from partner_jobs where case_id = $1 and not is_fed order by created_at",
    )
    .bind(id)
    .fetch_all(db)
    .await
}

/// Returns whether something may still happen to a job of the case.
pub async fn has_unfinished_job(tx: &mut PgConnection, id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from partner_jobs p join job_states s on s.id = p.job_id where p.case_id = $1 and s.is_unfinished)",
    )
    .bind(id)
    .fetch_one(tx)
    .await
}

/// Closes an open case. Returns it, unless it is not open.
pub async fn close(tx: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<Option<CaseRow>> {
    sqlx::query(
        "update partner_cases set status = 'closed', closed_at = $2, updated_at = $2
        where id = $1 and status = 'open' returning *",
    )
    .bind(id)
    .bind(now)
    .try_map(read::<CaseRow>)
    .fetch_optional(tx)
    .await
}

/// The condition of cases whose people are remembered, and in which nothing has happened since $1: no job is open, disputed, or
/// waits for its outcome.
macro_rules! is_old {
    () => {
        "c.forgotten_at is null and c.updated_at < $1 and c.status <> 'offered'
            and not exists (
                select from partner_jobs p join job_states s on s.id = p.job_id
                where p.case_id = c.id
                    and (p.settled_at is null or s.is_unfinished or s.status = 'disputed' or s.updated_at >= $1))"
    };
}

/// Returns cases whose people can be forgotten, the oldest first.
pub async fn old(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(concat!(
        "select c.id from partner_cases c where ",
        is_old!(),
        " order by c.updated_at, c.id limit $2"
    ))
    .bind(before)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Removes from a case who was helped, and everything that describes the place and the vehicle. Of a club's offer the kind of help
/// stays, and roughly where it was. Returns false if something has happened in the case since `before`.
pub async fn forget(
    tx: &mut PgConnection,
    id: Uuid,
    before: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let forgotten = sqlx::query(concat!(
        "update partner_cases c set beneficiary_name = null, beneficiary_phone = null, vehicle = '{}', place = null, answers = '{}',
            notes_for_mechanic = null, internal_notes = null, forgotten_at = $3,
            offer = c.offer || case when c.offer is not null then jsonb_build_object('job', jsonb_build_object(
                'service_category_slug', c.offer #> '{job,service_category_slug}',
                'pickup_lat', round((c.offer #>> '{job,pickup_lat}')::numeric, 2),
                'pickup_lng', round((c.offer #>> '{job,pickup_lng}')::numeric, 2))) end
        where c.id = $2 and ",
        is_old!(),
    ));
    Ok(forgotten.bind(before).bind(id).bind(now).execute(tx).await?.rows_affected() > 0)
}

/// Returns the vehicle of a forgotten case, unless another case needs it, or the organisation has it in its fleet: then it is older
/// than every case.
pub async fn forgotten_vehicles(tx: &mut PgConnection, id: Uuid) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select v.id from partner_cases c join vehicles v on v.id = c.vehicle_id
        where c.id = $1
            and not exists (select from partner_cases other where other.vehicle_id = v.id and other.forgotten_at is null)
            and exists (select from partner_cases first where first.vehicle_id = v.id and first.created_at <= v.created_at)",
    )
    .bind(id)
    .fetch_all(tx)
    .await
}
