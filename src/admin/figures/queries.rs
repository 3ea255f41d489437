//! SQL of the figures. It reads tables of other areas; each statement sees one moment.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{FromRow, Result};
use uuid::Uuid;

use super::dto::Waiting;
use crate::{jobs::JobStatus, platform::db::Db};

/// Open jobs of one status.
#[derive(Debug, Clone, FromRow)]
pub struct OpenRow {
    pub status: JobStatus,
    pub count: i64,
    pub oldest_age_s: i64,
}

pub async fn open_jobs(db: &Db, now: DateTime<Utc>) -> Result<Vec<OpenRow>> {
    sqlx::query_as(
        "select status, count(*) as count,
            greatest(extract(epoch from $1 - min(created_at)), 0)::bigint as oldest_age_s
        from job_states
        where is_unfinished
        group by status",
    )
    .bind(now)
    .fetch_all(db)
    .await
}

/// Mechanics by what they are doing, and what waits for a provider or for an admin.
#[derive(Debug, Clone, FromRow, derive_more::Deref)]
pub struct WaitingRow {
    pub available: i64,
    pub offered: i64,
    pub on_a_job: i64,
    pub oldest_withdrawal_age_s: Option<i64>,
    pub overdue_grievances: i64,
    #[deref]
    #[sqlx(flatten)]
    pub waiting: Waiting,
}

pub async fn waiting(db: &Db, now: DateTime<Utc>) -> Result<WaitingRow> {
    sqlx::query_as(
        "select
            (select count(*) from mechanic_profiles where is_available and status = 'verified') as available,
            (select count(*) from offers where status = 'pending' and expires_at > $1) as offered,
            (select count(*) from job_states
                where is_active
                    and mechanic_profile_id is not null) as on_a_job,
            (select count(*) from webhook_events where status = 'pending') as webhooks,
            -- Null where none waits; greatest() would make a nought of it.
            (select case when count(*) > 0 then greatest(extract(epoch from $1 - min(received_at)), 0)::bigint end
                from webhook_events where status = 'pending') as oldest_webhook_age_s,
            (select count(*) from webhook_events where status = 'dead') as dead_webhooks,
            (select count(*) from withdrawals where settled_at is null) as withdrawals,
            (select case when count(*) > 0 then greatest(extract(epoch from $1 - min(requested_at)), 0)::bigint end
                from withdrawals where settled_at is null) as oldest_withdrawal_age_s,
            (select count(*) from refunds r join payments p on p.id = r.payment_id
                where r.status in ('requested', 'pending') and p.channel = 'online') as refunds,
            (select count(*) from refunds r join payments p on p.id = r.payment_id
                where r.status in ('requested', 'pending') and p.channel = 'cash') as cash_refunds,
            (select count(*) from refunds r where r.status = 'failed' and r.source <> 'chargeback' and not exists (
                select 1 from refunds later where later.payment_id = r.payment_id
                    and later.created_at > r.created_at and later.status <> 'failed')) as failed_refunds,
            (select count(*) from disputes where status = 'open') as disputes,
            (select count(*) from no_shows where status = 'open') as no_shows,
            (select count(*) from tow_reviews where status = 'open') as tow_reviews,
            (select count(*) from callback_requests c join job_states j on j.id = c.job_id
                where c.done_at is null and j.accepted_at is null) as callbacks,
            (select count(*) from upi_accounts
                where verification_status = 'name_mismatch' and deleted_at is null) as upi_mismatches,
            (select count(*) from mechanic_profiles where status = 'pending_verification') as mechanics,
            (select count(*) from mechanic_changes) as mechanic_changes,
            (select count(*) from grievances where done_at is null) as grievances,
            (select count(*) from grievances where done_at is null and due_at < $1) as overdue_grievances,
            (select count(*) from parked_payments where status in ('open', 'refunding')) as parked_payments,
            (select count(*) from chargebacks where status = 'open') as chargebacks",
    )
    .bind(now)
    .fetch_one(db)
    .await
}

/// Returns the size of the database in bytes, with its indexes.
pub async fn database_size(db: &Db) -> Result<i64> {
    sqlx::query_scalar("select pg_database_size(current_database())").fetch_one(db).await
}

/// The figures of the whole period, of a day, or of a category.
#[derive(Debug, Clone, Default, FromRow)]
pub struct FigureRow {
    pub day: Option<NaiveDate>,
    pub category: Option<Uuid>,
    pub name: Option<String>,
    pub made: i64,
    pub completed: i64,
    pub cancelled: i64,
    pub unserved: i64,
    pub accepted: i64,
    pub declined: i64,
    pub expired: i64,
    pub revenue_paise: i64,
    pub refunded_paise: i64,
    pub commission_paise: i64,
    pub tax_paise: i64,
}

