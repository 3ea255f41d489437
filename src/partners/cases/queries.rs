//! SQL of cases. The partner's side of a job is in `jobs/on_account/queries.rs`.

use std::{collections::BTreeMap, fmt};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use super::dto::{CasePlace, VehicleFacts};
use crate::{
    http::{Between, ListWindow, PageParams, Text, list_filter},
    jobs::JobStatus,
    partners::{club_offer::ClubOffer, contracts::BeneficiaryText, feeds::CaseStatus},
    platform::db::{StoredRow, read},
};

/// A row of `partner_cases`.
#[derive(Clone, FromRow)]
pub struct CaseRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub contract_id: Uuid,
    pub made_by: Uuid,
    pub partner_reference: String,
    pub request_sha256: Vec<u8>,
    pub status: CaseStatus,
    pub policy_reference: Option<String>,
    pub purchase_order: Option<String>,
    pub beneficiary_name: Option<String>,
    pub beneficiary_phone: Option<String>,
    pub beneficiary_language: String,
    pub vehicle_id: Option<Uuid>,
    pub vehicle: Json<VehicleFacts>,
    pub place: Option<Json<CasePlace>>,
    pub answers: Json<BTreeMap<String, Value>>,
    pub notes_for_mechanic: Option<String>,
    pub internal_notes: Option<String>,
    pub texts: Vec<BeneficiaryText>,
    pub offer: Option<Json<ClubOffer>>,
    pub offered_until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
}

impl StoredRow for CaseRow {
    const TABLE: &'static str = "partner_cases";
}

/// Written by hand: people's names and numbers must not be logged.
impl fmt::Debug for CaseRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CaseRow").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<CaseRow>> {
    sqlx::query("select * from partner_cases where id = $1")
        .bind(id)
        .try_map(read::<CaseRow>)
        .fetch_optional(db)
        .await
}

/// Returns the case of a job.
pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<CaseRow>> {
    sqlx::query("select c.* from partner_jobs p join partner_cases c on c.id = p.case_id where p.job_id = $1")
        .bind(job_id)
        .try_map(read::<CaseRow>)
        .fetch_optional(db)
        .await
}

/// Returns an organisation's case by the organisation's own name for it.
pub async fn by_reference(
    db: impl PgExecutor<'_>,
    organisation_id: Uuid,
    reference: &str,
) -> Result<Option<CaseRow>> {
    sqlx::query("select * from partner_cases where organisation_id = $1 and partner_reference = $2")
        .bind(organisation_id)
        .bind(reference)
        .try_map(read::<CaseRow>)
        .fetch_optional(db)
        .await
}

/// Inserts a case and returns it, unless the organisation has another one with this reference.
pub async fn insert_if_new(db: &mut PgConnection, row: &CaseRow) -> Result<Option<CaseRow>> {
    sqlx::query(
        "insert into partner_cases (id, organisation_id, contract_id, made_by, partner_reference, request_sha256, status,
            policy_reference, purchase_order, beneficiary_name, beneficiary_phone, beneficiary_language, vehicle_id, vehicle,
            place, answers, notes_for_mechanic, internal_notes, texts, created_at, updated_at, offer, offered_until)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
        on conflict (organisation_id, partner_reference) do nothing returning *",
    )
    .bind(row.id)
    .bind(row.organisation_id)
    .bind(row.contract_id)
    .bind(row.made_by)
    .bind(&row.partner_reference)
    .bind(&row.request_sha256)
    .bind(row.status)
    .bind(&row.policy_reference)
    .bind(&row.purchase_order)
    .bind(&row.beneficiary_name)
    .bind(&row.beneficiary_phone)
    .bind(&row.beneficiary_language)
    .bind(row.vehicle_id)
    .bind(&row.vehicle)
    .bind(&row.place)
    .bind(&row.answers)
    .bind(&row.notes_for_mechanic)
    .bind(&row.internal_notes)
    .bind(&row.texts)
    .bind(row.created_at)
    .bind(row.updated_at)
    .bind(&row.offer)
    .bind(row.offered_until)
    .try_map(read::<CaseRow>)
    .fetch_optional(db)
    .await
}

