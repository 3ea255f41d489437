//! Reads a gateway's webhook into our types. Pure.
//!
//! The shapes follow Razorpay's documentation of webhook payloads (payments, orders, refunds, disputes, payouts, fund
//! account validations).

use serde_json::Value;
use uuid::Uuid;

use super::{Attempt, AttemptStatus, ChargebackStatus, GatewayRefund, GatewayRefundStatus, redact};
use crate::payouts::{Payout, PayoutStatus, ValidationOutcome};

/// An event of the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayEvent {
    /// payment.*, and order.paid with its payment.
    Attempt(Attempt),
    /// payment.*, in a status that this release does not know.
    UnknownStatus { attempt_id: String, status: String },
    /// order.paid without a payment: the gateway must be asked for it.
    OrderPaid { order_id: String },
    /// refund.*, with its payment if the event has it.
    Refund { refund: GatewayRefund, attempt: Option<Attempt> },
    /// payment.dispute.*: the customer's bank disputes the payment.
    Chargeback {
        id: String,
        attempt_id: String,
        amount_paise: i64,
        currency: Option<String>,
        reason: Option<String>,
        status: ChargebackStatus,
    },
    /// payout.*
    Payout(Payout),
    /// fund_account.validation.*
    Validation { id: String, upi_account_id: Option<Uuid>, outcome: ValidationOutcome },
    /// An event that is not acted upon.
    Unknown,
}

