//! The queries of payments. Their times are read before their rows are locked: `updated_at` takes the later one, so
//! that it never goes back.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::{
    dto::{Channel, Purpose},
    state::PaymentStatus,
};
use crate::{
    http::{Between, ListWindow, PageParams, list_filter},
    platform::db::{StoredRow, read},
    providers::gateway::Attempt,
};

/// A row of `payments`.
#[derive(Debug, Clone, FromRow)]
pub struct PaymentRow {
    pub id: Uuid,
    pub customer_id: Uuid,
    pub purpose: Purpose,
    pub job_id: Option<Uuid>,
    pub channel: Channel,
    pub status: PaymentStatus,
    pub amount_paise: i64,
    pub currency: String,
    pub applied_paise: i64,
    pub refunded_paise: i64,
    pub gateway: Option<String>,
    pub gateway_order_id: Option<String>,
    pub gateway_payment_id: Option<String>,
    pub method: Option<String>,
    pub failure: Option<String>,
    pub cash_customer_at: Option<DateTime<Utc>>,
    pub cash_mechanic_at: Option<DateTime<Utc>>,
    pub is_open: bool,
    pub expires_at: Option<DateTime<Utc>>,
    pub captured_at: Option<DateTime<Utc>>,
    pub duplicate_of: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for PaymentRow {
    const TABLE: &'static str = "payments";
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<PaymentRow>> {
    sqlx::query("select * from payments where id = $1")
        .bind(id)
        .try_map(read::<PaymentRow>)
        .fetch_optional(db)
        .await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<PaymentRow>> {
    sqlx::query("select * from payments where id = $1 for update")
        .bind(id)
        .try_map(read::<PaymentRow>)
        .fetch_optional(tx)
        .await
}

pub async fn by_order(db: impl PgExecutor<'_>, gateway_order_id: &str) -> Result<Option<PaymentRow>> {
    sqlx::query("select * from payments where gateway_order_id = $1")
        .bind(gateway_order_id)
        .try_map(read::<PaymentRow>)
        .fetch_optional(db)
        .await
}

pub async fn by_attempt(db: impl PgExecutor<'_>, gateway_payment_id: &str) -> Result<Option<PaymentRow>> {
    sqlx::query("select * from payments where gateway_payment_id = $1")
        .bind(gateway_payment_id)
        .try_map(read::<PaymentRow>)
        .fetch_optional(db)
        .await
}

/// Returns the payment that may still be paid for a job, locked.
pub async fn open_of_job(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<PaymentRow>> {
    sqlx::query("select * from payments where job_id = $1 and is_open and purpose = 'job' for update")
        .bind(job_id)
        .try_map(read::<PaymentRow>)
        .fetch_optional(tx)
        .await
}

/// Returns whether the customer has confirmed the cash payment that may still be paid for a job.
pub async fn is_cash_confirmed(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from payments
            where job_id = $1 and is_open and purpose = 'job' and channel = 'cash' and cash_customer_at is not null)",
    )
    .bind(job_id)
    .fetch_one(db)
    .await
}

/// Returns the payment that may still be paid for a customer's fees, locked.
pub async fn open_for_fees(tx: &mut PgConnection, customer_id: Uuid) -> Result<Option<PaymentRow>> {
    sqlx::query("select * from payments where customer_id = $1 and is_open and purpose = 'fees' for update")
        .bind(customer_id)
        .try_map(read::<PaymentRow>)
        .fetch_optional(tx)
        .await
}

/// A payment that is to be made.
#[derive(Debug)]
pub struct NewPayment<'a> {
    pub id: Uuid,
    pub customer_id: Uuid,
    pub purpose: Purpose,
    pub job_id: Option<Uuid>,
    pub channel: Channel,
    pub amount_paise: i64,
    pub currency: &'a str,
    pub gateway: Option<&'static str>,
    pub expires_at: Option<DateTime<Utc>>,
    pub at: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewPayment<'_>) -> Result<PaymentRow> {
    sqlx::query(
        "insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, gateway,
            is_open, expires_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, 'created', $6, $7, $8, true, $9, $10, $10)
        returning *",
    )
    .bind(new.id)
    .bind(new.customer_id)
    .bind(new.purpose)
    .bind(new.job_id)
    .bind(new.channel)
    .bind(new.amount_paise)
    .bind(new.currency)
    .bind(new.gateway)
    .bind(new.expires_at)
    .bind(new.at)
    .try_map(read::<PaymentRow>)
    .fetch_one(tx)
    .await
}

