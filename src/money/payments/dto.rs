//! Payments on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::state::PaymentStatus;
pub use crate::money::wallet::RefundSource;
use crate::{
    accounts::users::CustomerContact,
    http::{CsvRow, Id, Items, Money, Text, Timestamp, ValidationErrors, text_enum},
};

text_enum! {
    /// The way in which a payment is made: at the gateway, in cash to the mechanic, or on the account of the organisation that ordered
    /// the job.
    Channel { Online = "online", Cash = "cash", Account = "account", }
}

text_enum! {
    /// The way in which a customer chooses to pay: at the gateway, or in cash to the mechanic.
    PayBy { Online = "online", Cash = "cash", }
}

text_enum! {
    /// The purpose of a payment.
    Purpose { Job = "job", Fees = "fees", }
}

text_enum! {
    /// The progress of a refund.
    ShownRefundStatus { Pending = "pending", Processed = "processed", Failed = "failed", }
}

/// The subject of an order: a job, or a set of cancellation fees.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewOrder {
    #[deserr(default)]
    pub job_id: Option<Id>,
    /// The cancelled jobs whose fees are paid; give either this or `job_id`.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<Id>>, min_items = 1, max_items = 100)]
    pub fee_job_ids: Option<Items<Id, 1, 100>>,
    /// The way to pay, `online` by default; fees can't be paid in cash.
    #[deserr(default)]
    pub method: Option<PayBy>,
}

impl From<PayBy> for Channel {
    fn from(chosen: PayBy) -> Self {
        match chosen {
            PayBy::Online => Self::Online,
            PayBy::Cash => Self::Cash,
        }
    }
}

/// An order, with which the customer's app opens the gateway's checkout.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderMade {
    pub payment_id: Uuid,
    /// The order's id at the gateway; null for cash.
    pub gateway_order_id: Option<String>,
    pub amount: Money,
    pub currency: String,
    /// The gateway's public key id; null for cash.
    pub key_id: Option<String>,
    pub method: Channel,
    /// When the order expires; null for cash.
    pub expires_at: Option<Timestamp>,
}

/// The amount of cash that changed hands. The answer is CONFLICT if the payment is for another amount.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ConfirmCash {
    pub amount: Money,
}

/// The data that the gateway's checkout handed to the customer's app.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Verify {
    pub gateway_order_id: Text<1, 100>,
    pub gateway_payment_id: Text<1, 100>,
    /// Hex HMAC-SHA256 of `{order}|{payment}` under the gateway's key secret.
    pub signature: Text<1, 200>,
}

/// A payment.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Payment {
    pub id: Uuid,
    pub customer_id: Uuid,
    pub purpose: Purpose,
    /// The job that is paid; null if the payment is for fees.
    pub job_id: Option<Uuid>,
    /// The cancelled jobs whose fees are paid.
    pub fee_job_ids: Vec<Uuid>,
    pub channel: Channel,
    pub status: PaymentStatus,
    pub amount: Money,
    pub currency: String,
    /// The amount that was refunded, or is being refunded.
    pub refunded_amount: Money,
    /// The gateway's name; null for cash.
    pub gateway: Option<String>,
    pub gateway_order_id: Option<String>,
    pub gateway_payment_id: Option<String>,
    /// The customer's payment method, in the gateway's word. The set of words is open: gateways add some.
    #[schema(example = "upi")]
    pub method: Option<String>,
    /// The reason why it failed, in the gateway's words.
    pub failure: Option<String>,
    /// When the customer said that they paid in cash; null before.
    pub cash_confirmed_by_customer_at: Option<Timestamp>,
    /// When the mechanic said that they were paid in cash; null before.
    pub cash_confirmed_by_mechanic_at: Option<Timestamp>,
    /// Whether it may still be paid.
    pub is_open: bool,
    pub expires_at: Option<Timestamp>,
    /// When the money was taken; null before.
    pub captured_at: Option<Timestamp>,
    /// The payment whose order this payment paid a second time; this payment is refunded in full.
    pub duplicate_of: Option<Uuid>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Payment {
    /// Returns whether an organisation pays it by its bill.
    pub fn is_on_account(&self) -> bool {
        self.channel == Channel::Account
    }
}

impl CsvRow for Payment {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "customer_id",
        "purpose",
        "job_id",
        "fee_job_ids",
        "channel",
        "status",
        "amount",
        "currency",
        "refunded_amount",
        "gateway",
        "gateway_order_id",
        "gateway_payment_id",
        "method",
        "failure",
        "cash_confirmed_by_customer_at",
        "cash_confirmed_by_mechanic_at",
        "is_open",
        "expires_at",
        "captured_at",
        "duplicate_of",
        "created_at",
        "updated_at",
    ];
}

/// A payment with its customer, as only admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentForAdmin {
    #[serde(flatten)]
    pub payment: Payment,
    #[serde(flatten)]
    pub customer: CustomerContact,
}

impl CsvRow for PaymentForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[Payment::COLUMNS, CustomerContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[];
}

/// A fee that the caller owes (contract 2.6).
#[derive(Debug, Serialize, ToSchema)]
pub struct UnpaidFee {
    pub job_id: Uuid,
    pub cancellation_fee: Money,
    pub cancelled_at: Timestamp,
}

/// A request for a refund.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewRefund {
    /// The amount to refund; if left out, everything that is left of the payment.
    #[deserr(default)]
    pub amount: Option<Money>,
    pub reason: Text<1, 500>,
}

/// The proof that a refund was paid by hand.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MarkRefundPaid {
    /// The bank's reference, or whatever else proves the refund.
    pub reference: Text<1, 100>,
}

/// A refund.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Refund {
    pub id: Uuid,
    pub payment_id: Uuid,
    pub amount: Money,
    pub status: ShownRefundStatus,
    pub source: RefundSource,
    pub reason: Option<String>,
    /// The refund's id at the gateway; null before it has one, and for cash.
    pub gateway_refund_id: Option<String>,
    pub failure: Option<String>,
    pub created_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

impl CsvRow for Refund {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "payment_id",
        "amount",
        "status",
        "source",
        "reason",
        "gateway_refund_id",
        "failure",
        "created_at",
        "settled_at",
    ];
}

/// A refund with the customer who is paid back, as only admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundForAdmin {
    #[serde(flatten)]
    pub refund: Refund,
    /// The way in which the payment was made, and so is paid back.
    pub channel: Channel,
    /// The job that the payment is for; null if it is for fees.
    #[schema(example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01")]
    pub job_id: Option<Uuid>,
    #[schema(example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01")]
    pub customer_id: Uuid,
    #[serde(flatten)]
    pub customer: CustomerContact,
}

impl CsvRow for RefundForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[Refund::COLUMNS, CustomerContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &["channel", "job_id", "customer_id"];
}
