use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{PayOutcome, PayoutOutcome};

#[derive(Debug, Clone, FromRow)]
pub struct SandboxOrder {
    pub id: String,
    pub receipt: Uuid,
    pub amount_paise: i64,
    pub currency: String,
    pub expires_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

/// An attempt to pay.
#[derive(Debug, Clone, FromRow)]
pub struct SandboxPayment {
    pub id: String,
    pub order_id: String,
    pub amount_paise: i64,
    pub currency: String,
    pub status: PayOutcome,
    pub method: String,
    pub refunded_paise: i64,
    pub error: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for SandboxPayment {
    const TABLE: &'static str = "sandbox_payments";
}

#[derive(Debug, Clone, FromRow)]
pub struct SandboxRefund {
    pub id: String,
    pub refund_id: Uuid,
    pub payment_id: String,
    pub amount_paise: i64,
    pub currency: String,
    pub settles_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, FromRow)]
pub struct SandboxPayout {
    pub id: String,
    pub withdrawal_id: Uuid,
    pub amount_paise: i64,
    pub currency: String,
    /// The outcome once the payout is settled.
    #[sqlx(rename = "ending")]
    pub outcome: PayoutOutcome,
    pub settles_at: DateTime<Utc>,
    pub reverses_at: Option<DateTime<Utc>>,
    pub utr: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for SandboxPayout {
    const TABLE: &'static str = "sandbox_payouts";
}

#[derive(Debug, Clone, FromRow)]
pub struct SandboxValidation {
    pub id: String,
    pub upi_account_id: Uuid,
    pub fund_account_id: String,
    pub name_at_bank: Option<String>,
    pub settles_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

/// A webhook to send.
#[derive(Debug, Clone, FromRow)]
pub struct WebhookDelivery {
    pub id: Uuid,
    pub event_id: String,
    pub event: String,
    pub subject: String,
    pub body: String,
    pub due_at: DateTime<Utc>,
    /// The number of attempts, including this one.
    pub attempts: i32,
}

pub async fn insert_order(db: impl PgExecutor<'_>, order: &SandboxOrder) -> Result<()> {
    sqlx::query(
        "insert into sandbox_orders (id, receipt, amount_paise, currency, expires_at, created_at)
        values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&order.id)
    .bind(order.receipt)
    .bind(order.amount_paise)
    .bind(&order.currency)
    .bind(order.expires_at)
    .bind(order.created_at)
    .run(db)
    .await
}

pub async fn has_order(db: impl PgExecutor<'_>, id: &str) -> Result<bool> {
    sqlx::query_scalar("select exists (select from sandbox_orders where id = $1)")
        .bind(id)
        .fetch_one(db)
        .await
}

/// Returns an order, locked against a second payment until the transaction ends.
pub async fn lock_order(tx: &mut PgConnection, id: &str) -> Result<Option<SandboxOrder>> {
    sqlx::query_as("select * from sandbox_orders where id = $1 for update").bind(id).fetch_optional(tx).await
}

pub async fn payments_of(db: impl PgExecutor<'_>, order_id: &str) -> Result<Vec<SandboxPayment>> {
    sqlx::query("select * from sandbox_payments where order_id = $1 order by created_at, id")
        .bind(order_id)
        .all(db)
        .await
}

pub async fn payment(db: impl PgExecutor<'_>, id: &str) -> Result<Option<SandboxPayment>> {
    sqlx::query("select * from sandbox_payments where id = $1").bind(id).optional(db).await
}

pub async fn lock_payment(tx: &mut PgConnection, id: &str) -> Result<Option<SandboxPayment>> {
    sqlx::query("select * from sandbox_payments where id = $1 for update").bind(id).optional(tx).await
}

pub async fn insert_payment(tx: &mut PgConnection, payment: &SandboxPayment) -> Result<()> {
    sqlx::query(
        "insert into sandbox_payments
            (id, order_id, amount_paise, currency, status, method, refunded_paise, error, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&payment.id)
    .bind(&payment.order_id)
    .bind(payment.amount_paise)
    .bind(&payment.currency)
    .bind(payment.status)
    .bind(&payment.method)
    .bind(payment.refunded_paise)
    .bind(&payment.error)
    .bind(payment.created_at)
    .run(tx)
    .await
}

pub async fn update_payment(tx: &mut PgConnection, payment: &SandboxPayment) -> Result<()> {
    sqlx::query("update sandbox_payments set status = $2, refunded_paise = $3 where id = $1")
        .bind(&payment.id)
        .bind(payment.status)
        .bind(payment.refunded_paise)
        .run(tx)
        .await
}

pub async fn refund(db: impl PgExecutor<'_>, refund_id: Uuid) -> Result<Option<SandboxRefund>> {
    sqlx::query_as("select * from sandbox_refunds where refund_id = $1")
        .bind(refund_id)
        .fetch_optional(db)
        .await
}

pub async fn refunds_of(db: impl PgExecutor<'_>, payment_id: &str) -> Result<Vec<SandboxRefund>> {
    sqlx::query_as("select * from sandbox_refunds where payment_id = $1 order by created_at, id")
        .bind(payment_id)
        .fetch_all(db)
        .await
}

pub async fn insert_refund(tx: &mut PgConnection, refund: &SandboxRefund) -> Result<()> {
    sqlx::query(
        "insert into sandbox_refunds (id, refund_id, payment_id, amount_paise, currency, settles_at, created_at)
        values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&refund.id)
    .bind(refund.refund_id)
    .bind(&refund.payment_id)
    .bind(refund.amount_paise)
    .bind(&refund.currency)
    .bind(refund.settles_at)
    .bind(refund.created_at)
    .run(tx)
    .await
}

/// Stores a payout; returns false if the withdrawal has one already. Waits for a payout that is being made.
pub async fn insert_payout(tx: &mut PgConnection, payout: &SandboxPayout) -> Result<bool> {
    let done = sqlx::query(
        "insert into sandbox_payouts
            (id, withdrawal_id, amount_paise, currency, ending, settles_at, reverses_at, utr, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (withdrawal_id) do nothing",
    )
    .bind(&payout.id)
    .bind(payout.withdrawal_id)
    .bind(payout.amount_paise)
    .bind(&payout.currency)
    .bind(payout.outcome)
    .bind(payout.settles_at)
    .bind(payout.reverses_at)
    .bind(&payout.utr)
    .bind(payout.created_at)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn payout_of(db: impl PgExecutor<'_>, withdrawal_id: Uuid) -> Result<Option<SandboxPayout>> {
    sqlx::query("select * from sandbox_payouts where withdrawal_id = $1")
        .bind(withdrawal_id)
        .optional(db)
        .await
}

pub async fn payout(db: impl PgExecutor<'_>, id: &str) -> Result<Option<SandboxPayout>> {
    sqlx::query("select * from sandbox_payouts where id = $1").bind(id).optional(db).await
}

/// Stores a look-up; returns false if the account has one already. Waits for a look-up that is being made.
pub async fn insert_validation(tx: &mut PgConnection, validation: &SandboxValidation) -> Result<bool> {
    let done = sqlx::query(
        "insert into sandbox_validations
            (id, upi_account_id, fund_account_id, name_at_bank, settles_at, created_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (upi_account_id) do nothing",
    )
    .bind(&validation.id)
    .bind(validation.upi_account_id)
    .bind(&validation.fund_account_id)
    .bind(&validation.name_at_bank)
    .bind(validation.settles_at)
    .bind(validation.created_at)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn validation_of(
    db: impl PgExecutor<'_>,
    upi_account_id: Uuid,
) -> Result<Option<SandboxValidation>> {
    sqlx::query_as("select * from sandbox_validations where upi_account_id = $1")
        .bind(upi_account_id)
        .fetch_optional(db)
        .await
}

pub async fn validation(db: impl PgExecutor<'_>, id: &str) -> Result<Option<SandboxValidation>> {
    sqlx::query_as("select * from sandbox_validations where id = $1").bind(id).fetch_optional(db).await
}

pub async fn insert_delivery(
    tx: &mut PgConnection,
    delivery: &WebhookDelivery,
    created_at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "insert into sandbox_deliveries (id, event_id, event, subject, body, due_at, attempts, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(delivery.id)
    .bind(&delivery.event_id)
    .bind(&delivery.event)
    .bind(&delivery.subject)
    .bind(&delivery.body)
    .bind(delivery.due_at)
    .bind(delivery.attempts)
    .bind(created_at)
    .run(tx)
    .await
}

/// Takes due webhooks, the earliest first, and puts them off to `until`: if this process dies, they are sent then.
pub async fn take_due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    at_most: i64,
) -> Result<Vec<WebhookDelivery>> {
    sqlx::query_as(
        "with due as (
            select id, due_at as was_due from sandbox_deliveries
            where settled_at is null and due_at <= $1
            order by due_at, id limit $3
            for update skip locked
        ), taken as (
            update sandbox_deliveries d set due_at = $2, attempts = attempts + 1
            from due where d.id = due.id
            returning d.id, d.event_id, d.event, d.subject, d.body, due.was_due as due_at, d.attempts
        )
        select id, event_id, event, subject, body, due_at, attempts from taken order by due_at, id",
    )
    .bind(now)
    .bind(until)
    .bind(at_most)
    .fetch_all(db)
    .await
}

/// Returns when the next webhook is due.
pub async fn next_due(db: impl PgExecutor<'_>) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select min(due_at) from sandbox_deliveries where settled_at is null")
        .fetch_one(db)
        .await
}

pub async fn settle(db: impl PgExecutor<'_>, id: Uuid, is_delivered: bool, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update sandbox_deliveries set settled_at = $3, is_delivered = $2 where id = $1")
        .bind(id)
        .bind(is_delivered)
        .bind(now)
        .run(db)
        .await
}

pub async fn put_off(db: impl PgExecutor<'_>, id: Uuid, until: DateTime<Utc>) -> Result<()> {
    sqlx::query("update sandbox_deliveries set due_at = $2 where id = $1 and settled_at is null")
        .bind(id)
        .bind(until)
        .run(db)
        .await
}

pub async fn sweep(db: impl PgExecutor<'_>, settled_before: DateTime<Utc>, at_most: i64) -> Result<u64> {
    sqlx::query(
        "delete from sandbox_deliveries where id in (
            select id from sandbox_deliveries where settled_at < $1 order by settled_at limit $2)",
    )
    .bind(settled_before)
    .bind(at_most)
    .changed(db)
    .await
}
