//! The sandbox's input and output: the bodies of its route, and webhooks in the form that Razorpay documents.

use deserr::Deserr;
use roadcall_http::{Text, ValidationErrors, text_enum};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

text_enum! {
    /// The outcome of an attempt to pay.
    PayOutcome {
        Captured = "captured",
        /// The bank holds the money, and nobody has captured it yet.
        Authorized = "authorized",
        Failed = "failed",
    }
}

text_enum! {
    /// The outcome of a payout.
    PayoutOutcome { Processed = "processed", Failed = "failed", Reversed = "reversed", }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PayOrder {
    pub outcome: PayOutcome,
    /// The method: card, upi, netbanking, wallet …; upi by default.
    #[deserr(default)]
    pub method: Option<Text<1, 30>>,
}

/// The gateway's answer to the app at the checkout, which the app passes on to POST /payments/verify.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaidOrder {
    pub gateway_payment_id: String,
    pub gateway_order_id: String,
    pub status: PayOutcome,
    /// Hex HMAC-SHA256 of `{gateway_order_id}|{gateway_payment_id}` under the key's secret.
    pub signature: String,
}

/// The body of a webhook.
#[derive(Debug, Serialize)]
pub struct WebhookBody<'a> {
    pub entity: &'static str,
    pub account_id: &'static str,
    pub event: &'a str,
    pub contains: Vec<&'static str>,
    pub payload: WebhookPayload,
    pub created_at: i64,
}

/// The objects of a webhook. Amounts are in paise, times in seconds since 1970.
#[derive(Debug, Clone, Default, Serialize)]
pub struct WebhookPayload {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<Entity<PaymentEntity>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Entity<OrderEntity>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund: Option<Entity<RefundEntity>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payout: Option<Entity<PayoutEntity>>,
    #[serde(rename = "fund_account.validation", skip_serializing_if = "Option::is_none")]
    pub validation: Option<Entity<ValidationEntity>>,
}

impl WebhookPayload {
    /// Returns the names of its parts.
    pub fn contains(&self) -> Vec<&'static str> {
        let parts = [
            (self.payment.is_some(), "payment"),
            (self.order.is_some(), "order"),
            (self.refund.is_some(), "refund"),
            (self.payout.is_some(), "payout"),
            (self.validation.is_some(), "fund_account.validation"),
        ];
        parts.into_iter().filter_map(|(is_there, name)| is_there.then_some(name)).collect()
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Entity<T> {
    pub entity: T,
}

#[derive(Debug, Clone, Serialize)]
pub struct PaymentEntity {
    pub id: String,
    pub entity: &'static str,
    pub amount: i64,
    pub currency: String,
    pub status: &'static str,
    pub order_id: String,
    pub method: String,
    pub amount_refunded: i64,
    /// Either partial or full.
    pub refund_status: Option<&'static str>,
    pub captured: bool,
    pub error_code: Option<&'static str>,
    pub error_description: Option<String>,
    pub created_at: i64,
}

#[derive(Debug, Clone, Serialize)]
pub struct OrderEntity {
    pub id: String,
    pub entity: &'static str,
    pub amount: i64,
    pub amount_paid: i64,
    pub amount_due: i64,
    pub currency: String,
    pub receipt: Uuid,
    pub status: &'static str,
    pub created_at: i64,
}

#[derive(Debug, Clone, Serialize)]
pub struct RefundEntity {
    pub id: String,
    pub entity: &'static str,
    pub amount: i64,
    pub currency: String,
    pub payment_id: String,
    pub receipt: Uuid,
    pub notes: RefundNotes,
    pub status: &'static str,
    pub created_at: i64,
}

#[derive(Debug, Clone, Serialize)]
pub struct RefundNotes {
    pub refund_id: Uuid,
}

#[derive(Debug, Clone, Serialize)]
pub struct PayoutEntity {
    pub id: String,
    pub entity: &'static str,
    pub amount: i64,
    pub currency: String,
    pub status: &'static str,
    pub mode: &'static str,
    pub reference_id: Uuid,
    pub utr: Option<String>,
    pub failure_reason: Option<&'static str>,
    pub status_details: StatusDetails,
    pub created_at: i64,
}

#[derive(Debug, Clone, Serialize)]
pub struct StatusDetails {
    pub description: Option<&'static str>,
    pub source: Option<&'static str>,
    pub reason: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ValidationEntity {
    pub id: String,
    pub entity: &'static str,
    pub fund_account: FundAccount,
    pub status: &'static str,
    pub results: ValidationResults,
    pub notes: ValidationNotes,
    pub created_at: i64,
}

#[derive(Debug, Clone, Serialize)]
pub struct FundAccount {
    pub id: String,
    pub entity: &'static str,
    pub account_type: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct ValidationResults {
    /// Either active or invalid.
    pub account_status: &'static str,
    pub registered_name: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ValidationNotes {
    pub upi_account_id: Uuid,
}
