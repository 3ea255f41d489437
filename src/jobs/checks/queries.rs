//! SQL of what new jobs are checked against.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgExecutor, Result, Row, postgres::PgRow};
use uuid::Uuid;

use crate::{
    accounting::dues::OwedFees,
    catalogue::{categories::CategoryRow, vehicles::VehicleKind},
    jobs::in_vain::{KnownBy, WithdrawnOffers},
};

/// A new job, as far as it is checked.
#[derive(Debug, Clone, Copy)]
pub struct AskedJob {
    pub customer_id: Uuid,
    pub known_by: Option<KnownBy>,
    pub vehicle_id: Uuid,
    pub category_id: Uuid,
    pub is_accident: bool,
}

/// The jobs that are counted as calls in vain.
#[derive(Debug, Clone, Copy)]
pub struct CountedJobs {
    pub created_since: DateTime<Utc>,
    pub cancelled_since: DateTime<Utc>,
    /// The maximum number of jobs, newest first.
    pub most: i64,
}

/// A vehicle, as far as a job describes it.
#[derive(Debug, Clone, FromRow)]
pub struct StrandedVehicle {
    #[sqlx(rename = "vehicle_id")]
    pub id: Uuid,
    pub vehicle_type: VehicleKind,
    #[sqlx(rename = "vehicle_make")]
    pub make: String,
    #[sqlx(rename = "vehicle_model")]
    pub model: String,
    #[sqlx(rename = "vehicle_color")]
    pub color: Option<String>,
    #[sqlx(rename = "vehicle_registration_number")]
    pub registration_number: String,
}

/// The facts that a new job is checked against.
#[derive(Debug, Clone)]
pub struct JobChecks {
    /// The vehicle, if it is the customer's.
    pub vehicle: Option<StrandedVehicle>,
    /// The category, if it is offered.
    pub category: Option<CategoryRow>,
    pub owed: OwedFees,
    pub withdrawn: WithdrawnOffers,
    /// How often the customer called for help after an accident and cancelled once a mechanic had accepted, if the job is about an
    /// accident. Cancellations by an admin don't count.
    pub cancelled_accidents: i64,
}

/// Reads everything that a new job is checked against. The offers that count as withdrawn are those that mechanics could still answer
/// when their job was cancelled by its customer, before anybody had accepted it. The subqueries around arguments hide which of them
/// are given, and how little they select: Postgres then makes one plan for any, once.
pub async fn job_checks(db: impl PgExecutor<'_>, asked: AskedJob, counted: CountedJobs) -> Result<JobChecks> {
    sqlx::query(
        "with person as (
            select $1::uuid as id union select user_id from former_accounts where person_key = (select $2::uuid)
        ), device as (
            select other.user_id as id from sessions own join sessions other on other.device_id = own.device_id
            where own.id = (select $3::uuid) and other.last_used_at > (select $4::timestamptz)
        ), cancelled as (
            select job.cancelled_at, job.customer_id in (select id from person) as is_own,
                (select count(*) from offers where offers.job_id = job.id and offers.status = 'revoked') as taken_back
            from job_states job
            where job.customer_id = any(array(select id from person union select id from device))
                and job.cancelled_at > (select $5::timestamptz) and job.created_at > (select $4::timestamptz)
                and job.status = 'cancelled'
                and job.accepted_at is null and job.left_at is null
                and job.cancel_reason_code not in ('admin', 'no_mechanic_found')
            order by job.created_at desc limit (select $6::bigint)
        ), withdrawn as (
            select coalesce(sum(taken_back) filter (where is_own), 0)::bigint as of_person,
                max(cancelled_at) filter (where is_own and taken_back > 0) as last_of_person,
                coalesce(sum(taken_back), 0)::bigint as of_device,
                max(cancelled_at) filter (where taken_back > 0) as last_of_device
            from cancelled
        ), owed as (
            select coalesce(sum(amount_paise) filter (where not is_contested), 0)::bigint as due_paise,
                coalesce(sum(amount_paise) filter (where is_contested), 0)::bigint as contested_paise
            from cancellation_fees
            where customer_id = $1 and status = 'due'
        )
        select c.*, v.id as vehicle_id, v.vehicle_type, v.make as vehicle_make, v.model as vehicle_model,
            v.color as vehicle_color, v.registration_number as vehicle_registration_number, owed.*, withdrawn.*,
            case when (select $9::boolean) then (
                select count(*) from job_states job join job_facts facts on facts.id = job.id
                where job.customer_id = any(array(select id from person)) and job.cancelled_at > (select $5::timestamptz)
                    and job.created_at > (select $5::timestamptz)
                    and job.status = 'cancelled' and job.accepted_at is not null
                    and job.cancel_reason_code is distinct from 'admin' and facts.urgency = 'accident')
                else 0 end as cancelled_accidents
        from owed cross join withdrawn
            left join vehicles v on v.id = $7 and v.user_id = $1 and v.deleted_at is null
            left join service_categories c on c.id = $8 and c.is_active",
    )
    .bind(asked.customer_id)
    .bind(asked.known_by.map(|known_by| known_by.person_key))
    .bind(asked.known_by.map(|known_by| known_by.session_id))
    .bind(counted.created_since)
    .bind(counted.cancelled_since)
    .bind(counted.most)
    .bind(asked.vehicle_id)
    .bind(asked.category_id)
    .bind(asked.is_accident)
    .try_map(|row: PgRow| {
        let has_vehicle = row.try_get::<Option<Uuid>, _>("vehicle_id")?.is_some();
        let has_category = row.try_get::<Option<Uuid>, _>("id")?.is_some();
        Ok(JobChecks {
            vehicle: has_vehicle.then(|| StrandedVehicle::from_row(&row)).transpose()?,
            category: has_category.then(|| CategoryRow::from_row(&row)).transpose()?,
            owed: OwedFees::from_row(&row)?,
            withdrawn: WithdrawnOffers::from_row(&row)?,
            cancelled_accidents: row.try_get("cancelled_accidents")?,
        })
    })
    .fetch_one(db)
    .await
}
