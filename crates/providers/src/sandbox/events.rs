//! Makes webhooks of rows.

use chrono::{DateTime, Utc};

use super::{
    dto::{
        Entity, FundAccount, OrderEntity, PayOutcome, PaymentEntity, PayoutEntity, PayoutOutcome,
        RefundEntity, RefundNotes, StatusDetails, ValidationEntity, ValidationNotes, ValidationResults,
        WebhookBody, WebhookPayload,
    },
    queries::{SandboxOrder, SandboxPayment, SandboxPayout, SandboxRefund, SandboxValidation},
    state,
};

/// An event that a webhook reports.
#[derive(Debug, Clone)]
pub struct SandboxEvent {
    pub event: &'static str,
    pub at: DateTime<Utc>,
    pub payload: WebhookPayload,
}

impl SandboxEvent {
    /// Returns the webhook's body.
    pub fn body(&self) -> serde_json::Result<String> {
        serde_json::to_string(&WebhookBody {
            entity: "event",
            account_id: "acc_sandbox",
            event: self.event,
            contains: self.payload.contains(),
            payload: self.payload.clone(),
            created_at: self.at.timestamp(),
        })
    }
}

/// Returns the events of an attempt that reached its status from the status `before` (`None`: it is new).
pub fn of_attempt(
    order: &SandboxOrder,
    payment: &SandboxPayment,
    before: Option<PayOutcome>,
    now: DateTime<Utc>,
) -> Vec<SandboxEvent> {
    let attempt = |event, status| {
        let payload =
            WebhookPayload { payment: Some(payment_entity(payment, status)), ..WebhookPayload::default() };
        SandboxEvent { event, at: now, payload }
    };
    let authorized = before.is_none().then(|| attempt("payment.authorized", "authorized"));
    match payment.status {
        PayOutcome::Captured => {
            let paid = WebhookPayload {
                payment: Some(payment_entity(payment, "captured")),
                order: Some(paid_order(order)),
                ..WebhookPayload::default()
            };
            let rest = [
                attempt("payment.captured", "captured"),
                SandboxEvent { event: "order.paid", at: now, payload: paid },
            ];
            authorized.into_iter().chain(rest).collect()
        }
        PayOutcome::Authorized => authorized.into_iter().collect(),
        PayOutcome::Failed => vec![attempt("payment.failed", "failed")],
    }
}

/// Returns the events of a refund; `payment` is the state after it.
pub fn of_refund(refund: &SandboxRefund, payment: &SandboxPayment) -> Vec<SandboxEvent> {
    let event_of = |event, at, status| {
        let payload = WebhookPayload {
            refund: Some(refund_entity(refund, status)),
            payment: Some(payment_entity(payment, "captured")),
            ..WebhookPayload::default()
        };
        SandboxEvent { event, at, payload }
    };
    vec![
        event_of("refund.created", refund.created_at, "pending"),
        event_of("refund.processed", refund.settles_at, "processed"),
    ]
}

pub fn of_payout(payout: &SandboxPayout) -> Vec<SandboxEvent> {
    let event_of = |event, at| {
        let payload = WebhookPayload { payout: Some(payout_entity(payout, at)), ..WebhookPayload::default() };
        SandboxEvent { event, at, payload }
    };
    if payout.outcome == PayoutOutcome::Failed {
        return vec![event_of("payout.failed", payout.settles_at)];
    }
    let reversed = payout.reverses_at.map(|at| event_of("payout.reversed", at));
    std::iter::once(event_of("payout.processed", payout.settles_at)).chain(reversed).collect()
}

pub fn of_validation(validation: &SandboxValidation) -> Vec<SandboxEvent> {
    let account_status = if validation.name_at_bank.is_some() { "active" } else { "invalid" };
    let fund_account =
        FundAccount { id: validation.fund_account_id.clone(), entity: "fund_account", account_type: "vpa" };
    let results = ValidationResults { account_status, registered_name: validation.name_at_bank.clone() };
    let entity = ValidationEntity {
        id: validation.id.clone(),
        entity: "fund_account.validation",
        fund_account,
        status: "completed",
        results,
        notes: ValidationNotes { upi_account_id: validation.upi_account_id },
        created_at: validation.created_at.timestamp(),
    };
    let payload = WebhookPayload { validation: Some(Entity { entity }), ..WebhookPayload::default() };
    vec![SandboxEvent { event: "fund_account.validation.completed", at: validation.settles_at, payload }]
}

fn payment_entity(payment: &SandboxPayment, status: &'static str) -> Entity<PaymentEntity> {
    let is_full = payment.refunded_paise == payment.amount_paise;
    let refund_status = (payment.refunded_paise > 0).then_some(if is_full { "full" } else { "partial" });
    let entity = PaymentEntity {
        id: payment.id.clone(),
        entity: "payment",
        amount: payment.amount_paise,
        currency: payment.currency.clone(),
        status: if is_full { "refunded" } else { status },
        order_id: payment.order_id.clone(),
        method: payment.method.clone(),
        amount_refunded: payment.refunded_paise,
        refund_status,
        captured: status == "captured",
        error_code: payment.error.as_ref().map(|_| "BAD_REQUEST_ERROR"),
        error_description: payment.error.clone(),
        created_at: payment.created_at.timestamp(),
    };
    Entity { entity }
}

fn paid_order(order: &SandboxOrder) -> Entity<OrderEntity> {
    let entity = OrderEntity {
        id: order.id.clone(),
        entity: "order",
        amount: order.amount_paise,
        amount_paid: order.amount_paise,
        amount_due: 0,
        currency: order.currency.clone(),
        receipt: order.receipt,
        status: "paid",
        created_at: order.created_at.timestamp(),
    };
    Entity { entity }
}

fn refund_entity(refund: &SandboxRefund, status: &'static str) -> Entity<RefundEntity> {
    let entity = RefundEntity {
        id: refund.id.clone(),
        entity: "refund",
        amount: refund.amount_paise,
        currency: refund.currency.clone(),
        payment_id: refund.payment_id.clone(),
        receipt: refund.refund_id,
        notes: RefundNotes { refund_id: refund.refund_id },
        status,
        created_at: refund.created_at.timestamp(),
    };
    Entity { entity }
}

fn payout_entity(payout: &SandboxPayout, at: DateTime<Utc>) -> Entity<PayoutEntity> {
    let outcome = state::payout_outcome(payout, at);
    let failure = outcome.and_then(state::failure_of);
    let entity = PayoutEntity {
        id: payout.id.clone(),
        entity: "payout",
        amount: payout.amount_paise,
        currency: payout.currency.clone(),
        status: outcome.map_or("processing", PayoutOutcome::as_str),
        mode: "UPI",
        reference_id: payout.withdrawal_id,
        utr: payout.utr.clone().filter(|_| outcome != Some(PayoutOutcome::Failed)),
        failure_reason: failure,
        status_details: StatusDetails {
            description: failure,
            source: failure.map(|_| "beneficiary_bank"),
            reason: failure.map(|_| "beneficiary_bank_rejected"),
        },
        created_at: payout.created_at.timestamp(),
    };
    Entity { entity }
}