/// A known event that lacks a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the event does not have {0}")]
pub struct MissingField(pub &'static str);

/// Reads the `payload` of an event of kind `event`.
pub fn read(event: &str, payload: &Value) -> Result<GatewayEvent, MissingField> {
    let entity = |name: &str| {
        payload.get(name).and_then(|part| part.get("entity")).filter(|entity| entity.is_object())
    };
    match event {
        "payment.authorized" | "payment.captured" | "payment.failed" => {
            let entity = entity("payment").ok_or(MissingField("payload.payment.entity"))?;
            let mut reported = attempt(entity)?;
            // The event's name gives the status; the entity may show a later one.
            if let Some(named) = AttemptStatus::parse(&event["payment.".len()..])
                && let GatewayEvent::Attempt(attempt) = &mut reported
                && attempt.status == AttemptStatus::Created
            {
                attempt.status = named;
            }
            Ok(reported)
        }
        "order.paid" => match entity("payment") {
            Some(entity) => attempt(entity),
            None => {
                let order = entity("order").ok_or(MissingField("payload.order.entity"))?;
                Ok(GatewayEvent::OrderPaid {
                    order_id: text(order, "id").ok_or(MissingField("payload.order.entity.id"))?,
                })
            }
        },
        "refund.created" | "refund.processed" | "refund.failed" | "refund.speed_changed" => {
            let refund = refund(event, entity("refund").ok_or(MissingField("payload.refund.entity"))?)?;
            let attempt = match entity("payment").map(attempt).transpose()? {
                Some(GatewayEvent::Attempt(attempt)) => Some(attempt),
                _ => None,
            };
            Ok(GatewayEvent::Refund { refund, attempt })
        }
        "payout.processed" | "payout.failed" | "payout.reversed" | "payout.rejected" => {
            payout(entity("payout").ok_or(MissingField("payload.payout.entity"))?).map(GatewayEvent::Payout)
        }
        _ => match event.strip_prefix("payment.dispute.") {
            Some(step) => chargeback(step, entity("dispute").or_else(|| entity("payment.dispute"))),
            None if event.starts_with("fund_account.validation.") => validation(
                entity("fund_account.validation")
                    .ok_or(MissingField("payload.fund_account.validation.entity"))?,
            ),
            None => Ok(GatewayEvent::Unknown),
        },
    }
}

/// Reads an attempt. An attempt without a status has just been made.
fn attempt(entity: &Value) -> Result<GatewayEvent, MissingField> {
    let id = text(entity, "id").ok_or(MissingField("payload.payment.entity.id"))?;
    let status = match entity.get("status") {
        None | Some(Value::Null) => AttemptStatus::Created,
        Some(status) => match status.as_str().and_then(AttemptStatus::parse) {
            Some(status) => status,
            None => {
                let status = text(entity, "status").unwrap_or_else(|| "(no text)".to_owned());
                return Ok(GatewayEvent::UnknownStatus { attempt_id: id, status });
            }
        },
    };
    Ok(GatewayEvent::Attempt(Attempt {
        id,
        order_id: text(entity, "order_id"),
        amount_paise: paise(entity).ok_or(MissingField("payload.payment.entity.amount"))?,
        currency: text(entity, "currency").ok_or(MissingField("payload.payment.entity.currency"))?,
        status,
        method: text(entity, "method"),
        error: text(entity, "error_description").or_else(|| text(entity, "error_code")),
    }))
}

fn refund(event: &str, entity: &Value) -> Result<GatewayRefund, MissingField> {
    let named = match event {
        "refund.processed" => GatewayRefundStatus::Processed,
        "refund.failed" => GatewayRefundStatus::Failed,
        _ => GatewayRefundStatus::Pending,
    };
    let receipt = text(entity, "receipt").and_then(|receipt| receipt.parse().ok());
    let noted = entity.get("notes").and_then(|notes| text(notes, "refund_id")).and_then(|id| id.parse().ok());
    Ok(GatewayRefund {
        id: text(entity, "id").ok_or(MissingField("payload.refund.entity.id"))?,
        attempt_id: text(entity, "payment_id").ok_or(MissingField("payload.refund.entity.payment_id"))?,
        amount_paise: paise(entity).ok_or(MissingField("payload.refund.entity.amount"))?,
        currency: Some(text(entity, "currency").ok_or(MissingField("payload.refund.entity.currency"))?),
        // The entity may be ahead of the event's name, never behind it.
        status: match text(entity, "status").and_then(|status| GatewayRefundStatus::parse(&status)) {
            Some(GatewayRefundStatus::Processed) => GatewayRefundStatus::Processed,
            Some(GatewayRefundStatus::Failed) if named == GatewayRefundStatus::Pending => {
                GatewayRefundStatus::Failed
            }
            Some(_) | None => named,
        },
        refund_id: receipt.or(noted),
    })
}

fn chargeback(step: &str, entity: Option<&Value>) -> Result<GatewayEvent, MissingField> {
    let entity = entity.ok_or(MissingField("payload.dispute.entity"))?;
    Ok(GatewayEvent::Chargeback {
        id: text(entity, "id").ok_or(MissingField("payload.dispute.entity.id"))?,
        attempt_id: text(entity, "payment_id").ok_or(MissingField("payload.dispute.entity.payment_id"))?,
        amount_paise: paise(entity).ok_or(MissingField("payload.dispute.entity.amount"))?,
        currency: text(entity, "currency"),
        reason: text(entity, "reason_code"),
        status: match step {
            "won" => ChargebackStatus::Won,
            "lost" => ChargebackStatus::Lost,
            "closed" => ChargebackStatus::Closed,
            _ => ChargebackStatus::Open,
        },
    })
}

fn payout(entity: &Value) -> Result<Payout, MissingField> {
    let status = text(entity, "status").and_then(|status| PayoutStatus::parse(&status));
    let details = entity.get("status_details").and_then(|details| text(details, "description"));
    Ok(Payout {
        id: text(entity, "id").ok_or(MissingField("payload.payout.entity.id"))?,
        withdrawal_id: text(entity, "reference_id").and_then(|id| id.parse().ok()),
        amount_paise: paise(entity).ok_or(MissingField("payload.payout.entity.amount"))?,
        status: status.ok_or(MissingField("payload.payout.entity.status"))?,
        utr: text(entity, "utr"),
        failure: text(entity, "failure_reason").or(details),
    })
}

fn validation(entity: &Value) -> Result<GatewayEvent, MissingField> {
    let results = entity.get("results");
    let result = |key| results.and_then(|results| text(results, key));
    let name_at_bank = result("registered_name").unwrap_or_default();
    let outcome = match (text(entity, "status").as_deref(), result("account_status").as_deref()) {
        // The event is replayed after its personal data was removed: the worker asks for the name.
        (Some("completed"), Some("active")) if name_at_bank == redact::REMOVED => ValidationOutcome::Pending,
        (Some("completed"), Some("active")) => ValidationOutcome::Active { name_at_bank },
        (Some("completed"), Some(_)) => ValidationOutcome::Invalid,
        // `failed` means that the account could not be looked up: the provider is asked again.
        _ => ValidationOutcome::Pending,
    };
    Ok(GatewayEvent::Validation {
        id: text(entity, "id").ok_or(MissingField("payload.fund_account.validation.entity.id"))?,
        upi_account_id: text(entity, "reference_id")
            .or_else(|| entity.get("notes").and_then(|notes| text(notes, "upi_account_id")))
            .and_then(|id| id.parse().ok()),
        outcome,
    })
}

/// Returns a text that fits an id or a reason; `None` for longer texts and for empty ones.
fn text(entity: &Value, key: &str) -> Option<String> {
    let text = entity.get(key)?.as_str()?;
    // NUL can't be stored as text.
    ((1..=500).contains(&text.len()) && !text.contains('\0')).then(|| text.to_owned())
}

/// Returns `amount`, in the smallest unit, if it is above zero.
fn paise(entity: &Value) -> Option<i64> {
    entity.get("amount")?.as_i64().filter(|amount| *amount > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn payment(status: &str) -> Value {
        json!({"payment": {"entity": {
            "id": "pay_1", "order_id": "order_1", "amount": 29900, "currency": "INR", "status": status, "method": "upi",
        }}})
    }

    #[test]
    fn a_capture_is_read() {
        let Ok(GatewayEvent::Attempt(attempt)) = read("payment.captured", &payment("captured")) else {
            panic!("an attempt")
        };
        assert_eq!((attempt.id.as_str(), attempt.amount_paise), ("pay_1", 29_900));
        assert_eq!(attempt.status, AttemptStatus::Captured);
        assert_eq!(read("order.paid", &payment("captured")), Ok(GatewayEvent::Attempt(attempt)));
    }

    #[test]
    fn an_unknown_status_is_kept_as_it_is() {
        let (attempt_id, status) = ("pay_1".to_owned(), "settled".to_owned());
        let unknown = Ok(GatewayEvent::UnknownStatus { attempt_id, status });
        for event in ["payment.authorized", "payment.captured", "payment.failed", "order.paid"] {
            assert_eq!(read(event, &payment("settled")), unknown, "{event}");
        }
        let Ok(GatewayEvent::Attempt(attempt)) = read("payment.captured", &payment("created")) else {
            panic!("an attempt")
        };
        assert_eq!(attempt.status, AttemptStatus::Captured, "the event's name is more precise");
        let mut refunded = payment("settled");
        let entity = json!({"id": "rfnd_1", "payment_id": "pay_1", "amount": 100, "currency": "INR"});
        refunded["refund"] = json!({"entity": entity});
        let read = read("refund.processed", &refunded);
        assert!(matches!(read, Ok(GatewayEvent::Refund { attempt: None, .. })), "{read:?}");
    }

    #[test]
    fn a_validation_whose_name_was_removed_decides_nothing() {
        for (name, expected) in [
            ("ASHA RAO", ValidationOutcome::Active { name_at_bank: "ASHA RAO".to_owned() }),
            (redact::REMOVED, ValidationOutcome::Pending),
        ] {
            let payload = json!({"fund_account.validation": {"entity": {"id": "fav_1", "status": "completed",
                "results": {"account_status": "active", "registered_name": name}}}});
            let read = read("fund_account.validation.completed", &payload);
            let Ok(GatewayEvent::Validation { outcome, .. }) = read else { panic!("{read:?}") };
            assert_eq!(outcome, expected);
        }
    }

    #[test]
    fn a_refund_is_at_least_as_far_as_its_event_says() {
        let refund = |event: &str, status: &str| {
            let payload = json!({"refund": {"entity": {
                "id": "rfnd_1", "payment_id": "pay_1", "amount": 100, "currency": "INR", "status": status,
            }}});
            match read(event, &payload) {
                Ok(GatewayEvent::Refund { refund, attempt: None }) => refund.status,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(refund("refund.created", "pending"), GatewayRefundStatus::Pending);
        assert_eq!(refund("refund.created", "processed"), GatewayRefundStatus::Processed);
        assert_eq!(refund("refund.processed", "pending"), GatewayRefundStatus::Processed);
        assert_eq!(refund("refund.failed", "pending"), GatewayRefundStatus::Failed);
    }

    #[test]
    fn an_event_without_its_fields_is_refused_and_an_unknown_event_is_accepted() {
        for event in [
            "payment.captured",
            "refund.created",
            "payout.processed",
            "payment.dispute.created",
            "order.paid",
        ] {
            assert!(read(event, &json!({})).is_err(), "{event}");
        }
        for event in ["", "invoice.paid", "payment", "subscription.charged"] {
            assert_eq!(read(event, &json!({})), Ok(GatewayEvent::Unknown), "{event}");
        }
        for amount in [json!(-1), json!(0), json!(1.5), json!("100"), json!(1e30)] {
            let mut odd = payment("captured");
            odd["payment"]["entity"]["amount"] = amount;
            assert!(read("payment.captured", &odd).is_err());
        }
    }
}
