//! SQL of the organisation's side of jobs.

use chrono::{DateTime, Utc};
use roadcall_actors::offer::PartnerOrder;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use super::{
    job_hook::{ExtraWork, NewAccountJob, NewPromise},
    promise::{PromiseState, is_missed},
};
use crate::platform::db::{StoredRow, read};

/// A row of `partner_jobs`.
#[derive(Debug, Clone, FromRow)]
pub struct AccountJobRow {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub promise: PromiseState,
    pub promised_at: Option<DateTime<Utc>>,
    pub extended_at: Option<DateTime<Utc>>,
    pub extension_reason: Option<String>,
    pub missed_at: Option<DateTime<Utc>>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for AccountJobRow {
    const TABLE: &'static str = "partner_jobs";
    const KEY: &'static str = "job_id";
}

/// Keeps an open case from being closed or deleted until the transaction ends; returns false if it is not open.
pub(in crate::jobs) async fn lock_open_case(tx: &mut PgConnection, case_id: Uuid) -> Result<bool> {
    let open = sqlx::query("select id from partner_cases where id = $1 and status = 'open' for share");
    Ok(open.bind(case_id).fetch_optional(tx).await?.is_some())
}

pub(super) async fn insert(tx: &mut PgConnection, new: &NewAccountJob) -> Result<()> {
    sqlx::query("insert into partner_jobs (job_id, case_id, account_id, created_at) values ($1, $2, $3, $4)")
        .bind(new.job_id)
        .bind(new.case_id)
        .bind(new.account_id)
        .bind(new.at)
        .execute(tx)
        .await
        .map(drop)
}

/// Sets what is promised for the row of a job under `contract` to the time `arrival.at`; the state is `arrival.untimed` if that is null.
macro_rules! promise_set {
    () => {
        "promise = case when arrival.at is null then arrival.untimed when contract.accepts_promises then 'accepted' else 'proposed' end,
            promised_at = arrival.at, promise_due_at = arrival.at, extended_at = null, extension_reason = null,
            missed_at = null"
    };
}

pub(in crate::jobs) use promise_set;

/// Writes a new promise. A time that a club has confirmed stays with every mechanic.
pub(super) async fn promise(tx: &mut PgConnection, new: NewPromise) -> Result<()> {
    sqlx::query(concat!(
        "update partner_jobs p set ",
        promise_set!(),
        " from (select $2::timestamptz as at, $3::text as untimed) arrival,
            partner_cases k join partner_contracts contract on contract.id = k.contract_id
        where p.job_id = $1 and k.id = p.case_id and (k.offer is null or p.promised_at is null)",
    ))
    .bind(new.job_id)
    .bind(new.at)
    .bind(new.untimed)
    .execute(tx)
    .await
    .map(drop)
}

/// Notes the time that a club has confirmed for a job, once.
pub async fn promise_to_club(tx: &mut PgConnection, job_id: Uuid, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update partner_jobs set promise = 'accepted', promised_at = $2, promise_due_at = $2
        where job_id = $1 and promised_at is distinct from $2 and extended_at is null and missed_at is null",
    )
    .bind(job_id)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// The end of a statement that asks for the decision on an item of the job on account `p`, by its contract.
macro_rules! asked {
    () => {
        "join partner_cases k on k.id = p.case_id
            join partner_contracts contract on contract.id = k.contract_id
        on conflict (line_item_id) do update set decided_at = excluded.decided_at,
            due_at = case when excluded.decided_at is null then excluded.due_at else partner_approvals.due_at end"
    };
}

pub(in crate::jobs) use asked;

pub(super) async fn ask(tx: &mut PgConnection, extra: ExtraWork) -> Result<()> {
    sqlx::query(concat!(
        "insert into partner_approvals (line_item_id, job_id, due_at, decided_at)
        select $1, p.job_id, $3::timestamptz + make_interval(mins => contract.approval_minutes),
            case when $4::boolean then $3::timestamptz end
        from (select job_id, case_id from partner_jobs where job_id = $2) p ",
        asked!(),
    ))
    .bind(extra.item_id)
    .bind(extra.job_id)
    .bind(extra.at)
    .bind(extra.is_decided)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the organisation's side of these jobs.
pub async fn of_jobs(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<AccountJobRow>> {
    sqlx::query("select * from partner_jobs where job_id = any((select $1)::uuid[])")
        .bind(job_ids)
        .try_map(read::<AccountJobRow>)
        .fetch_all(db)
        .await
}

/// Returns the orders of those of these jobs that organisations ordered.
pub(super) async fn orders_of(
    db: impl PgExecutor<'_>,
    job_ids: &[Uuid],
) -> Result<Vec<(Uuid, Json<PartnerOrder>)>> {
    sqlx::query_as(
        "select id, partner_order from job_facts
        where id = any((select $1)::uuid[]) and partner_order is not null",
    )
    .bind(job_ids)
    .fetch_all(db)
    .await
}

/// Returns whether the person who is helped gets this text about their case.
pub async fn is_texted(db: impl PgExecutor<'_>, case_id: Uuid, text: &str) -> Result<bool> {
    sqlx::query_scalar("select exists (select from partner_cases where id = $1 and $2 = any(texts))")
        .bind(case_id)
        .bind(text)
        .fetch_one(db)
        .await
}

/// Accepts a proposed promise. Returns whether the promise was only proposed before; `None` if there is no promise.
pub async fn accept_promise(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<bool>> {
    sqlx::query_scalar(
        "update partner_jobs p set promise = 'accepted'
        from (select job_id, promise from partner_jobs where job_id = $1 for no key update) was
        where p.job_id = was.job_id and was.promise in ('proposed', 'accepted')
        returning was.promise = 'proposed'",
    )
    .bind(job_id)
    .fetch_optional(tx)
    .await
}

/// Extends a promise that is not broken, and whose mechanic is on the way. Returns the row afterwards.
pub async fn extend_promise(
    tx: &mut PgConnection,
    job_id: Uuid,
    minutes: i32,
    reason: &str,
    at: DateTime<Utc>,
) -> Result<Option<AccountJobRow>> {
    sqlx::query(
        "update partner_jobs p
        set promised_at = p.promised_at + make_interval(mins => $2), promise_due_at = p.promised_at + make_interval(mins => $2),
            extended_at = $4, extension_reason = $3
        from job_states state
        where p.job_id = $1 and state.id = p.job_id and p.promise in ('proposed', 'accepted') and p.promised_at > $4
            and p.missed_at is null and state.is_active and state.arrived_at is null
        returning p.*",
    )
    .bind(job_id)
    .bind(minutes)
    .bind(reason)
    .bind(at)
    .try_map(read::<AccountJobRow>)
    .fetch_optional(tx)
    .await
}

/// Notes that what became of the job is decided.
pub async fn set_settled(tx: &mut PgConnection, job_id: Uuid, at: DateTime<Utc>) -> Result<()> {
    sqlx::query("update partner_jobs set settled_at = $2 where job_id = $1")
        .bind(job_id)
        .bind(at)
        .execute(tx)
        .await
        .map(drop)
}

/// A promise whose time has come.
#[derive(Debug, Clone, FromRow)]
pub struct DuePromise {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub promised_at: DateTime<Utc>,
    pub arrived_at: Option<DateTime<Utc>>,
    /// Whether a mechanic has the job.
    pub is_active: bool,
}

impl DuePromise {
    pub fn is_missed(&self) -> bool {
        is_missed(self.promised_at, self.arrived_at, self.is_active)
    }
}

/// Returns the jobs whose promised time has come, in order, at most `limit`.
pub async fn overdue(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select job_id from partner_jobs where promise_due_at <= $1 order by promise_due_at limit $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Locks promises whose time has come, in order, at most `limit`: all of them, or that of one job.
pub async fn due_promises(
    tx: &mut PgConnection,
    of_job: Option<Uuid>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<DuePromise>> {
    sqlx::query_as(
        "select p.job_id, p.case_id, p.promised_at, state.arrived_at, state.is_active
        from partner_jobs p join job_states state on state.id = p.job_id
        where p.promise_due_at <= $1 and ($3::uuid is null or p.job_id = $3)
        order by p.promise_due_at limit $2
        for no key update of p skip locked",
    )
    .bind(now)
    .bind(limit)
    .bind(of_job)
    // The statement is planned anew for all promises, or for one.
    .persistent(false)
    .fetch_all(tx)
    .await
}

/// Notes that it is known whether these promises were kept; `missed` are those that were not.
pub async fn close_promises(
    tx: &mut PgConnection,
    known: &[Uuid],
    missed: &[Uuid],
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update partner_jobs
        set promise_due_at = null, missed_at = case when job_id = any((select $2)::uuid[]) then $3::timestamptz end
        where job_id = any((select $1)::uuid[])",
    )
    .bind(known)
    .bind(missed)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Extra work that an organisation has to decide, or has decided.
#[derive(Debug, Clone, FromRow)]
pub struct ApprovalRow {
    pub line_item_id: Uuid,
    pub due_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
}

pub async fn approvals_of(db: impl PgExecutor<'_>, job_ids: &[Uuid]) -> Result<Vec<ApprovalRow>> {
    sqlx::query_as(
        "select line_item_id, due_at, decided_at from partner_approvals where job_id = any((select $1)::uuid[])",
    )
    .bind(job_ids)
    .fetch_all(db)
    .await
}

/// Extra work for whose decision there is no more time.
#[derive(Debug, Clone, FromRow)]
pub struct DueApproval {
    pub line_item_id: Uuid,
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub account_id: Uuid,
    /// The version of the item that would be decided.
    pub version: i64,
}

/// Returns extra work that nobody decided in time, in order, at most `limit`.
pub async fn due_approvals(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<DueApproval>> {
    sqlx::query_as(
        "select a.line_item_id, a.job_id, p.case_id, p.account_id, item.version
        from partner_approvals a join partner_jobs p on p.job_id = a.job_id join line_items item on item.id = a.line_item_id
        where a.decided_at is null and a.due_at <= $1
        order by a.due_at limit $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Notes that the organisation's decision on an item is not awaited any more, unless the item was changed and is asked again.
pub async fn close_approval(db: impl PgExecutor<'_>, line_item_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update partner_approvals set decided_at = $2 where line_item_id = $1 and decided_at is null and due_at <= $2",
    )
        .bind(line_item_id)
        .bind(now)
        .execute(db)
        .await
        .map(drop)
}
