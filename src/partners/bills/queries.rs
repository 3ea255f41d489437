//! SQL of the jobs that are settled, and of bills.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, Row, postgres::PgRow, types::Json};
use uuid::Uuid;

use super::outcome::{OutcomeKind, OutcomeTerms};
use crate::{
    accounting::dues::JobDue,
    http::{Between, ListWindow, PageParams, list_filter},
    jobs::{
        ActorKind,
        on_account::{AgreedPrice, PromiseState},
    },
    platform::db::{StoredRow, read},
};

/// The organisation's side of a job that has ended, with its contract.
#[derive(Debug, Clone, FromRow)]
pub struct UnsettledJob {
    pub case_id: Uuid,
    pub organisation_id: Uuid,
    pub contract_id: Uuid,
    pub promise: PromiseState,
    pub promised_at: Option<DateTime<Utc>>,
    /// The most that the contract covers.
    pub cover_paise: Option<i64>,
    pub call_out_paise: Option<i64>,
    pub included_km: Option<i32>,
    pub per_km_paise: Option<i64>,
    #[sqlx(flatten)]
    pub terms: OutcomeTerms,
    /// The actor who ended the job, and the log's data about the end.
    pub ended_by: ActorKind,
    pub end_data: Json<Value>,
    pub is_undecided_no_show: bool,
}

impl StoredRow for UnsettledJob {
    const TABLE: &'static str = "partner_jobs";
    const KEY: &'static str = "case_id";
}

impl UnsettledJob {
    /// Returns the price by the contract.
    pub fn agreed(&self) -> AgreedPrice {
        match (self.call_out_paise, self.included_km, self.per_km_paise) {
            (Some(call_out_paise), Some(included_km), Some(per_km_paise)) => AgreedPrice::CallOut {
                call_out_paise,
                included_km: u32::try_from(included_km).unwrap_or_default(),
                per_km_paise,
            },
            _ => AgreedPrice::Quoted,
        }
    }
}

/// The columns of an [`UnsettledJob`].
macro_rules! unsettled {
    () => {
        "p.case_id, p.promise, p.promised_at, k.organisation_id, k.contract_id, contract.cover_paise,
            terms.call_out_paise, terms.included_km, terms.per_km_paise, terms.gone_on_arrival_bps, terms.unsuccessful_bps,
            terms.destination_refused_bps, terms.cancelled_bps, terms.promise_missed_bps, terms.free_cancellation_minutes,
            ended.actor_kind as ended_by, ended.data as end_data,
            exists (select from no_shows n where n.job_id = p.job_id and n.status = 'open') as is_undecided_no_show"
    };
}

/// The tables of these columns, which follow the job on account `p`.
macro_rules! joined {
    () => {
        " join partner_cases k on k.id = p.case_id
            join partner_contracts contract on contract.id = k.contract_id
            join job_facts facts on facts.id = p.job_id
            join partner_terms terms
                on terms.contract_id = k.contract_id and terms.service_category_id = facts.service_category_id
            join lateral (
                select e.actor_kind, e.data from job_events e
                where e.job_id = p.job_id and e.kind in ('completed', 'cancelled')
                order by e.version desc limit 1) ended on true"
    };
}

/// A job on account that has ended.
#[derive(Debug)]
pub struct EndedJob {
    pub job_id: Uuid,
    pub created_at: DateTime<Utc>,
    /// The figures by which it is settled together with others; `None` for a job that is settled alone.
    pub usual: Option<UsualJob>,
}

/// A job that is completed, and of whose price nothing is paid or being paid.
#[derive(Debug, FromRow)]
pub struct UsualJob {
    pub version: i64,
    #[sqlx(flatten)]
    pub unsettled: UnsettledJob,
    #[sqlx(flatten)]
    pub due: JobDue,
}

impl EndedJob {
    /// Reads a row. A job that can't be read whole is settled alone, which says why.
    fn of_row(row: &PgRow) -> Result<Self> {
        let is_usual: bool = row.try_get("is_usual")?;
        let usual = is_usual.then(|| UsualJob::from_row(row).ok()).flatten();
        Ok(Self { job_id: row.try_get("job_id")?, created_at: row.try_get("created_at")?, usual })
    }
}

