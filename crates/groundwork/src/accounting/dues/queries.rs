use chrono::{DateTime, Utc};
use roadcall_http::text_enum;
use roadcall_platform::db::{StoredRow, read};
use serde_json::Value;
use sqlx::{FromRow, PgConnection, PgExecutor, Result, postgres::PgBindIterExt};
use uuid::Uuid;

text_enum! {
    /// The status of a cancellation fee: due, paid or waived.
    FeeStatus { Due = "due", Paid = "paid", Waived = "waived", }
}

/// The price of a completed job, and the part of it that was paid.
#[derive(Debug, Clone, FromRow)]
pub struct JobDue {
    pub job_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub due_paise: i64,
    /// The part that an organisation pays on account.
    pub account_paise: i64,
    pub paid_paise: i64,
    /// When the due amount was paid in full; null while a part of it is unpaid.
    pub settled_at: Option<DateTime<Utc>>,
}

/// The price of a job that has just been completed.
#[derive(Debug, Clone, Copy)]
pub struct NewDue {
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub due_paise: i64,
    /// As in [`JobDue`].
    pub account_paise: i64,
    pub created_at: DateTime<Utc>,
}

impl JobDue {
    /// Returns what is left to pay.
    pub fn left_paise(&self) -> i64 {
        self.due_paise - self.paid_paise
    }

    /// Returns whether the part of an organisation is not booked yet. Nobody pays the rest before it is: then what is left is theirs.
    pub fn awaits_account(&self) -> bool {
        self.paid_paise < self.account_paise
    }
}

pub async fn insert(tx: &mut PgConnection, dues: &[NewDue]) -> Result<()> {
    sqlx::query(
        "insert into job_dues (job_id, customer_id, mechanic_profile_id, due_paise, account_paise, created_at)
        select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::bigint[]),
            (select $5::bigint[]), (select $6::timestamptz[]))",
    )
    .bind(dues.iter().map(|due| due.job_id).bind_iter())
    .bind(dues.iter().map(|due| due.customer_id).bind_iter())
    .bind(dues.iter().map(|due| due.mechanic_profile_id).bind_iter())
    .bind(dues.iter().map(|due| due.due_paise).bind_iter())
    .bind(dues.iter().map(|due| due.account_paise).bind_iter())
    .bind(dues.iter().map(|due| due.created_at).bind_iter())
    .execute(tx)
    .await
    .map(drop)
}

pub async fn find(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Option<JobDue>> {
    sqlx::query_as("select * from job_dues where job_id = $1").bind(job_id).fetch_optional(db).await
}

/// A job that cost nothing.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct FreeJob {
    pub job_id: Uuid,
    pub created_at: DateTime<Utc>,
}

/// Returns completed jobs that cost nothing and are not settled yet, in order, starting after the job `after`.
pub async fn free(db: impl PgExecutor<'_>, after: Option<&FreeJob>, limit: i64) -> Result<Vec<FreeJob>> {
    sqlx::query_as(
        "select d.job_id, d.created_at from job_dues d join job_states j on j.id = d.job_id
        where d.due_paise = 0 and d.settled_at is null and j.status = 'completed'
            and ($1::timestamptz is null or (d.created_at, d.job_id) > ($1, $2))
        order by d.created_at, d.job_id
        limit $3",
    )
    .bind(after.map(|last| last.created_at))
    .bind(after.map(|last| last.job_id))
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Holds the earnings from the job until this time. `None` ends the hold: they clear like any other.
pub async fn hold(tx: &mut PgConnection, job_id: Uuid, until: Option<DateTime<Utc>>) -> Result<()> {
    sqlx::query("update job_dues set held_until = $2 where job_id = $1")
        .bind(job_id)
        .bind(until)
        .execute(tx)
        .await
        .map(drop)
}

pub async fn set(tx: &mut PgConnection, due: &JobDue, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update job_dues set due_paise = $2, paid_paise = $3, account_paise = least($5::bigint, $2::bigint),
            settled_at = case when $2::bigint = $3::bigint then coalesce(settled_at, $4::timestamptz) end
        where job_id = $1",
    )
    .bind(due.job_id)
    .bind(due.due_paise)
    .bind(due.paid_paise)
    .bind(at)
    .bind(due.account_paise)
    .execute(tx)
    .await
    .map(drop)
}

/// A fee for a cancelled job.
#[derive(Debug, Clone, FromRow)]
pub struct FeeRow {
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Option<Uuid>,
    pub amount_paise: i64,
    pub status: FeeStatus,
    /// An admin has yet to decide whether the customer has to pay.
    pub is_contested: bool,
    pub cancelled_at: DateTime<Utc>,
}

impl FeeRow {
    /// Returns whether the fee has to be paid now.
    pub fn is_due(&self) -> bool {
        self.status == FeeStatus::Due && !self.is_contested
    }
}

impl StoredRow for FeeRow {
    const TABLE: &'static str = "cancellation_fees";
    const KEY: &'static str = "job_id";
}

