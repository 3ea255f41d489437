//! Razorpay's orders, payments and refunds.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Attempt, AttemptStatus, CheckoutKey, Gateway, GatewayOrder, GatewayRefund, GatewayRefundStatus,
    NewGatewayOrder, NewGatewayRefund,
};
use crate::{
    ProviderError,
    razorpay::{self, Api, Collection},
};

/// Razorpay honours the key for an unstated time, which is why the payment's refunds are checked first.
const IDEMPOTENCY: &str = "X-Refund-Idempotency";

/// Razorpay as a payment gateway.
#[derive(Debug, Clone)]
pub struct RazorpayGateway {
    api: Api,
    checkout: CheckoutKey,
}

#[derive(Deserialize)]
struct OrderBody {
    id: String,
    amount: i64,
    currency: String,
    status: String,
}

/// Razorpay calls an attempt a payment.
#[derive(Deserialize)]
struct AttemptBody {
    id: String,
    order_id: Option<String>,
    amount: i64,
    currency: String,
    status: String,
    method: Option<String>,
    error_description: Option<String>,
}

#[derive(Deserialize)]
struct RefundBody {
    id: String,
    payment_id: String,
    amount: i64,
    currency: Option<String>,
    status: String,
    receipt: Option<String>,
    /// An object, or an empty list if there are no notes.
    #[serde(default)]
    notes: Value,
}

impl RazorpayGateway {
    pub fn new(api: Api, checkout: CheckoutKey) -> Self {
        Self { api, checkout }
    }
}

#[async_trait]
impl Gateway for RazorpayGateway {
    fn name(&self) -> &'static str {
        "razorpay"
    }

    fn key_id(&self) -> &str {
        self.api.key_id()
    }

    async fn create_order(&self, new: &NewGatewayOrder) -> Result<GatewayOrder, ProviderError> {
        let body = json!({
            "amount": new.amount_paise,
            "currency": new.currency,
            "receipt": new.payment_id,
            "notes": {"payment_id": new.payment_id},
        });
        let order: OrderBody = self.api.post(&["orders"], &body, None).await?;
        if order.amount != new.amount_paise || order.currency != new.currency {
            return Err(razorpay::wrong_answer("order"));
        }
        let is_paid = order.status == "paid";
        Ok(GatewayOrder { id: order.id, amount_paise: order.amount, currency: order.currency, is_paid })
    }

    async fn attempts_of(&self, order_id: &str) -> Result<Vec<Attempt>, ProviderError> {
        if !razorpay::is_id(order_id) {
            return Ok(Vec::new());
        }
        let list: Option<Collection<AttemptBody>> = self.api.find(&["orders", order_id, "payments"]).await?;
        list.map_or_else(Vec::new, |list| list.items).into_iter().map(Attempt::try_from).collect()
    }

    async fn attempt(&self, id: &str) -> Result<Option<Attempt>, ProviderError> {
        if !razorpay::is_id(id) {
            return Ok(None);
        }
        let found: Option<AttemptBody> = self.api.find(&["payments", id]).await?;
        let attempt = found.map(Attempt::try_from).transpose()?;
        match attempt {
            Some(attempt) if attempt.id != id => Err(razorpay::wrong_answer("payment")),
            attempt => Ok(attempt),
        }
    }

    async fn capture(&self, attempt: &Attempt) -> Result<Attempt, ProviderError> {
        let id = razorpay::id(&attempt.id)?;
        let body = json!({"amount": attempt.amount_paise, "currency": attempt.currency});
        let captured = self.api.post::<AttemptBody>(&["payments", id, "capture"], &body, None).await;
        let captured = match captured {
            Err(ProviderError::Refused { code, description }) => {
                // Razorpay refuses a payment that is already captured, in words that may change; the payment itself tells.
                let refused = ProviderError::Refused { code, description };
                let known = self.attempt(id).await?.ok_or_else(|| refused.clone())?;
                let is_done = matches!(known.status, AttemptStatus::Captured | AttemptStatus::Refunded);
                return if is_done { Ok(known) } else { Err(refused) };
            }
            captured => Attempt::try_from(captured?)?,
        };
        if captured.id == attempt.id { Ok(captured) } else { Err(razorpay::wrong_answer("payment")) }
    }

    async fn refund(&self, new: &NewGatewayRefund) -> Result<GatewayRefund, ProviderError> {
        let attempt_id = razorpay::id(&new.attempt_id)?;
        let before = self.refunds_of(attempt_id).await.map_err(razorpay::not_yet)?;
        if let Some(refund) = before.into_iter().find(|refund| refund.refund_id == Some(new.refund_id)) {
            return Ok(refund);
        }
        let body = json!({
            "amount": new.amount_paise,
            "speed": "normal",
            "receipt": new.refund_id,
            "notes": {"refund_id": new.refund_id},
        });
        let key = Some((IDEMPOTENCY, new.refund_id));
        let made: RefundBody = self.api.post(&["payments", attempt_id, "refund"], &body, key).await?;
        let refund = GatewayRefund::try_from(made)?;
        let is_it = refund.attempt_id == new.attempt_id && refund.amount_paise == new.amount_paise;
        if is_it { Ok(refund) } else { Err(razorpay::wrong_answer("refund")) }
    }

    /// Returns the attempt's last hundred refunds.
    async fn refunds_of(&self, attempt_id: &str) -> Result<Vec<GatewayRefund>, ProviderError> {
        let path = ["payments", razorpay::id(attempt_id)?, "refunds"];
        let list: Collection<RefundBody> = self.api.get(&path, &[("count", razorpay::LIST)]).await?;
        list.items.into_iter().map(GatewayRefund::try_from).collect()
    }

    fn is_checkout_genuine(&self, order_id: &str, attempt_id: &str, signature: &str) -> bool {
        self.checkout.is_genuine(order_id, attempt_id, signature)
    }
}

impl TryFrom<AttemptBody> for Attempt {
    type Error = ProviderError;

    fn try_from(body: AttemptBody) -> Result<Self, ProviderError> {
        let status = AttemptStatus::parse(&body.status);
        Ok(Self {
            id: body.id,
            order_id: body.order_id,
            amount_paise: body.amount,
            currency: body.currency,
            status: status.ok_or_else(|| undocumented_status("payment"))?,
            method: body.method,
            error: body.error_description,
        })
    }
}

impl TryFrom<RefundBody> for GatewayRefund {
    type Error = ProviderError;

    fn try_from(body: RefundBody) -> Result<Self, ProviderError> {
        let noted = body.notes["refund_id"].as_str().map(str::to_owned);
        let refund_id = noted.or(body.receipt).and_then(|text| Uuid::parse_str(&text).ok());
        Ok(Self {
            id: body.id,
            attempt_id: body.payment_id,
            amount_paise: body.amount,
            currency: body.currency,
            status: GatewayRefundStatus::parse(&body.status).ok_or_else(|| undocumented_status("refund"))?,
            refund_id,
        })
    }
}

fn undocumented_status(what: &str) -> ProviderError {
    ProviderError::Unknown(format!("a {what} with an undocumented status"))
}
