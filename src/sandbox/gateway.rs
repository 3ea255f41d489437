//! The gateway, and what a customer does at its checkout.

use futures_util::future::{BoxFuture, FutureExt};

use super::{
    Checkout, PayError, PayOutcome, Sandbox, away, events, in_doubt,
    queries::{self, SandboxOrder, SandboxPayment, SandboxRefund},
    refused, state,
};
use crate::providers::{
    ProviderError,
    gateway::{Attempt, Gateway, NewOrder, NewRefund, Order, Refund},
};

impl Gateway for Sandbox {
    fn name(&self) -> &'static str {
        "sandbox"
    }

    fn key_id(&self) -> &str {
        &self.0.key_id
    }

    fn create_order<'a>(&'a self, new: &'a NewOrder) -> BoxFuture<'a, Result<Order, ProviderError>> {
        self.called(self.make_order(new)).boxed()
    }

    fn attempts_of<'a>(&'a self, order_id: &'a str) -> BoxFuture<'a, Result<Vec<Attempt>, ProviderError>> {
        let look = async move {
            let rows = queries::payments_of(&self.0.db, order_id).await.map_err(away)?;
            Ok(rows.into_iter().map(state::attempt).collect())
        };
        self.called(look).boxed()
    }

    fn attempt<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Attempt>, ProviderError>> {
        let look = async move {
            let row = queries::payment(&self.0.db, id).await.map_err(away)?;
            Ok(row.map(state::attempt))
        };
        self.called(look).boxed()
    }

    fn capture<'a>(&'a self, attempt: &'a Attempt) -> BoxFuture<'a, Result<Attempt, ProviderError>> {
        self.called(self.take(attempt)).boxed()
    }

    fn refund<'a>(&'a self, new: &'a NewRefund) -> BoxFuture<'a, Result<Refund, ProviderError>> {
        self.called(self.give_back(new)).boxed()
    }

    fn refunds_of<'a>(&'a self, attempt_id: &'a str) -> BoxFuture<'a, Result<Vec<Refund>, ProviderError>> {
        let look = async move {
            let now = self.0.clock.now();
            let rows = queries::refunds_of(&self.0.db, attempt_id).await.map_err(away)?;
            Ok(rows.into_iter().map(|row| state::refund(row, now)).collect())
        };
        self.called(look).boxed()
    }

    fn is_checkout_genuine(&self, order_id: &str, attempt_id: &str, signature: &str) -> bool {
        self.0.checkout.is_genuine(order_id, attempt_id, signature)
    }
}

impl Sandbox {
    async fn make_order(&self, new: &NewOrder) -> Result<Order, ProviderError> {
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
        queries::insert_order(&self.0.db, &row).await.map_err(in_doubt)?;
        Ok(Order { id: row.id, amount_paise: row.amount_paise, currency: row.currency, is_paid: false })
    }

    /// Refuses an order that is not of the sandbox.
    pub async fn must_know(&self, order_id: &str) -> Result<(), PayError> {
        let is_known = queries::has_order(&self.0.db, order_id).await?;
        if is_known { Ok(()) } else { Err(PayError::NoSuchOrder) }
    }

    /// What a customer's phone does at the checkout.
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
        let events_due = events::of_attempt(&order, &payment, None, now);
        self.plan(&mut tx, &order.id, &events_due, now).await?;
        tx.commit().await.map_err(PayError::Commit)?;
        self.wake();
        let signature = self.0.checkout.sign(&order.id, &payment.id);
        Ok(Checkout { attempt_id: payment.id, signature })
    }

    /// Captures what is authorized.
    async fn take(&self, attempt: &Attempt) -> Result<Attempt, ProviderError> {
        let now = self.0.clock.now();
        let mut tx = self.0.db.begin().await.map_err(away)?;
        let unknown = || refused("The id provided does not exist");
        // The order first, as whoever pays it does.
        let order_id = attempt.order_id.as_deref().ok_or_else(unknown)?;
        let order = queries::lock_order(&mut tx, order_id).await.map_err(away)?.ok_or_else(unknown)?;
        let payment = queries::lock_payment(&mut tx, &attempt.id).await.map_err(away)?;
        let mut payment = payment.filter(|payment| payment.order_id == order.id).ok_or_else(unknown)?;
        match payment.status {
            PayOutcome::Captured => return Ok(state::attempt(payment)),
            PayOutcome::Authorized => {}
            PayOutcome::Failed => return Err(refused("The payment has failed")),
        }
        payment.status = PayOutcome::Captured;
        queries::update_payment(&mut tx, &payment).await.map_err(away)?;
        let events_due = events::of_attempt(&order, &payment, Some(PayOutcome::Authorized), now);
        self.plan(&mut tx, &order.id, &events_due, now).await.map_err(away)?;
        tx.commit().await.map_err(in_doubt)?;
        self.wake();
        Ok(state::attempt(payment))
    }

    async fn give_back(&self, new: &NewRefund) -> Result<Refund, ProviderError> {
        let now = self.0.clock.now();
        let mut tx = self.0.db.begin().await.map_err(away)?;
        let payment = queries::lock_payment(&mut tx, &new.attempt_id).await.map_err(away)?;
        let mut payment = payment.ok_or_else(|| refused("The id provided does not exist"))?;
        if let Some(row) = queries::refund(&mut *tx, new.refund_id).await.map_err(away)? {
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
        queries::update_payment(&mut tx, &payment).await.map_err(away)?;
        queries::insert_refund(&mut tx, &row).await.map_err(away)?;
        self.plan(&mut tx, &row.id, &events::of_refund(&row, &payment), now).await.map_err(away)?;
        tx.commit().await.map_err(in_doubt)?;
        self.wake();
        Ok(state::refund(row, now))
    }
}
