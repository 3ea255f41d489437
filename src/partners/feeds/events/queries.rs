//! SQL of events.

use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, Row, postgres::PgRow, types::Json};
use uuid::Uuid;

use super::dto::CaseStatus;
use crate::{
    jobs::{JobRow, on_account::PromiseState},
    partners::{club_offer::ClubOffer, feeds::kind::PartnerEventKind},
    platform::db::{StoredRow, read, read_part},
};

/// A case, with everything that its events show.
#[derive(Clone, FromRow)]
pub struct FedCaseRow {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub made_by: Uuid,
    pub partner_reference: String,
    pub status: CaseStatus,
    pub contract_reference: String,
    pub accepts_promises: bool,
    pub policy_reference: Option<String>,
    pub purchase_order: Option<String>,
    pub beneficiary_name: Option<String>,
    pub registration_number: Option<String>,
    pub make: Option<String>,
    pub model: Option<String>,
    pub color: Option<String>,
    pub vin: Option<String>,
    pub odometer_km: Option<i64>,
    pub fuel: Option<String>,
    pub drive: Option<String>,
    pub weight_kg: Option<i64>,
    pub offer: Option<Json<ClubOffer>>,
    pub offered_until: Option<DateTime<Utc>>,
    pub last_seq: i64,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for FedCaseRow {
    const TABLE: &'static str = "partner_cases";
}

/// Written by hand: names and number plates must not be logged.
impl fmt::Debug for FedCaseRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FedCaseRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The columns of [`FedCaseRow`] of the case `c`, and what they are read from.
macro_rules! shown {
    () => {
        "c.id, c.organisation_id, c.made_by, c.partner_reference, c.status, k.reference as contract_reference,
            k.accepts_promises or c.offer is not null as accepts_promises, c.policy_reference, c.purchase_order, c.beneficiary_name,
            nullif(v.registration_number, '') as registration_number, v.make,
            v.model, v.color, c.vehicle ->> 'vin' as vin, (c.vehicle ->> 'odometer_km')::bigint as odometer_km,
            c.vehicle ->> 'fuel' as fuel, c.vehicle ->> 'drive' as drive, (c.vehicle ->> 'weight_kg')::bigint as weight_kg,
            c.offer, c.offered_until, c.last_seq, c.created_at"
    };
}

pub async fn case(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<FedCaseRow>> {
    sqlx::query(concat!(
        "select ",
        shown!(),
        " from partner_cases c join partner_contracts k on k.id = c.contract_id left join vehicles v on v.id = c.vehicle_id
        where c.id = $1"
    ))
    .bind(id)
    .try_map(read::<FedCaseRow>)
    .fetch_optional(db)
    .await
}

/// A case that has got numbers for new events.
#[derive(Debug, Clone, FromRow)]
pub struct NumberedCase {
    #[sqlx(flatten)]
    pub case: FedCaseRow,
    /// Whether the case had no event yet, and the new ones do not say how it began: it got one more number, for that event.
    pub is_untold: bool,
}

impl StoredRow for NumberedCase {
    const TABLE: &'static str = FedCaseRow::TABLE;
}

/// Events that cases are about to get, a list for each column.
#[derive(Debug, Default)]
pub struct EventCounts {
    pub case_ids: Vec<Uuid>,
    pub counts: Vec<i64>,
    /// Whether the first event says how the case began.
    pub begins: Vec<bool>,
}

/// Takes the next numbers of cases, which are locked until the transaction ends, and returns them with the last of their numbers.
/// Several cases are locked already.
pub async fn number(tx: &mut PgConnection, new: &EventCounts) -> Result<Vec<NumberedCase>> {
    sqlx::query(concat!(
        "with locked as (
            select c.id, n.count, c.last_seq = 0 and not n.begins as is_untold
            from unnest((select $1)::uuid[], (select $2)::bigint[], (select $3)::boolean[]) as n (id, count, begins)
                join partner_cases c on c.id = n.id
            for no key update of c
        ), c as (
            update partner_cases set last_seq = last_seq + locked.count + locked.is_untold::integer
            from locked where partner_cases.id = locked.id
            returning partner_cases.*, locked.is_untold
        )
        select ",
        shown!(),
        ", c.is_untold
        from c join partner_contracts k on k.id = c.contract_id left join vehicles v on v.id = c.vehicle_id"
    ))
    .bind(&new.case_ids)
    .bind(&new.counts)
    .bind(&new.begins)
    .try_map(read::<NumberedCase>)
    .fetch_all(tx)
    .await
}

/// The partner's side of a job, with its bill if there is one.
#[derive(Debug, Clone, FromRow)]
pub struct PartnerJobRow {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub promise: PromiseState,
    pub promised_at: Option<DateTime<Utc>>,
    pub extended_at: Option<DateTime<Utc>>,
    pub extension_reason: Option<String>,
    pub missed_at: Option<DateTime<Utc>>,
    pub outcome: Option<String>,
    pub price_paise: Option<i64>,
    pub payable_paise: Option<i64>,
    pub driver_paise: Option<i64>,
}

impl StoredRow for PartnerJobRow {
    const TABLE: &'static str = "partner_jobs";
    const KEY: &'static str = "job_id";
}

/// The columns of [`PartnerJobRow`] of the job on account `p` with its bill `b`.
macro_rules! partner_side {
    () => {
        "p.job_id, p.case_id, p.promise, p.promised_at, p.extended_at, p.extension_reason, p.missed_at,
            b.outcome, b.price_paise, b.payable_paise, b.driver_paise"
    };
}

/// Returns the jobs of cases, in the order in which they were made.
pub async fn partner_jobs(db: impl PgExecutor<'_>, case_ids: &[Uuid]) -> Result<Vec<PartnerJobRow>> {
    sqlx::query(concat!(
        "select ",
        partner_side!(),
        " from partner_jobs p left join partner_bills b on b.job_id = p.job_id
        where p.case_id = any((select $1)::uuid[])
        order by p.created_at, p.job_id",
    ))
    .bind(case_ids)
    .try_map(read::<PartnerJobRow>)
    .fetch_all(db)
    .await
}

/// Returns a case with its jobs, in the order in which they were made.
pub async fn case_with_jobs(
    db: impl PgExecutor<'_>,
    id: Uuid,
) -> Result<Option<(FedCaseRow, Vec<PartnerJobRow>)>> {
    let rows = sqlx::query(concat!(
        "select ",
        shown!(),
        ", ",
        partner_side!(),
        " from partner_cases c join partner_contracts k on k.id = c.contract_id left join vehicles v on v.id = c.vehicle_id
            left join partner_jobs p on p.case_id = c.id left join partner_bills b on b.job_id = p.job_id
        where c.id = $1
        order by p.created_at, p.job_id",
    ))
    .bind(id)
    .try_map(|row: PgRow| {
        let has_job = row.try_get::<Option<Uuid>, _>("job_id")?.is_some();
        let job: Option<PartnerJobRow> = has_job.then(|| read_part(&row)).transpose()?;
        Ok((read_part::<FedCaseRow>(&row)?, job))
    })
    .fetch_all(db)
    .await?;
    let (cases, jobs): (Vec<FedCaseRow>, Vec<Option<PartnerJobRow>>) = rows.into_iter().unzip();
    Ok(cases.into_iter().next().map(|case| (case, jobs.into_iter().flatten().collect())))
}

/// A job on account, with the case that it belongs to.
#[derive(Debug, Clone, FromRow)]
pub struct CaseJobRow {
    pub organisation_id: Uuid,
    /// The organisation that made the case.
    pub made_by: Uuid,
    /// Whether extra work was ever proposed.
    pub has_items: bool,
    #[sqlx(flatten)]
    pub partner: PartnerJobRow,
}

impl StoredRow for CaseJobRow {
    const TABLE: &'static str = "partner_jobs";
    const KEY: &'static str = "job_id";
}

pub async fn job_of_case(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<CaseJobRow>> {
    sqlx::query(concat!(
        "select c.organisation_id, c.made_by, exists (select from line_items item where item.job_id = p.job_id) as has_items, ",
        partner_side!(),
        " from partner_jobs p join partner_cases c on c.id = p.case_id left join partner_bills b on b.job_id = p.job_id
        where p.job_id = $1",
    ))
    .bind(job_id)
    .try_map(read::<CaseJobRow>)
    .fetch_optional(db)
    .await
}

pub async fn jobs(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<JobRow>> {
    sqlx::query("select * from jobs where id = any((select $1)::uuid[])")
        .bind(ids)
        .try_map(read::<JobRow>)
        .fetch_all(db)
        .await
}

/// Events to store, a list for each column.
#[derive(Debug, Default)]
pub struct NewEventRows {
    pub ids: Vec<Uuid>,
    pub case_ids: Vec<Uuid>,
    pub organisation_ids: Vec<Uuid>,
    pub job_ids: Vec<Option<Uuid>>,
    pub seqs: Vec<i64>,
    /// The last event that the case had before.
    pub last_seqs: Vec<i64>,
    pub kinds: Vec<&'static str>,
    pub bodies: Vec<Value>,
}

/// Deliveries of these events, a list for each column.
#[derive(Debug, Default)]
pub struct NewDeliveryRows {
    pub ids: Vec<Uuid>,
    pub subscription_ids: Vec<Uuid>,
    pub event_ids: Vec<Uuid>,
}

/// Stores the events of cases with their deliveries, which are due at once. An event is never older than the one before it.
pub async fn insert(
    tx: &mut PgConnection,
    now: DateTime<Utc>,
    events: &NewEventRows,
    deliveries: &NewDeliveryRows,
) -> Result<()> {
    sqlx::query(
        "with event as (
            insert into partner_events (id, case_id, organisation_id, job_id, seq, kind, body, created_at)
            select e.id, e.case_id, e.organisation_id, e.job_id, e.seq, e.kind, e.body, greatest($1::timestamptz,
                (select last.created_at from partner_events last where last.case_id = e.case_id and last.seq = e.last_seq))
            from unnest((select $2)::uuid[], (select $3)::uuid[], (select $4)::uuid[], (select $5)::uuid[],
                (select $6)::bigint[], (select $7)::bigint[], (select $8)::text[], (select $9)::jsonb[])
                as e (id, case_id, organisation_id, job_id, seq, last_seq, kind, body)
            returning id, case_id, organisation_id, seq, created_at
        )
        insert into partner_deliveries (id, subscription_id, organisation_id, event_id, case_id, seq, status, next_try_at,
            created_at)
        select d.id, d.subscription_id, event.organisation_id, event.id, event.case_id, event.seq, 'pending', event.created_at,
            event.created_at
        from unnest((select $10)::uuid[], (select $11)::uuid[], (select $12)::uuid[])
                as d (id, subscription_id, event_id)
            join event on event.id = d.event_id",
    )
    .bind(now)
    .bind(&events.ids)
    .bind(&events.case_ids)
    .bind(&events.organisation_ids)
    .bind(&events.job_ids)
    .bind(&events.seqs)
    .bind(&events.last_seqs)
    .bind(&events.kinds)
    .bind(&events.bodies)
    .bind(&deliveries.ids)
    .bind(&deliveries.subscription_ids)
    .bind(&deliveries.event_ids)
    .execute(tx)
    .await
    .map(drop)
}

/// A job whose log may have something new for its case.
#[derive(Debug, Clone, FromRow)]
pub struct UnfedRow {
    pub job_id: Uuid,
    pub created_at: DateTime<Utc>,
    pub fed_seq: i64,
    /// The newest entry of its log.
    pub newest: i64,
    /// Whether nothing more will come: the job is paid for or cancelled, and its outcome is decided.
    pub is_over: bool,
    /// Whether the outcome is decided, and the case has no event that says so.
    pub is_decided: bool,
}

/// Returns jobs whose logs have something new, in order, starting after the job `after`.
pub async fn unfed(db: impl PgExecutor<'_>, after: Option<&UnfedRow>, limit: i64) -> Result<Vec<UnfedRow>> {
    sqlx::query_as(
        "select p.job_id, p.created_at, p.fed_seq, job.seq as newest,
            p.settled_at is not null and job.status in ('paid', 'cancelled') as is_over,
            p.settled_at is not null and not p.is_outcome_told as is_decided
        from partner_jobs p join job_states job on job.id = p.job_id
        where not p.is_fed
            and (job.seq > p.fed_seq
                or (p.settled_at is not null and (not p.is_outcome_told or job.status in ('paid', 'cancelled'))))
            and ($1::timestamptz is null or (p.created_at, p.job_id) > ($1, $2))
        order by p.created_at, p.job_id limit $3",
    )
    .bind(after.map(|last| last.created_at))
    .bind(after.map(|last| last.job_id))
    .bind(limit)
    // The statement is planned anew for the first page, or for a later one.
    .persistent(false)
    .fetch_all(db)
    .await
}

/// Returns the job, if its log has something new.
pub async fn unfed_job(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<UnfedRow>> {
    sqlx::query_as(
        "select p.job_id, p.created_at, p.fed_seq, job.seq as newest, false as is_over, false as is_decided
        from partner_jobs p join job_states job on job.id = p.job_id
        where p.job_id = $1 and not p.is_fed and job.seq > p.fed_seq",
    )
    .bind(job_id)
    .fetch_optional(db)
    .await
}

/// Jobs whose news a transaction tells, a list for each column.
#[derive(Debug, Default)]
pub struct Fed {
    pub job_ids: Vec<Uuid>,
    /// The last entries that were told before.
    pub from: Vec<i64>,
    /// The last entries that it tells.
    pub to: Vec<i64>,
    /// Whether nothing more will come.
    pub are_fed: Vec<bool>,
    /// Whether it tells the outcome.
    pub are_decided: Vec<bool>,
}

/// A job whose news this transaction may tell.
#[derive(Debug, Clone, FromRow)]
pub struct MarkedRow {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub accepts_promises: bool,
}

/// The beginning of the statement of [`mark_fed`], which locks the rows.
macro_rules! locked_news {
    () => {
        "with given as (
            select * from unnest((select $1)::uuid[], (select $2)::bigint[], (select $3)::bigint[], (select $4)::boolean[],
                (select $5)::boolean[]) as given (job_id, from_seq, to_seq, is_fed, is_decided)
        ), free as (
            select p.job_id, given.to_seq, given.is_fed, given.is_decided,
                k.accepts_promises or c.offer is not null as accepts_promises
            from given join partner_jobs p on p.job_id = given.job_id
                join partner_cases c on c.id = p.case_id
                join partner_contracts k on k.id = c.contract_id
            where p.fed_seq = given.from_seq and not (p.is_outcome_told and given.is_decided)
            for no key update of p, c "
    };
}

/// The end of that statement: what it writes.
macro_rules! mark_news {
    () => {
        ")
        update partner_jobs p set fed_seq = free.to_seq, is_fed = free.is_fed,
            is_outcome_told = p.is_outcome_told or free.is_decided
        from free where p.job_id = free.job_id
        returning p.job_id, p.case_id, free.accepts_promises"
    };
}

/// Notes which entries the cases have been told, and locks the cases. Leaves out jobs of which another transaction has told a part
/// meanwhile. A single job waits for its locks. Of several jobs, those that are locked are left out, because transactions that wait
/// for each other's cases would never end.
pub async fn mark_fed(tx: &mut PgConnection, fed: &Fed) -> Result<Vec<MarkedRow>> {
    let marked = match fed.job_ids.len() {
        1 => sqlx::query_as(concat!(locked_news!(), mark_news!())),
        _ => sqlx::query_as(concat!(locked_news!(), "skip locked", mark_news!())),
    };
    marked
        .bind(&fed.job_ids)
        .bind(&fed.from)
        .bind(&fed.to)
        .bind(&fed.are_fed)
        .bind(&fed.are_decided)
        .fetch_all(tx)
        .await
}

/// An event of a case.
#[derive(Debug, Clone, FromRow)]
pub struct CaseEventRow {
    pub id: Uuid,
    pub kind: PartnerEventKind,
    pub body: Value,
    pub seq: i64,
}

impl StoredRow for CaseEventRow {
    const TABLE: &'static str = "partner_events";
}

pub async fn since(
    db: impl PgExecutor<'_>,
    case_id: Uuid,
    since_seq: i64,
    limit: i64,
) -> Result<Vec<CaseEventRow>> {
    sqlx::query(
        "select id, kind, body, seq from partner_events where case_id = $1 and seq > $2 order by seq limit $3",
    )
    .bind(case_id)
    .bind(since_seq)
    .bind(limit)
    .try_map(read::<CaseEventRow>)
    .fetch_all(db)
    .await
}

/// Deletes events that no delivery refers to.
pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from partner_events where id in (
            select e.id from partner_events e
            where e.created_at < $1 and not exists (select from partner_deliveries d where d.event_id = e.id)
            order by e.created_at limit $2)",
    );
    Ok(swept.bind(before).bind(limit).execute(db).await?.rows_affected())
}

/// Gives up waiting for the payment of jobs that were settled long ago.
pub async fn stop_feeding(db: impl PgExecutor<'_>, settled_before: DateTime<Utc>) -> Result<u64> {
    let stopped = sqlx::query("update partner_jobs set is_fed = true where not is_fed and settled_at < $1");
    Ok(stopped.bind(settled_before).execute(db).await?.rows_affected())
}