pub async fn insert_fees(
    tx: &mut PgConnection,
    payment_id: Uuid,
    job_ids: &[Uuid],
    amounts: &[i64],
) -> Result<()> {
    sqlx::query(
        "insert into payment_fees (payment_id, job_id, amount_paise)
        select $1, * from unnest($2::uuid[], $3::bigint[])",
    )
    .bind(payment_id)
    .bind(job_ids)
    .bind(amounts)
    .execute(tx)
    .await
    .map(drop)
}

/// A fee that a payment is for.
#[derive(Debug, Clone, FromRow)]
pub struct PaidFee {
    pub payment_id: Uuid,
    pub job_id: Uuid,
}

/// Returns the fees of these payments, in the order of payments and jobs.
pub async fn fees_of(db: impl PgExecutor<'_>, payment_ids: &[Uuid]) -> Result<Vec<PaidFee>> {
    sqlx::query_as(
        "select payment_id, job_id from payment_fees where payment_id = any((select $1)::uuid[]) order by payment_id, job_id",
    )
    .bind(payment_ids)
    .fetch_all(db)
    .await
}

/// Stores the order's id. Returns false if the payment was closed meanwhile.
pub async fn set_order(
    tx: &mut PgConnection,
    id: Uuid,
    gateway_order_id: &str,
    at: DateTime<Utc>,
) -> Result<bool> {
    let set = sqlx::query(
        "update payments set gateway_order_id = $2, asked_at = $3, updated_at = $3
        where id = $1 and is_open and gateway_order_id is null",
    )
    .bind(id)
    .bind(gateway_order_id)
    .bind(at)
    .execute(tx)
    .await?;
    Ok(set.rows_affected() == 1)
}

/// Returns the payment by which a mechanic earned a job's fee.
pub async fn of_fee(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<Uuid>> {
    sqlx::query_scalar("select payment_id from earnings where job_id = $1 and kind = 'fee'")
        .bind(job_id)
        .fetch_optional(tx)
        .await
}

/// Returns whether one of the fees that a payment is for was paid some other way, waived or contested.
pub async fn has_settled_fee(tx: &mut PgConnection, payment_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from payment_fees p join cancellation_fees f on f.job_id = p.job_id
            where p.payment_id = $1 and (f.status <> 'due' or f.is_contested))",
    )
    .bind(payment_id)
    .fetch_one(tx)
    .await
}

/// Closes a payment: it can no longer be paid, but a capture that still comes is taken. Returns false if it was closed
/// before.
pub async fn close(
    db: impl PgExecutor<'_>,
    id: Uuid,
    failure: Option<&str>,
    at: DateTime<Utc>,
) -> Result<bool> {
    let closed = sqlx::query(
        "update payments set is_open = false, updated_at = greatest(updated_at, $3), failure = coalesce($2::text, failure),
            status = case when $2::text is not null and status = 'created' then 'failed' else status end
        where id = $1 and is_open",
    )
    .bind(id)
    .bind(failure)
    .bind(at)
    .execute(db)
    .await?;
    Ok(closed.rows_affected() == 1)
}