/// Computes the figures. Every event is a row of a kind, with its amounts; one pass adds them up in all, by day and by category.
/// Days begin at midnight in `zone`.
pub async fn figures(db: &Db, from: DateTime<Utc>, to: DateTime<Utc>, zone: &str) -> Result<Vec<FigureRow>> {
    sqlx::query_as(
        "with happened (at, category, kind, gross, returned, commission, tax) as (
            select created_at, service_category_id, 'made', 0::bigint, 0::bigint, 0::bigint, 0::bigint
            from job_facts where created_at >= $1 and created_at < $2
            union all
            select completed_at, service_category_id, 'completed', 0, 0, 0, 0
            from jobs
            where coalesce(completed_at, cancelled_at) >= $1 and coalesce(completed_at, cancelled_at) < $2
                and completed_at is not null
            union all
            select cancelled_at, service_category_id, 'cancelled', 0, 0, 0, 0
            from jobs
            where coalesce(completed_at, cancelled_at) >= $1 and coalesce(completed_at, cancelled_at) < $2
                and cancelled_at is not null
            union all
            -- The last search in vain, of a job that no mechanic took later.
            select e.at, j.service_category_id, 'unserved', 0, 0, 0, 0
            from job_events e join job_facts j on j.id = e.job_id
            where e.kind = 'no_mechanic_found' and e.at >= $1 and e.at < $2
                and not exists (
                    select from job_events later
                    where later.job_id = e.job_id and later.version > e.version
                        and later.kind in ('accepted', 'no_mechanic_found'))
            union all
            select o.settled_at, j.service_category_id, o.status, 0, 0, 0, 0
            from offers o join job_facts j on j.id = o.job_id
            where o.status in ('accepted', 'declined', 'expired') and o.settled_at >= $1 and o.settled_at < $2
            union all
            select e.created_at, j.service_category_id, 'earned', e.gross_paise, e.returned_paise,
                e.commission_paise, e.tax_paise
            from earnings e join job_facts j on j.id = e.job_id
            where e.created_at >= $1 and e.created_at < $2
        ), dated as (
            select (at at time zone $3::text)::date as day, happened.* from happened
        ), summed as (
            select day, category,
                count(*) filter (where kind = 'made') as made,
                count(*) filter (where kind = 'completed') as completed,
                count(*) filter (where kind = 'cancelled') as cancelled,
                count(*) filter (where kind = 'unserved') as unserved,
                count(*) filter (where kind = 'accepted') as accepted,
                count(*) filter (where kind = 'declined') as declined,
                count(*) filter (where kind = 'expired') as expired,
                coalesce(sum(gross), 0)::bigint as revenue_paise,
                coalesce(sum(returned), 0)::bigint as refunded_paise,
                coalesce(sum(commission), 0)::bigint as commission_paise,
                coalesce(sum(tax), 0)::bigint as tax_paise
            from dated
            group by grouping sets ((), (day), (category))
        )
        select summed.*, c.name
        from summed left join service_categories c on c.id = summed.category
        order by c.name nulls first, summed.category, summed.day nulls first",
    )
    .bind(from)
    .bind(to)
    .bind(zone)
    .fetch_all(db)
    .await
}

/// How fast help came: in all, or in a category.
#[derive(Debug, Clone, Default, FromRow)]
pub struct SlaRow {
    pub category: Option<Uuid>,
    pub name: Option<String>,
    pub jobs: i64,
    pub assigned: i64,
    pub arrived: i64,
    pub assigned_in_time: i64,
    pub arrived_in_time: i64,
    /// The 50th, 90th, 95th and 99th percentile; null if there is no value.
    pub assign_s: Option<Vec<f64>>,
    pub arrive_s: Option<Vec<f64>>,
}

/// Computes how fast help came for jobs whose search began in the period. The first acceptance is only in the log: a job that was
/// given back has a later acceptance in its row.
pub async fn sla(
    db: &Db,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    assign_within_s: f64,
    arrive_within_s: f64,
) -> Result<Vec<SlaRow>> {
    sqlx::query_as(
        "with begun as (
            select j.service_category_id as category,
                extract(epoch from first.at - j.begin_at)::double precision as assign_s,
                extract(epoch from j.arrived_at - j.begin_at)::double precision as arrive_s
            from jobs j
            left join lateral (
                select min(e.at) as at from job_events e where e.job_id = j.id and e.kind = 'accepted'
            ) first on true
            where j.begin_at >= $1 and j.begin_at < $2 and j.attempt > 0
        ), summed as (
            select category, count(*) as jobs, count(assign_s) as assigned, count(arrive_s) as arrived,
                count(*) filter (where assign_s <= $3) as assigned_in_time,
                count(*) filter (where arrive_s <= $4) as arrived_in_time,
                percentile_cont(array[0.5, 0.9, 0.95, 0.99]) within group (order by assign_s) as assign_s,
                percentile_cont(array[0.5, 0.9, 0.95, 0.99]) within group (order by arrive_s) as arrive_s
            from begun
            group by grouping sets ((), (category))
        )
        select summed.*, c.name
        from summed left join service_categories c on c.id = summed.category
        order by c.name nulls first, summed.category",
    )
    .bind(from)
    .bind(to)
    .bind(assign_within_s)
    .bind(arrive_within_s)
    .fetch_all(db)
    .await
}
