//! The gateway, and a customer's actions at its checkout.

use async_trait::async_trait;

use super::{
    Checkout, PayError, PayOutcome, Sandbox, events,
    queries::{self, SandboxOrder, SandboxPayment, SandboxRefund},
    refused, state, unavailable, unknown_outcome,
};
use crate::{
    ProviderError,
    gateway::{Attempt, Gateway, GatewayOrder, GatewayRefund, NewGatewayOrder, NewGatewayRefund},
};

#[async_trait]
impl Gateway for Sandbox {
    fn name(&self) -> &'static str {
        "sandbox"
    }

    fn key_id(&self) -> &str {
        &self.0.key_id
    }

    async fn create_order(&self, new: &NewGatewayOrder) -> Result<GatewayOrder, ProviderError> {
        self.call(self.make_order(new)).await
    }

    async fn attempts_of(&self, order_id: &str) -> Result<Vec<Attempt>, ProviderError> {
        let lookup = async move {
            let rows = queries::payments_of(&self.0.db, order_id).await.map_err(unavailable)?;
            Ok(rows.into_iter().map(state::attempt).collect())
        };
        self.call(lookup).await
    }

    async fn attempt(&self, id: &str) -> Result<Option<Attempt>, ProviderError> {
        let lookup = async move {
            let row = queries::payment(&self.0.db, id).await.map_err(unavailable)?;
            Ok(row.map(state::attempt))
        };
        self.call(lookup).await
    }

    async fn capture(&self, attempt: &Attempt) -> Result<Attempt, ProviderError> {
        self.call(self.capture_attempt(attempt)).await
    }

    async fn refund(&self, new: &NewGatewayRefund) -> Result<GatewayRefund, ProviderError> {
        self.call(self.make_refund(new)).await
    }

    async fn refunds_of(&self, attempt_id: &str) -> Result<Vec<GatewayRefund>, ProviderError> {
        let lookup = async move {
            let now = self.0.clock.now();
            let rows = queries::refunds_of(&self.0.db, attempt_id).await.map_err(unavailable)?;
            Ok(rows.into_iter().map(|row| state::refund(row, now)).collect())
        };
        self.call(lookup).await
    }

    fn is_checkout_genuine(&self, order_id: &str, attempt_id: &str, signature: &str) -> bool {
        self.0.checkout.is_genuine(order_id, attempt_id, signature)
    }
}

impl Sandbox {
    async fn make_order(&self, new: &NewGatewayOrder) -> Result<GatewayOrder, ProviderError> {
        if new.amount_paise <= 0 {
            return Err(refused("The amount must be above 0"));
        }
        let now = self.0.clock.now();
        let row = SandboxOrder {
            id: self.id("order"),
            receipt: new.payment_id,
            amount_paise: new.amount_paise,
            currency: new.currency.clone(),
            expires_at: now + self.0.order_ttl,
            created_at: now,
        };
        queries::insert_order(&self.0.db, &row).await.map_err(unknown_outcome)?;
        Ok(GatewayOrder {
            id: row.id,
            amount_paise: row.amount_paise,
            currency: row.currency,
            is_paid: false,
        })
    }

    /// Refuses an order that the sandbox does not know.
    pub async fn check_order(&self, order_id: &str) -> Result<(), PayError> {
        let is_known = queries::has_order(&self.0.db, order_id).await?;
        if is_known { Ok(()) } else { Err(PayError::NoSuchOrder) }
    }