/// Moves a payment that is not captured to another status.
pub async fn set_status(
    tx: &mut PgConnection,
    id: Uuid,
    status: PaymentStatus,
    method: Option<&str>,
    failure: Option<&str>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update payments set status = $2::text, method = coalesce($3, method), updated_at = greatest(updated_at, $5::timestamptz),
            failure = case when $2::text = 'failed' then $4::text end,
            authorized_at = case when $2::text = 'authorized' then coalesce(authorized_at, $5::timestamptz)
                else authorized_at end
        where id = $1",
    )
    .bind(id)
    .bind(status)
    .bind(method)
    .bind(failure)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Raises `updated_at` of a payment whose attempts have changed and whose row has not, even if no time has passed.
pub async fn touch(tx: &mut PgConnection, id: Uuid, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update payments set updated_at = greatest(updated_at + interval '1 microsecond', $2) where id = $1",
    )
    .bind(id)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Marks a payment as captured; `applied_paise` of it paid for something.
pub async fn capture(
    tx: &mut PgConnection,
    id: Uuid,
    attempt: Option<&Attempt>,
    applied_paise: i64,
    at: DateTime<Utc>,
) -> Result<PaymentRow> {
    sqlx::query(
        "update payments set status = 'captured', gateway_payment_id = $2, method = coalesce($3, method),
            applied_paise = $4, is_open = false, failure = null, captured_at = $5, updated_at = greatest(updated_at, $5)
        where id = $1
        returning *",
    )
    .bind(id)
    .bind(attempt.map(|attempt| attempt.id.as_str()))
    .bind(attempt.and_then(|attempt| attempt.method.as_deref()))
    .bind(applied_paise)
    .bind(at)
    .try_map(read::<PaymentRow>)
    .fetch_one(tx)
    .await
}

/// Records who confirmed that cash changed hands; earlier confirmations stay.
pub async fn confirm_cash(
    tx: &mut PgConnection,
    id: Uuid,
    by_customer: Option<DateTime<Utc>>,
    by_mechanic: Option<DateTime<Utc>>,
    at: DateTime<Utc>,
) -> Result<PaymentRow> {
    sqlx::query(
        "update payments set cash_customer_at = coalesce(cash_customer_at, $2),
            cash_mechanic_at = coalesce(cash_mechanic_at, $3), updated_at = greatest(updated_at, $4)
        where id = $1
        returning *",
    )
    .bind(id)
    .bind(by_customer)
    .bind(by_mechanic)
    .bind(at)
    .try_map(read::<PaymentRow>)
    .fetch_one(tx)
    .await
}

list_filter! {
    /// The filter of the admins' list of payments. A payment must match all given fields.
    PaymentFilter {
        status: Option<PaymentStatus> = "captured",
        job_id: Option<Uuid> = "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
        /// Of this customer.
        customer_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`PaymentFilter`]: $1 is the status, $2 the job, $3 the customer, $4 and $5 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or status = $1)
            and ($2::uuid is null or job_id = $2)
            and ($3::uuid is null or customer_id = $3)
            and ($4::timestamptz is null or created_at >= $4)
            and ($5::timestamptz is null or created_at < $5)"
    };
}

