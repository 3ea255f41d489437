//! SQL of calls in vain.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

use super::KnownBy;

/// The numbers of offers that cancellations took back, and the times of the last of these cancellations, for a person and for all
/// people of their device.
#[derive(Debug, Clone, Copy, Default, FromRow)]
pub struct WithdrawnOffers {
    pub of_person: i64,
    pub last_of_person: Option<DateTime<Utc>>,
    pub of_device: i64,
    pub last_of_device: Option<DateTime<Utc>>,
}

/// The jobs that are counted.
#[derive(Debug, Clone, Copy)]
pub struct CountedJobs {
    pub created_since: DateTime<Utc>,
    pub cancelled_since: DateTime<Utc>,
    /// The maximum number of jobs, newest first.
    pub most: i64,
}

/// Counts the offers that mechanics could still answer when their job was cancelled by its customer, before anybody had accepted
/// it.
pub async fn withdrawn(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    known_by: KnownBy,
    counted: CountedJobs,
) -> Result<WithdrawnOffers> {
    sqlx::query_as(
        "with person as (
            select $1::uuid as id union select user_id from former_accounts where person_key = $2
        ), device as (
            select other.user_id as id from sessions own join sessions other on other.device_id = own.device_id
            where own.id = $3 and other.last_used_at > $4
        ), cancelled as (
            select job.cancelled_at, job.customer_id in (select id from person) as is_own,
                (select count(*) from offers where offers.job_id = job.id and offers.status = 'revoked') as taken_back
            from jobs job
            where job.customer_id in (select id from person union select id from device)
                and job.created_at > $4 and job.cancelled_at > $5 and job.status = 'cancelled'
                and job.accepted_at is null and job.left_at is null
                and job.cancel_reason_code not in ('admin', 'no_mechanic_found')
            order by job.created_at desc limit $6
        )
        select coalesce(sum(taken_back) filter (where is_own), 0)::bigint as of_person,
            max(cancelled_at) filter (where is_own and taken_back > 0) as last_of_person,
            coalesce(sum(taken_back), 0)::bigint as of_device,
            max(cancelled_at) filter (where taken_back > 0) as last_of_device
        from cancelled",
    )
    .bind(customer_id)
    .bind(known_by.person_key)
    .bind(known_by.session_id)
    .bind(counted.created_since)
    .bind(counted.cancelled_since)
    .bind(counted.most)
    .fetch_one(db)
    .await
}

/// Counts how often a person called for help after an accident since then and cancelled it once a mechanic had accepted.
/// Cancellations by an admin don't count.
pub async fn cancelled_accidents(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    person_key: Option<Uuid>,
    since: DateTime<Utc>,
) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from jobs
        where customer_id in (select $1::uuid union select user_id from former_accounts where person_key = $2)
            and urgency = 'accident' and status = 'cancelled' and accepted_at is not null and created_at > $3
            and cancel_reason_code is distinct from 'admin'",
    )
    .bind(customer_id)
    .bind(person_key)
    .bind(since)
    .fetch_one(db)
    .await
}