    /// Pays an order as a customer's phone does at the checkout.
    pub async fn pay(&self, order_id: &str, outcome: PayOutcome, method: &str) -> Result<Checkout, PayError> {
        let now = self.0.clock.now();
        let mut tx = self.0.db.begin().await?;
        let order = queries::lock_order(&mut tx, order_id).await?.ok_or(PayError::NoSuchOrder)?;
        let before = queries::payments_of(&mut *tx, order_id).await?;
        if before.iter().any(|payment| payment.status != PayOutcome::Failed) {
            return Err(PayError::Paid);
        }
        if order.expires_at <= now {
            return Err(PayError::Expired);
        }
        let error =
            (outcome == PayOutcome::Failed).then(|| "The customer's bank declined the payment".to_owned());
        let payment = SandboxPayment {
            id: self.id("pay"),
            order_id: order.id.clone(),
            amount_paise: order.amount_paise,
            currency: order.currency.clone(),
            status: outcome,
            method: method.to_owned(),
            refunded_paise: 0,
            error,
            created_at: now,
        };
        queries::insert_payment(&mut tx, &payment).await?;
        let events = events::of_attempt(&order, &payment, None, now);
        self.plan(&mut tx, &order.id, &events, now).await?;
        tx.commit().await.map_err(PayError::Commit)?;
        self.wakeup().wake();
        let signature = self.0.checkout.sign(&order.id, &payment.id);
        Ok(Checkout { attempt_id: payment.id, signature })
    }

    /// Captures an authorized attempt.
    async fn capture_attempt(&self, attempt: &Attempt) -> Result<Attempt, ProviderError> {
        let now = self.0.clock.now();
        let mut tx = self.0.db.begin().await.map_err(unavailable)?;
        let unknown = || refused("The id provided does not exist");
        // The order is locked first, in the same sequence as in a payment.
        let order_id = attempt.order_id.as_deref().ok_or_else(unknown)?;
        let order = queries::lock_order(&mut tx, order_id).await.map_err(unavailable)?.ok_or_else(unknown)?;
        let payment = queries::lock_payment(&mut tx, &attempt.id).await.map_err(unavailable)?;
        let mut payment = payment.filter(|payment| payment.order_id == order.id).ok_or_else(unknown)?;
        match payment.status {
            PayOutcome::Captured => return Ok(state::attempt(payment)),
            PayOutcome::Authorized => {}
            PayOutcome::Failed => return Err(refused("The payment has failed")),
        }
        payment.status = PayOutcome::Captured;
        queries::update_payment(&mut tx, &payment).await.map_err(unavailable)?;
        let events = events::of_attempt(&order, &payment, Some(PayOutcome::Authorized), now);
        self.plan(&mut tx, &order.id, &events, now).await.map_err(unavailable)?;
        tx.commit().await.map_err(unknown_outcome)?;
        self.wakeup().wake();
        Ok(state::attempt(payment))
    }

    async fn make_refund(&self, new: &NewGatewayRefund) -> Result<GatewayRefund, ProviderError> {
        let now = self.0.clock.now();
        let mut tx = self.0.db.begin().await.map_err(unavailable)?;
        let payment = queries::lock_payment(&mut tx, &new.attempt_id).await.map_err(unavailable)?;
        let mut payment = payment.ok_or_else(|| refused("The id provided does not exist"))?;
        if let Some(row) = queries::refund(&mut *tx, new.refund_id).await.map_err(unavailable)? {
            let is_same = row.payment_id == new.attempt_id && row.amount_paise == new.amount_paise;
            let other = "The idempotency key was used with another request";
            return if is_same { Ok(state::refund(row, now)) } else { Err(refused(other)) };
        }
        if payment.status != PayOutcome::Captured {
            return Err(refused("The payment has not been captured"));
        }
        if new.amount_paise <= 0 || new.amount_paise > payment.amount_paise - payment.refunded_paise {
            return Err(refused("The refund is more than what is left of the payment"));
        }
        payment.refunded_paise += new.amount_paise;
        let row = SandboxRefund {
            id: self.id("rfnd"),
            refund_id: new.refund_id,
            payment_id: payment.id.clone(),
            amount_paise: new.amount_paise,
            currency: payment.currency.clone(),
            settles_at: now + self.delay(),
            created_at: now,
        };
        queries::update_payment(&mut tx, &payment).await.map_err(unavailable)?;
        queries::insert_refund(&mut tx, &row).await.map_err(unavailable)?;
        self.plan(&mut tx, &row.id, &events::of_refund(&row, &payment), now).await.map_err(unavailable)?;
        tx.commit().await.map_err(unknown_outcome)?;
        self.wakeup().wake();
        Ok(state::refund(row, now))
    }
}