/// Returns a part of the list, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &PaymentFilter,
    slice: ListWindow,
) -> Result<Vec<PaymentRow>> {
    sqlx::query(concat!(
        "select * from payments where ",
        listed!(),
        " and ($6::timestamptz is null or (created_at, id) < ($6, $7))
        order by created_at desc, id desc
        limit $8 offset $9",
    ))
    .bind(filter.status)
    .bind(filter.job_id)
    .bind(filter.customer_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(slice.after_at())
    .bind(slice.after_id())
    .bind(slice.limit)
    .bind(slice.offset)
    .persistent(false)
    .try_map(read::<PaymentRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &PaymentFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from payments where ", listed!()))
        .bind(filter.status)
        .bind(filter.job_id)
        .bind(filter.customer_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

list_filter! {
    /// The filter of the list of payments for their participants. A payment must match all given fields.
    OwnPaymentFilter {
        job_id: Option<Uuid> = "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
        status: Option<PaymentStatus> = "captured",
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`OwnPaymentFilter`] on a payment `p`: $3 is the job, $4 the status, $5 and $6 are the period. $1 is
/// the customer, and $2 the mechanic. Subqueries hide which of them are given: Postgres then makes one plan, once.
macro_rules! listed_of_person {
    () => {
        "((select $3::uuid) is null or p.job_id = (select $3::uuid))
                and ((select $4::text) is null or p.status = (select $4::text))
                and p.created_at >= coalesce($5::timestamptz, '-infinity')
                and p.created_at < coalesce($6::timestamptz, 'infinity')"
    };
}

/// Returns a person's payments, as customer and, unless an organisation pays them on account, as the mechanic of a job, newest
/// first. The statement gathers payments for jobs that the person served before it sorts: with the order and the limit beside the
/// join, Postgres may look for them among all payments.
pub async fn list_of_person(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    filter: &OwnPaymentFilter,
    page: PageParams,
) -> Result<Vec<PaymentRow>> {
    sqlx::query(concat!(
        "with served as materialized (
            select p.* from job_dues d join payments p on p.job_id = d.job_id
            where d.mechanic_profile_id = (select $2::uuid) and p.customer_id <> $1 and p.channel <> 'account')
        select * from (
            (select * from payments p where p.customer_id = $1 and ",
        listed_of_person!(),
        " order by p.created_at desc, p.id desc limit $7::bigint + $8::bigint)
            union all
            (select * from served p where ",
        listed_of_person!(),
        ")) own
        order by created_at desc, id desc
        limit $7 offset $8",
    ))
    .bind(customer_id)
    .bind(mechanic_profile_id)
    .bind(filter.job_id)
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<PaymentRow>)
    .fetch_all(db)
    .await
}

pub async fn count_of_person(
    db: impl PgExecutor<'_>,
    customer_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    filter: &OwnPaymentFilter,
) -> Result<i64> {
    sqlx::query_scalar(concat!(
        "select (
            select count(*) from payments p where p.customer_id = $1 and ",
        listed_of_person!(),
        ") + (
            -- An offset keeps the planner from beginning with the payments of everybody.
            select count(*) from job_dues d
            cross join lateral (select * from payments where job_id = d.job_id offset 0) p
            where d.mechanic_profile_id = (select $2::uuid) and p.customer_id <> $1 and p.channel <> 'account' and ",
        listed_of_person!(),
        ")",
    ))
    .bind(customer_id)
    .bind(mechanic_profile_id)
    .bind(filter.job_id)
    .bind(filter.status)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .fetch_one(db)
    .await
}

/// Returns whether the job is disputed because it was not paid, and the dispute is open.
pub async fn is_disputed_as_unpaid(tx: &mut PgConnection, job_id: Uuid) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from disputes where job_id = $1 and status = 'open' and reason_code = 'not_paid')",
    )
    .bind(job_id)
    .fetch_one(tx)
    .await
}

/// Claims payments about which the gateway is to be asked, because no event came for a while. They count as asked from
/// now on, so that no other server asks.
pub async fn claim_silent(
    db: impl PgExecutor<'_>,
    asked_before: DateTime<Utc>,
    at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<PaymentRow>> {
    sqlx::query(
        "update payments set asked_at = $2 where id in (
            select id from payments
            where channel = 'online' and status in ('created', 'authorized', 'failed') and is_open and asked_at < $1
            order by asked_at
            limit $3
            for update skip locked)
        returning *",
    )
    .bind(asked_before)
    .bind(at)
    .bind(limit)
    .try_map(read::<PaymentRow>).fetch_all(db)
    .await
}

/// Returns the captured payments for a job, the newest first, locked.
pub async fn captured_of_job(tx: &mut PgConnection, job_id: Uuid) -> Result<Vec<PaymentRow>> {
    sqlx::query(
        "select * from payments where job_id = $1 and captured_at is not null order by captured_at desc, id for update",
    )
    .bind(job_id)
    .try_map(read::<PaymentRow>).fetch_all(tx)
    .await
}