/// Lets one transaction at a time offer cases in the name of an organisation, and returns how many of its offers wait.
pub async fn count_offers_locked(
    tx: &mut PgConnection,
    organisation_id: Uuid,
    now: DateTime<Utc>,
) -> Result<i64> {
    sqlx::query("select from organisations where id = $1 for no key update")
        .bind(organisation_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query_scalar(
        "select count(*) from partner_cases where organisation_id = $1 and status = 'offered' and offered_until > $2",
    )
    .bind(organisation_id)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Waits for the requests that make a job of a case, and keeps others from beginning until the transaction ends.
pub async fn lock_whole(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query("select id from partner_cases where id = $1 for update").bind(id).execute(tx).await.map(drop)
}

/// Deletes a case whose first job was refused. A case that has a job stays. The caller has locked it.
pub async fn delete_without_job(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query(
        "delete from partner_cases c
        where c.id = $1 and c.last_seq = 0 and not exists (select from job_facts where job_facts.case_id = c.id)",
    )
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the first job of a case.
pub async fn first_job(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Uuid>> {
    sqlx::query_scalar("select id from job_facts where case_id = $1 order by created_at limit 1")
        .bind(id)
        .fetch_optional(db)
        .await
}

/// Counts the jobs of a case.
pub async fn count_jobs(db: impl PgExecutor<'_>, id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from partner_jobs where case_id = $1").bind(id).fetch_one(db).await
}

/// Locks a case, and returns its id; `None` if there is no such case.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<Uuid>> {
    sqlx::query_scalar("select id from partner_cases where id = $1 for no key update")
        .bind(id)
        .fetch_optional(tx)
        .await
}

/// A case in a list, with its latest job.
#[derive(Debug, Clone, FromRow)]
pub struct CaseEntryRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub organisation_name: String,
    pub partner_reference: String,
    pub status: CaseStatus,
    pub contract_reference: String,
    pub policy_reference: Option<String>,
    pub beneficiary_name: Option<String>,
    pub registration_number: Option<String>,
    pub job_count: i64,
    pub job_id: Option<Uuid>,
    pub job_status: Option<JobStatus>,
    pub service_category_slug: Option<String>,
    pub offered_until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
}

impl StoredRow for CaseEntryRow {
    const TABLE: &'static str = "partner_cases";
}

/// The columns of [`CaseEntryRow`] of the case `c`, and what they are read from.
macro_rules! entries {
    () => {
        "select c.id, c.organisation_id, o.name as organisation_name, c.partner_reference, c.status,
            k.reference as contract_reference, c.policy_reference, c.beneficiary_name,
            nullif(v.registration_number, '') as registration_number,
            (select count(*) from job_facts f where f.case_id = c.id) as job_count, job.id as job_id, s.status as job_status,
            job.service_category_slug, c.offered_until, c.created_at, c.closed_at
        from partner_cases c join organisations o on o.id = c.organisation_id
            join partner_contracts k on k.id = c.contract_id
            left join vehicles v on v.id = c.vehicle_id
            left join lateral (
                select f.id, f.service_category_slug from job_facts f where f.case_id = c.id order by f.created_at desc limit 1
            ) job on true
            left join job_states s on s.id = job.id
        where "
    };
}

list_filter! {
    /// The filter of a partner's list of cases.
    PartnerCaseFilter {
        /// All if not given.
        status: Option<CaseStatus> = "open",
        /// Leaves out cases with another reference of the partner.
        reference: Option<Text<1, 64>> = "NMI-2026-004711",
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`PartnerCaseFilter`]: $1 is the organisation, $2 the organisation that made the cases, if only those are
/// shown, $3 the status, $4 the reference, $5 and $6 the period.
macro_rules! own {
    () => {
        "c.organisation_id = $1 and ($2::uuid is null or c.made_by = $2) and ($3::text is null or c.status = $3)
            and ($4::text is null or c.partner_reference = $4)
            and ($5::timestamptz is null or c.created_at >= $5) and ($6::timestamptz is null or c.created_at < $6)"
    };
}

/// Lists an organisation's cases, newest first. `made_by` limits them to those that one agency made.
pub async fn of_organisation(
    db: impl PgExecutor<'_>,
    (organisation_id, made_by): (Uuid, Option<Uuid>),
    filter: &PartnerCaseFilter,
    page: PageParams,
) -> Result<Vec<CaseEntryRow>> {
    sqlx::query(concat!(entries!(), own!(), " order by c.created_at desc, c.id desc limit $7 offset $8"))
        .bind(organisation_id)
        .bind(made_by)
        .bind(filter.status)
        .bind(filter.reference.as_ref().map(|text| &text.0))
        .bind(filter.made.0)
        .bind(filter.made.1)
        .bind(page.limit)
        .bind(page.offset())
        .persistent(false)
        .try_map(read::<CaseEntryRow>)
        .fetch_all(db)
        .await
}

pub async fn count_of_organisation(
    db: impl PgExecutor<'_>,
    (organisation_id, made_by): (Uuid, Option<Uuid>),
    filter: &PartnerCaseFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from partner_cases c where ", own!()))
        .bind(organisation_id)
        .bind(made_by)
        .bind(filter.status)
        .bind(filter.reference.as_ref().map(|text| &text.0))
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

list_filter! {
    /// The filter of the admins' list of cases.
    CaseFilter {
        /// All if not given.
        status: Option<CaseStatus> = "offered",
        /// Leaves out cases of other organisations.
        organisation_id: Option<Uuid> = "019ceb77-7340-7c30-8f43-7e2a6bbc6e01",
        /// The whole reference of a partner.
        reference as "q": Option<Text<1, 64>> = "NMI-2026-004711",
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`CaseFilter`]: $1 is the status, $2 the organisation, $3 the reference, $4 and $5 the period.
macro_rules! listed {
    () => {
        "($1::text is null or c.status = $1) and ($2::uuid is null or c.organisation_id = $2)
            and ($3::text is null or c.partner_reference = $3)
            and ($4::timestamptz is null or c.created_at >= $4) and ($5::timestamptz is null or c.created_at < $5)"
    };
}

/// Lists cases of all organisations, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &CaseFilter,
    window: ListWindow,
) -> Result<Vec<CaseEntryRow>> {
    sqlx::query(concat!(
        entries!(),
        listed!(),
        " and ($6::timestamptz is null or (c.created_at, c.id) < ($6, $7))
        order by c.created_at desc, c.id desc limit $8 offset $9",
    ))
    .bind(filter.status)
    .bind(filter.organisation_id)
    .bind(filter.reference.as_ref().map(|text| &text.0))
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<CaseEntryRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &CaseFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from partner_cases c where ", listed!()))
        .bind(filter.status)
        .bind(filter.organisation_id)
        .bind(filter.reference.as_ref().map(|text| &text.0))
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}