/// Returns jobs whose outcome is to be decided, in order, starting after the job with this time and id. No-shows about which an
/// admin has yet to decide are left out.
pub async fn ended(
    db: impl PgExecutor<'_>,
    after: (DateTime<Utc>, Uuid),
    limit: i64,
) -> Result<Vec<EndedJob>> {
    sqlx::query(concat!(
        "select p.job_id, p.created_at, state.version,
            d.mechanic_profile_id, d.due_paise, d.account_paise, d.paid_paise, d.settled_at,
            state.status = 'completed' and coalesce(d.account_paise > 0 and d.paid_paise = 0, false)
                and not exists (
                    select from payments payment
                    where payment.job_id = p.job_id and payment.is_open and payment.purpose = 'job') as is_usual, ",
        unsettled!(),
        " from partner_jobs p join job_states state on state.id = p.job_id",
        joined!(),
        " left join job_dues d on d.job_id = p.job_id
        where p.settled_at is null and not state.is_unfinished
            and not exists (select from no_shows n where n.job_id = p.job_id and n.status = 'open')
            and (p.created_at, p.job_id) > ($1, $2)
        order by p.created_at, p.job_id
        limit $3",
    ))
    .bind(after.0)
    .bind(after.1)
    .bind(limit)
    .try_map(|row: PgRow| EndedJob::of_row(&row))
    .fetch_all(db)
    .await
}

/// Returns what settles a job, locked; `None` if it is settled, or no job on account. Its row in `job_states` is locked.
pub async fn lock_unsettled(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<UnsettledJob>> {
    sqlx::query(concat!(
        "select ",
        unsettled!(),
        " from partner_jobs p",
        joined!(),
        " where p.job_id = $1 and p.settled_at is null
        for no key update of p",
    ))
    .bind(job_id)
    .try_map(read::<UnsettledJob>)
    .fetch_optional(tx)
    .await
}

/// The figures from which an outcome and its amount follow, as they are stored with the bill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BillEvidence {
    /// The amount that was booked on account for the mechanic's work.
    pub booked_paise: i64,
    /// The amount that would be payable if the whole job had been done in time.
    pub covered_paise: i64,
    pub accepted_at: Option<DateTime<Utc>>,
    pub promised_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    pub ended_at: DateTime<Utc>,
}

/// A row of `partner_bills`, with the names of its contract, its case and its organisation.
#[derive(Debug, Clone, FromRow)]
pub struct BillRow {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub organisation_id: Uuid,
    pub organisation_name: String,
    pub contract_reference: String,
    pub partner_reference: String,
    pub purchase_order: Option<String>,
    pub outcome: OutcomeKind,
    pub price_paise: i64,
    pub payable_paise: i64,
    pub driver_paise: i64,
    pub evidence: Json<BillEvidence>,
    pub decided_at: DateTime<Utc>,
}

impl StoredRow for BillRow {
    const TABLE: &'static str = "partner_bills";
    const KEY: &'static str = "job_id";
}

/// The beginning of a statement that reads bills `bill`, with their cases `k`.
macro_rules! bills {
    () => {
        "select bill.*, organisation.name as organisation_name, contract.reference as contract_reference,
            k.partner_reference, k.purchase_order
        from partner_bills bill
            join partner_cases k on k.id = bill.case_id
            join partner_contracts contract on contract.id = bill.contract_id
            join organisations organisation on organisation.id = bill.organisation_id
        where "
    };
}

list_filter! {
    /// The filter of the admins' list of partners' bills. A bill must match all given fields.
    PartnerBillFilter {
        organisation_id: Option<Uuid> = "019ceb77-7340-7c30-8f43-7e2a6bbc6e01",
        outcome: Option<OutcomeKind> = "completed",
        /// Decided in this time.
        made: Between,
    }
}