pub async fn insert_fee(tx: &mut PgConnection, fee: &FeeRow) -> Result<()> {
    sqlx::query(
        "insert into cancellation_fees (job_id, customer_id, mechanic_profile_id, amount_paise, status, cancelled_at)
        values ($1, $2, $3, $4, 'due', $5)",
    )
    .bind(fee.job_id)
    .bind(fee.customer_id)
    .bind(fee.mechanic_profile_id)
    .bind(fee.amount_paise)
    .bind(fee.cancelled_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Returns the fees that a customer has to pay now, the oldest first, at most `limit`.
pub async fn unpaid_fees(db: impl PgExecutor<'_>, customer_id: Uuid, limit: i64) -> Result<Vec<FeeRow>> {
    sqlx::query(
        "select * from cancellation_fees
        where customer_id = $1 and status = 'due' and not is_contested
        order by cancelled_at, job_id
        limit $2",
    )
    .bind(customer_id)
    .bind(limit)
    .try_map(read::<FeeRow>)
    .fetch_all(db)
    .await
}

/// The fees that a customer owes, in paise.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct OwedFees {
    /// The sum that has to be paid now.
    pub due_paise: i64,
    /// The sum that is not due before an admin has decided.
    pub contested_paise: i64,
}

/// The reasons why a customer's account can't be closed.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct CustomerDebts {
    pub owes_job: bool,
    pub owes_fee: bool,
    /// The customer has an order at the gateway that may still be paid.
    pub is_paying: bool,
}

pub async fn debts_of_customer(
    tx: &mut PgConnection,
    customer_id: Uuid,
    now: DateTime<Utc>,
) -> Result<CustomerDebts> {
    sqlx::query_as(
        "select
            exists (select from job_dues
                where customer_id = $1 and settled_at is null and due_paise > paid_paise) as owes_job,
            exists (select from cancellation_fees where customer_id = $1 and status = 'due') as owes_fee,
            exists (select from payments where customer_id = $1 and is_open and channel = 'online'
                and (expires_at > $2 or status = 'authorized')) as is_paying",
    )
    .bind(customer_id)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// The reasons why a mechanic's account can't be closed.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct MechanicClaims {
    pub is_owed: bool,
    /// An order at the gateway for a job or a fee that pays them may still be paid.
    pub is_being_paid: bool,
}

/// Returns the claims of a mechanic. An unpaid job counts if it was completed after `since`, or is disputed.
pub async fn claims_of_mechanic(
    tx: &mut PgConnection,
    mechanic_profile_id: Uuid,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<MechanicClaims> {
    sqlx::query_as(
        "select
            exists (select from job_dues due join job_states job on job.id = due.job_id
                where due.mechanic_profile_id = $1 and due.settled_at is null and due.due_paise > due.paid_paise
                    and (due.created_at > $2 or job.status = 'disputed')) as is_owed,
            exists (select from job_dues due join payments payment on payment.job_id = due.job_id
                where due.mechanic_profile_id = $1 and due.settled_at is null
                    and payment.is_open and payment.channel = 'online'
                    and (payment.expires_at > $3 or payment.status = 'authorized'))
            or exists (select from cancellation_fees fee join payment_fees part on part.job_id = fee.job_id
                join payments payment on payment.id = part.payment_id
                where fee.mechanic_profile_id = $1 and fee.status = 'due' and payment.is_open
                    and (payment.expires_at > $3 or payment.status = 'authorized')) as is_being_paid",
    )
    .bind(mechanic_profile_id)
    .bind(since)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Returns these fees, locked, in the order of their jobs.
pub async fn lock_fees(tx: &mut PgConnection, job_ids: &[Uuid]) -> Result<Vec<FeeRow>> {
    sqlx::query(
        "select * from cancellation_fees
        where job_id = any((select $1)::uuid[])
        order by job_id
        for update",
    )
    .bind(job_ids)
    .try_map(read::<FeeRow>)
    .fetch_all(tx)
    .await
}

pub async fn set_contested(tx: &mut PgConnection, job_id: Uuid, is_contested: bool) -> Result<()> {
    sqlx::query("update cancellation_fees set is_contested = $2 where job_id = $1")
        .bind(job_id)
        .bind(is_contested)
        .execute(tx)
        .await
        .map(drop)
}

pub async fn settle_fee(
    tx: &mut PgConnection,
    job_id: Uuid,
    status: FeeStatus,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update cancellation_fees set status = $2, settled_at = $3 where job_id = $1 and status = 'due'",
    )
    .bind(job_id)
    .bind(status)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// The bill of a job that has ended.
#[derive(Debug, Clone)]
pub struct NewBill {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub organisation_id: Uuid,
    pub contract_id: Uuid,
    pub outcome: &'static str,
    pub price_paise: i64,
    pub payable_paise: i64,
    pub driver_paise: i64,
    pub evidence: Value,
    pub decided_at: DateTime<Utc>,
}

pub async fn insert_bill(tx: &mut PgConnection, bill: &NewBill) -> Result<()> {
    sqlx::query(
        "insert into partner_bills (job_id, case_id, organisation_id, contract_id, outcome, price_paise, payable_paise,
            driver_paise, evidence, decided_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(bill.job_id)
    .bind(bill.case_id)
    .bind(bill.organisation_id)
    .bind(bill.contract_id)
    .bind(bill.outcome)
    .bind(bill.price_paise)
    .bind(bill.payable_paise)
    .bind(bill.driver_paise)
    .bind(&bill.evidence)
    .bind(bill.decided_at)
    .execute(tx)
    .await
    .map(drop)
}

/// Lowers what an organisation owes for a job by this amount, at most to zero. Returns by how much it became lower.
pub async fn lower_bill(tx: &mut PgConnection, job_id: Uuid, paise: i64) -> Result<i64> {
    let lowered = sqlx::query_scalar(
        "update partner_bills bill set payable_paise = was.payable_paise - least(was.payable_paise, $2::bigint)
        from (select job_id, payable_paise from partner_bills where job_id = $1 for update) was
        where bill.job_id = was.job_id
        returning was.payable_paise - bill.payable_paise",
    );
    let lowered: Option<i64> = lowered.bind(job_id).bind(paise).fetch_optional(tx).await?;
    Ok(lowered.unwrap_or_default())
}
