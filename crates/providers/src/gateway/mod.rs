//! The payment gateway: orders, the payments made for them, refunds.
//!
//! Amounts are in the currency's smallest unit (paise). What a call returns about a payment is the gateway's statement at that
//! moment, like a webhook: `payments` handles both in the same way.

pub mod event;
mod none;
mod razorpay;
pub mod redact;
mod settings;
mod signature;

use async_trait::async_trait;
use roadcall_http::text_enum;
use uuid::Uuid;

pub use none::NoGateway;
pub use razorpay::RazorpayGateway;
pub use settings::{GatewayProvider, GatewaySettings};
pub use signature::{CheckoutKey, WebhookKeys, from_hex};

use super::ProviderError;

/// An order to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGatewayOrder {
    /// Our payment's id; the gateway keeps it as the receipt.
    pub payment_id: Uuid,
    pub amount_paise: i64,
    /// ISO 4217.
    pub currency: String,
}

/// An order at the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayOrder {
    pub id: String,
    pub amount_paise: i64,
    pub currency: String,
    pub is_paid: bool,
}

text_enum! {
    /// How far an attempt to pay has come at the gateway.
    AttemptStatus {
        Created = "created",
        Authorized = "authorized",
        Captured = "captured",
        /// Refunded in full; it was captured before.
        Refunded = "refunded",
        Failed = "failed",
    }
}

/// One attempt to pay an order (Razorpay calls it a payment).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub id: String,
    /// `None` for a payment without an order of the service.
    pub order_id: Option<String>,
    pub amount_paise: i64,
    pub currency: String,
    pub status: AttemptStatus,
    /// card, upi, netbanking, wallet …
    pub method: Option<String>,
    /// Why it failed, in the gateway's words.
    pub error: Option<String>,
}

text_enum! {
    /// How far a refund has come at the gateway.
    GatewayRefundStatus { Pending = "pending", Processed = "processed", Failed = "failed", }
}

/// A refund to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGatewayRefund {
    /// Our refund's id: the receipt, and the idempotency key.
    pub refund_id: Uuid,
    /// The captured attempt that is given back.
    pub attempt_id: String,
    pub amount_paise: i64,
}

/// A refund at the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayRefund {
    pub id: String,
    pub attempt_id: String,
    pub amount_paise: i64,
    /// `None` if the gateway did not say.
    pub currency: Option<String>,
    pub status: GatewayRefundStatus,
    /// Our refund's id, where the refund is ours.
    pub refund_id: Option<Uuid>,
}

text_enum! {
    /// The progress of a chargeback: raised or under review, and how it ended.
    ChargebackStatus { Open = "open", Won = "won", Lost = "lost", Closed = "closed", }
}

/// A payment gateway. Every call has its own time limit. None is repeated inside: the caller knows better when.
#[async_trait]
pub trait Gateway: Send + Sync + std::fmt::Debug {
    /// Returns the provider's name in rows and answers: "sandbox", "razorpay" or "none".
    fn name(&self) -> &'static str;

    /// Returns the public key with which the customer's app opens the gateway's checkout.
    fn key_id(&self) -> &str;

    /// Makes an order. Not idempotent: after [`ProviderError::Unknown`] there may be an order that can't be paid, since its id is
    /// unknown.
    async fn create_order(&self, new: &NewGatewayOrder) -> Result<GatewayOrder, ProviderError>;

    /// Returns all attempts to pay an order; an unknown order has none.
    async fn attempts_of(&self, order_id: &str) -> Result<Vec<Attempt>, ProviderError>;

    /// Returns an attempt, if it exists.
    async fn attempt(&self, id: &str) -> Result<Option<Attempt>, ProviderError>;

    /// Captures an authorized attempt. An attempt that is already captured is returned unchanged.
    async fn capture(&self, attempt: &Attempt) -> Result<Attempt, ProviderError>;

    /// Gives money back, once per `refund_id` however often it is called.
    async fn refund(&self, new: &NewGatewayRefund) -> Result<GatewayRefund, ProviderError>;

    /// Returns the refunds of an attempt, whether they were requested here or at the gateway.
    async fn refunds_of(&self, attempt_id: &str) -> Result<Vec<GatewayRefund>, ProviderError>;

    /// Returns whether the gateway signed the checkout: `signature` is the hex HMAC-SHA256 of `{order_id}|{attempt_id}` under the
    /// key secret. Compares in constant time.
    fn is_checkout_genuine(&self, order_id: &str, attempt_id: &str, signature: &str) -> bool;
}