/// The condition of [`PartnerBillFilter`]: $1 is the organisation, $2 the outcome, $3 and $4 are the period.
macro_rules! listed {
    () => {
        "($1::uuid is null or bill.organisation_id = $1)
            and ($2::text is null or bill.outcome = $2)
            and ($3::timestamptz is null or bill.decided_at >= $3)
            and ($4::timestamptz is null or bill.decided_at < $4)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &PartnerBillFilter,
    window: ListWindow,
) -> Result<Vec<BillRow>> {
    sqlx::query(concat!(
        bills!(),
        listed!(),
        " and ($5::timestamptz is null or (bill.decided_at, bill.job_id) < ($5, $6))
        order by bill.decided_at desc, bill.job_id desc
        limit $7 offset $8",
    ))
    .bind(filter.organisation_id)
    .bind(filter.outcome)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read::<BillRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &PartnerBillFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from partner_bills bill where ", listed!()))
        .bind(filter.organisation_id)
        .bind(filter.outcome)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

list_filter! {
    /// The filter of a partner's list of its bills. A bill must match all given fields.
    OwnPartnerBillFilter {
        outcome: Option<OutcomeKind> = "completed",
        /// Decided in this time.
        made: Between,
    }
}

/// The condition of [`OwnPartnerBillFilter`]: $1 is the organisation, $2 the agency that acts for it, if one does, $3 the outcome,
/// $4 and $5 are the period. An agency sees the bills of the cases that it made.
macro_rules! listed_of_partner {
    () => {
        "bill.organisation_id = $1 and ($2::uuid is null or k.made_by = $2)
            and ($3::text is null or bill.outcome = $3)
            and ($4::timestamptz is null or bill.decided_at >= $4)
            and ($5::timestamptz is null or bill.decided_at < $5)"
    };
}

/// Returns a page of an organisation's bills, newest first.
pub async fn list_of_partner(
    db: impl PgExecutor<'_>,
    organisation_id: Uuid,
    agency: Option<Uuid>,
    filter: &OwnPartnerBillFilter,
    page: PageParams,
) -> Result<Vec<BillRow>> {
    sqlx::query(concat!(
        bills!(),
        listed_of_partner!(),
        " order by bill.decided_at desc, bill.job_id desc limit $6 offset $7",
    ))
    .bind(organisation_id)
    .bind(agency)
    .bind(filter.outcome)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .persistent(false)
    .try_map(read::<BillRow>)
    .fetch_all(db)
    .await
}

pub async fn count_of_partner(
    db: impl PgExecutor<'_>,
    organisation_id: Uuid,
    agency: Option<Uuid>,
    filter: &OwnPartnerBillFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!(
        "select count(*) from partner_bills bill join partner_cases k on k.id = bill.case_id where ",
        listed_of_partner!(),
    ))
    .bind(organisation_id)
    .bind(agency)
    .bind(filter.outcome)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .persistent(false)
    .fetch_one(db)
    .await
}

/// The comparison of the bills of organisations with the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, FromRow)]
pub struct BillsAudit {
    pub bills: i64,
    /// Jobs for which the ledger does not have exactly what their bill says, or that are billed to another organisation than the one
    /// that ordered them.
    pub wrong_bills: i64,
    /// Jobs on account that have ended, and have no bill. A job has ten minutes, until the newest change of any job: while the service
    /// is stopped, nothing becomes late.
    pub missing_bills: i64,
}

/// Compares the bills of organisations with the ledger, in one statement. A database of an earlier release has none.
pub async fn audit(tx: &mut PgConnection) -> Result<BillsAudit> {
    let has_bills: bool =
        sqlx::query_scalar("select to_regclass('partner_bills') is not null").fetch_one(&mut *tx).await?;
    if !has_bills {
        return Ok(BillsAudit::default());
    }
    sqlx::query_as(
        "with owed as (
            select t.job_id, -sum(p.amount_paise) as paise
            from ledger_accounts a
                join ledger_postings p on p.account_id = a.id
                join ledger_transactions t on t.id = p.transaction_id
            where a.kind = 'partners_receivable'
            group by t.job_id)
        select
            (select count(*) from partner_bills) as bills,
            (select count(*) from partner_bills bill
                full join owed on owed.job_id = bill.job_id
                left join job_facts facts on facts.id = bill.job_id
                left join partner_cases k on k.id = facts.case_id
                where coalesce(bill.payable_paise, 0) <> coalesce(owed.paise, 0)
                    or k.organisation_id <> bill.organisation_id) as wrong_bills,
            (select count(*) from partner_jobs p join job_states job on job.id = p.job_id
                where not exists (select from partner_bills bill where bill.job_id = p.job_id)
                    and (p.settled_at is not null or (
                        not job.is_unfinished
                        and coalesce(job.completed_at, job.cancelled_at)
                            < (select max(updated_at) - interval '10 minutes' from job_states)
                        and not exists (
                            select from no_shows n where n.job_id = p.job_id and n.status = 'open')))) as missing_bills",
    )
    .fetch_one(tx)
    .await
}
