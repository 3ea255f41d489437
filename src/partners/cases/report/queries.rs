//! SQL of the report.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// The figures of an organisation's jobs, made in a period.
#[derive(Debug, Clone, Default, PartialEq, FromRow)]
pub struct ReportRow {
    pub cases: i64,
    pub jobs: i64,
    pub accepted: i64,
    pub completed: i64,
    pub cancelled: i64,
    pub no_mechanic_found: i64,
    pub promises_kept: i64,
    pub promises_missed: i64,
    pub promises_extended: i64,
    pub to_acceptance_s: Option<f64>,
    pub to_arrival_s: Option<f64>,
    pub to_start_s: Option<f64>,
    pub work_s: Option<f64>,
    pub ratings: i64,
    pub rating: Option<f64>,
}

/// Counts the jobs of an organisation's cases that were made in this time. `made_by` limits them to the cases that one agency made.
pub async fn report(
    db: impl PgExecutor<'_>,
    (organisation_id, made_by): (Uuid, Option<Uuid>),
    (from, to): (DateTime<Utc>, DateTime<Utc>),
) -> Result<ReportRow> {
    sqlx::query_as(
        "with own as (
            select c.id from partner_cases c
            where c.organisation_id = $1 and ($2::uuid is null or c.made_by = $2) and c.created_at >= $3 and c.created_at < $4
        ), job as (
            select s.id, s.created_at, s.status, s.accepted_at, s.arrived_at, s.started_at, s.completed_at, s.is_active,
                s.cancel_reason_code, p.promised_at, p.extended_at, p.missed_at
            from own join partner_jobs p on p.case_id = own.id join job_states s on s.id = p.job_id
        ), rated as (
            select r.score from job join ratings r on r.job_id = job.id
            where r.rater = 'customer' and r.hidden_at is null
        )
        select (select count(*) from own) as cases, count(*) as jobs, count(accepted_at) as accepted,
            count(*) filter (where completed_at is not null) as completed,
            count(*) filter (where status = 'cancelled' and cancel_reason_code is distinct from 'no_mechanic_found') as cancelled,
            count(*) filter (where status = 'no_mechanic_found' or cancel_reason_code = 'no_mechanic_found')
                as no_mechanic_found,
            count(*) filter (where arrived_at <= promised_at) as promises_kept,
            count(*) filter (where arrived_at > promised_at or (arrived_at is null and missed_at is not null))
                as promises_missed,
            count(extended_at) as promises_extended,
            avg(extract(epoch from accepted_at - created_at))::double precision as to_acceptance_s,
            avg(extract(epoch from arrived_at - accepted_at))::double precision as to_arrival_s,
            avg(extract(epoch from started_at - arrived_at))::double precision as to_start_s,
            avg(extract(epoch from completed_at - started_at))::double precision as work_s,
            (select count(*) from rated) as ratings, (select avg(score) from rated)::double precision as rating
        from job",
    )
    .bind(organisation_id)
    .bind(made_by)
    .bind(from)
    .bind(to)
    .persistent(false)
    .fetch_one(db)
    .await
}
